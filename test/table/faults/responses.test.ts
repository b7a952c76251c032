import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { findProgram } from '../../../functions/table/programs.ts';
import { type Fault, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { recorderAt } from '../../support/table/controlled-clock.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { itemsOf } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;

const READ = 'GetItem';
const CONVERSION = 'TransactWriteItems';
const CLICK = 'PutItem';

const attempts = (operation: string) => proxy.seen.filter((name) => name === operation).length;
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
  ['half of the JSON with a content-length of half', 'truncate'],
  ['half of the JSON with the full content-length', 'break off'],
])('%s instead of a response from the table', (_, fault) => {
  test('a read is retried', async () => {
    proxy.next(READ, fault);
    expect(await findProgram(proxied.faulty, program.id)).toEqual(program);
    expect(attempts(READ)).toBe(2);
  });

  test('a conversion is retried and stored once', async () => {
    const request = aRequest();
    proxy.next(CONVERSION, fault);
    const { referral, replayed } = await track(proxied.faulty, program, request);
    expect([replayed, attempts(CONVERSION)]).toEqual([false, 2]);
    expect(expectConsistent(await itemsOf(table, program), program)).toContainEqual(referral);
    expect(await track(table, program, request)).toMatchObject({ replayed: true });
  });

  test('a click is retried and recorded', async () => {
    const click = aClick();
    proxy.next(CLICK, fault);
    expect(await recorderAt(proxied.faulty).record(click)).toBe('recorded');
    expect(attempts(CLICK)).toBe(2);
    expect(await storedReferral(table, program, click.clickId)).toMatchObject({ state: 'clicked' });
  });

  test('a wrong response at every attempt throws Unavailable and leaves no partial write', async () => {
    const [request, click] = [aRequest(), aClick()];
    for (const operation of [READ, CONVERSION, CLICK]) always(operation, fault);
    await expect(findProgram(proxied.faulty, program.id)).rejects.toThrow(Unavailable);
    await expect(track(proxied.faulty, program, request)).rejects.toThrow(Unavailable);
    await expect(recorderAt(proxied.faulty).record(click)).rejects.toThrow(Unavailable);
    expect([READ, CONVERSION, CLICK].map(attempts)).toEqual([3, 3, 3]);
    expectConsistent(await itemsOf(table, program), program);
    // A web page replaces the request; a partial response means that the request was executed.
    const wasExecuted = typeof fault === 'string';
    expect(await track(table, program, request)).toMatchObject({ replayed: wasExecuted });
    expect(await recorderAt(table).record(click)).toBe(wasExecuted ? 'known' : 'recorded');
  });
});
