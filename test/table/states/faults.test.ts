import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { eraseReferral } from '../../../functions/table/referrals.ts';
import { cancellation, type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aReferral } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { allItems, itemsOf, within } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const through = useFaultyProxy(table);
const { proxy } = through;

const times = (count: number, fault: Fault): Fault[] => Array(count).fill(fault);
const tries = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const erase = (id: string) => eraseReferral(through.faulty, program.id, id);

async function unchanged(work: () => Promise<unknown>): Promise<void> {
  const before = await allItems(table);
  await work();
  expect(await allItems(table)).toEqual(before);
}

describe('a state', () => {
  test('whose response was lost is in the history once', async () => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next('PutItem', 'lose');
    const after = await set(through.faulty, program, id, 'paid');
    expect(after.history.map(({ state }) => state)).toEqual(['converted', 'paid']);
    expect(await storedReferral(table, program, id)).toEqual(after);
    expect(tries('PutItem')).toBe(2);
  });

  test('is tried 6 times while others write, and is then Unavailable', async () => {
    const { id } = await aReferral(table, program, advocate);
    const conflict = refusal('ConditionalCheckFailedException');
    proxy.next('PutItem', ...times(5, conflict));
    expect(await set(through.faulty, program, id, 'paid')).toMatchObject({ state: 'paid', version: 2 });
    expect([tries('GetItem'), tries('PutItem')]).toEqual([6, 6]);
    proxy.reset();
    proxy.next('PutItem', ...times(6, conflict));
    await unchanged(() => expect(set(through.faulty, program, id, 'churned')).rejects.toThrow(Unavailable));
    expect([tries('GetItem'), tries('PutItem')]).toEqual([6, 6]);
  });

  test.each(['GetItem', 'PutItem'])('is Unavailable if %s always fails or never responds', async (call) => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next(call, ...times(3, refusal('InternalServerError', {}, 500)));
    await unchanged(() => expect(set(through.faulty, program, id, 'paid')).rejects.toThrow(Unavailable));
    proxy.next(call, ...times(10, 'hang'));
    const late = () => set(within(through.faulty, 300), program, id, 'paid');
    await unchanged(() => expect(late()).rejects.toThrow(Unavailable));
  });
});

describe('an erasure', () => {
  test('whose response was lost does not conflict with itself', async () => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next('TransactWriteItems', 'lose');
    expect(await erase(id)).toMatchObject({ email: expect.any(String) });
    expect(await storedReferral(table, program, id)).toMatchObject({ email: null, version: 2 });
    expect(tries('TransactWriteItems')).toBe(2);
  });

  test('is tried 6 times while others write, and is then Unavailable', async () => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next('TransactWriteItems', ...times(6, cancellation('None', 'ConditionalCheckFailed')));
    await unchanged(() => expect(erase(id)).rejects.toThrow(Unavailable));
    expect([tries('GetItem'), tries('TransactWriteItems')]).toEqual([6, 6]);
  });

  test('that failed in between erases nothing', async () => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next('TransactWriteItems', ...times(20, 'drop'));
    await unchanged(() => expect(erase(id)).rejects.toThrow(Unavailable));
    proxy.reset();
    await erase(id);
    expect(expectConsistent(await itemsOf(table, program), program).find((row) => row.id === id)?.email).toBeNull();
  });
});
