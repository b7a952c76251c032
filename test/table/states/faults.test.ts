import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { cancellation, type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aReferral } from '../../support/program.ts';
import { expectConsistent, statesIn } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { allItems, itemsOf, untilLate, within } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;

const times = (count: number, fault: Fault): Fault[] => Array(count).fill(fault);
const attempts = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const erase = (id: string, at = proxied.faulty) => eraseReferral(at, program.id, id, 'operator');
const withoutPauses = () => proxied.faulty.but({ pause: async () => undefined });

async function expectUnchanged(work: () => Promise<unknown>): Promise<void> {
  const before = await allItems(table);
  await work();
  expect(await allItems(table)).toEqual(before);
}

describe('state changes', () => {
  test('a state change adds one entry to the history if its response is lost', async () => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next('PutItem', 'lose');
    const after = await set(proxied.faulty, program, id, 'paid');
    expect(statesIn(after.history)).toEqual(['converted', 'paid']);
    expect(await storedReferral(table, program, id)).toEqual(after);
    expect(attempts('PutItem')).toBe(2);
  });

  test('a state change starts again for as long as other writes come first', async () => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next('PutItem', ...times(20, refusal('ConditionalCheckFailedException')));
    expect(await set(withoutPauses(), program, id, 'paid')).toMatchObject({ state: 'paid', version: 2 });
    expect([attempts('GetItem'), attempts('PutItem')]).toEqual([21, 21]);
  });

  test('a state change throws Unavailable at the deadline if other writes come first until then', async () => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next('PutItem', ...times(20, refusal('ConditionalCheckFailedException')));
    const late = untilLate(proxied.faulty, () => attempts('PutItem') === 9);
    await expectUnchanged(() => expect(set(late, program, id, 'churned')).rejects.toThrow(Unavailable));
    expect([attempts('GetItem'), attempts('PutItem')]).toEqual([9, 9]);
  });

  test.each(['GetItem', 'PutItem'])(
    'a state change throws Unavailable if %s always fails or never responds',
    async (call) => {
      const { id } = await aReferral(table, program, advocate);
      proxy.next(call, ...times(3, refusal('InternalServerError', {}, 500)));
      await expectUnchanged(() => expect(set(proxied.faulty, program, id, 'paid')).rejects.toThrow(Unavailable));
      proxy.next(call, ...times(10, 'hang'));
      const withDeadline = () => set(within(proxied.faulty, 300), program, id, 'paid');
      await expectUnchanged(() => expect(withDeadline()).rejects.toThrow(Unavailable));
    },
  );
});

describe('erasures', () => {
  test('an erasure does not conflict with itself if its response is lost', async () => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next('TransactWriteItems', 'lose');
    expect(await erase(id)).toMatchObject({ email: expect.any(String) });
    expect(await storedReferral(table, program, id)).toMatchObject({ email: null, version: 2 });
    expect(attempts('TransactWriteItems')).toBe(2);
  });

  test('an erasure starts again for as long as other writes come first', async () => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next('TransactWriteItems', ...times(20, cancellation('None', 'ConditionalCheckFailed')));
    expect(await erase(id, withoutPauses())).toMatchObject({ email: expect.any(String) });
    expect([attempts('GetItem'), attempts('TransactWriteItems')]).toEqual([21, 21]);
    expect(await storedReferral(table, program, id)).toMatchObject({ email: null, version: 2 });
  });

  test('an erasure changes nothing if its transaction fails, and can be repeated', async () => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next('TransactWriteItems', ...times(20, 'drop'));
    await expectUnchanged(() => expect(erase(id)).rejects.toThrow(Unavailable));
    proxy.reset();
    await erase(id);
    expect(expectConsistent(await itemsOf(table, program), program).find((row) => row.id === id)?.email).toBeNull();
  });
});
