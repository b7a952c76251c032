import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { findProgram } from '../../../functions/table/programs.ts';
import { type Fault, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { recorderAt } from '../../support/table/recorder-at.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { itemsOf } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const through = useFaultyProxy(table);
const { proxy } = through;

const READ = 'GetItem';
const CONVERSION = 'TransactWriteItems';
const CLICK = 'PutItem';

const tries = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const always = (operation: string, fault: Fault) => proxy.next(operation, ...Array(3).fill(fault));
const aRequest = () => ({
  by: { slug: advocate.slug, clickId: newId() },
  email: anEmail(),
  key: newId(),
});
const aClick = () => ({ publicKey: program.publicKey, slug: advocate.slug, clickId: newId(), subId: null });

describe.each<[string, Fault]>([
  ['an HTML page with status 200', { page: 200 }],
  ['an HTML page with status 404', { page: 404 }],
  ['an HTML page with status 502', { page: 502 }],
  ['an HTML page with status 503', { page: 503 }],
  ['half of the JSON with the content-length of that half', 'truncate'],
  ['half of the JSON with the content-length of the whole', 'break off'],
])('%s in place of a response from the table', (_, fault) => {
  test('once: a read is retried', async () => {
    proxy.next(READ, fault);
    expect(await findProgram(through.faulty, program.id)).toEqual(program);
    expect(tries(READ)).toBe(2);
  });

  test('once: a conversion is retried and stored once', async () => {
    const request = aRequest();
    proxy.next(CONVERSION, fault);
    const { referral, replayed } = await track(through.faulty, program, request);
    expect([replayed, tries(CONVERSION)]).toEqual([false, 2]);
    expect(expectConsistent(await itemsOf(table, program), program)).toContainEqual(referral);
    expect(await track(table, program, request)).toMatchObject({ replayed: true });
  });

  test('once: a click is retried and recorded', async () => {
    const click = aClick();
    proxy.next(CLICK, fault);
    expect(await recorderAt(through.faulty).record(click)).toBe('recorded');
    expect(tries(CLICK)).toBe(2);
    expect(await storedReferral(table, program, click.clickId)).toMatchObject({ state: 'clicked' });
  });

  test('at every attempt: Unavailable, and nothing is half-written', async () => {
    const [request, click] = [aRequest(), aClick()];
    for (const operation of [READ, CONVERSION, CLICK]) always(operation, fault);
    await expect(findProgram(through.faulty, program.id)).rejects.toThrow(Unavailable);
    await expect(track(through.faulty, program, request)).rejects.toThrow(Unavailable);
    await expect(recorderAt(through.faulty).record(click)).rejects.toThrow(Unavailable);
    expect([READ, CONVERSION, CLICK].map(tries)).toEqual([3, 3, 3]);
    expectConsistent(await itemsOf(table, program), program);
    // A page replaces the request; a part of a response means that it was carried out.
    const wasCarriedOut = typeof fault === 'string';
    expect(await track(table, program, request)).toMatchObject({ replayed: wasCarriedOut });
    expect(await recorderAt(table).record(click)).toBe(wasCarriedOut ? 'known' : 'recorded');
  });
});
