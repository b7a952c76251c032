import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { newId } from '../../support/program.ts';
import { recorderAt } from '../../support/table/recorder-at.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const through = useFaultyProxy(table);
const { proxy } = through;

const tries = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const aClick = () => ({ publicKey: program.publicKey, slug: advocate.slug, clickId: newId(), subId: 'news' });

test('of 20 equal clicks at once exactly one is recorded, the others are known', async () => {
  const click = aClick();
  const recorders = Array.from({ length: 20 }, () => recorderAt(table).record);
  const outcomes = await Promise.all(recorders.map((record) => record(click)));
  expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'known')).toHaveLength(19);
});

describe('a click while the table fails', () => {
  const times = (count: number, fault: Fault): Fault[] => Array(count).fill(fault);

  test('is recorded if only the response was lost', async () => {
    const { record } = recorderAt(through.faulty);
    const click = aClick();
    proxy.next('PutItem', 'lose');
    expect(await record(click)).toBe('recorded');
    expect(tries('PutItem')).toBe(2);
    expect(await record(click)).toBe('known');
  });

  test('is known if it was recorded before, although the first attempt failed', async () => {
    const { record, pass } = recorderAt(through.faulty);
    const click = aClick();
    await record(click);
    pass(1000);
    proxy.next('PutItem', refusal('InternalServerError', {}, 500));
    expect(await record(click)).toBe('known');
    expect(tries('PutItem')).toBe(3);
  });

  test('waits for a transaction on its row, such as its own conversion', async () => {
    const { record } = recorderAt(through.faulty);
    proxy.next('PutItem', ...times(5, refusal('TransactionConflictException')));
    expect(await record(aClick())).toBe('recorded');
    expect(tries('PutItem')).toBe(6);
  });

  test('is Unavailable if transactions hold its row forever', async () => {
    const { record } = recorderAt(through.faulty);
    proxy.next('PutItem', ...times(6, refusal('TransactionConflictException')));
    await expect(record(aClick())).rejects.toThrow(Unavailable);
    expect(tries('PutItem')).toBe(6);
  });

  test.each(['BatchGetItem', 'PutItem'])('for good is Unavailable and not recorded: %s', async (call) => {
    const { record } = recorderAt(through.faulty);
    const click = aClick();
    proxy.next(call, ...times(3, 'drop'));
    await expect(record(click)).rejects.toThrow(Unavailable);
    expect(await storedReferral(table, program, click.clickId)).toBeUndefined();
    expect(await record(click)).toBe('recorded');
  });

  test('reads again what a batch left unprocessed', async () => {
    const { record } = recorderAt(through.faulty);
    proxy.next('BatchGetItem', 'leave unprocessed');
    expect(await record(aClick())).toBe('recorded');
    expect(tries('BatchGetItem')).toBe(2);
  });
});
