import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { ReferralNotFound, StateRefused } from '../../../functions/domain/errors.ts';
import type { Cause, State } from '../../../functions/domain/referral/state.ts';
import { milliseconds, seconds } from '../../../functions/domain/time.ts';
import { transitionCondition } from '../../../functions/table/dynamodb/conditions.ts';
import { toReferralItem } from '../../../functions/table/referrals/referral-item.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { statesIn } from '../../support/table/consistency.ts';
import { aReferralIn, set, storedReferral } from '../../support/table/situations.ts';
import { listed } from '../../support/table/track.ts';
import { allItems, atTime } from '../../support/table.ts';
import { ALL_STATES, PAIRS, SITUATIONS, stateOf } from '../../support/transitions.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();

const later = atTime(table, () => milliseconds((now() + 3600) * 1000));

async function expectUnchanged(work: () => Promise<unknown>): Promise<void> {
  const before = await allItems(table);
  await work();
  expect(await allItems(table)).toEqual(before);
}

describe('state changes', () => {
  test.each(PAIRS)('setting $to on a referral in the state $from: $outcome', async ({ from, to, outcome }) => {
    const before = await aReferralIn(table, program, advocate, from);
    const setState = () => set(later, program, before.id, to);
    if (outcome === 'refused') await expectUnchanged(() => expect(setState()).rejects.toThrow(StateRefused));
    else if (outcome === 'kept') await expectUnchanged(async () => expect(await setState()).toEqual(before));
    else {
      const after = await setState();
      expect(after).toMatchObject({ id: before.id, state: to, version: before.version + 1 });
      expect(after.history).toEqual([
        ...before.history,
        { type: 'state', state: to, setAt: after.stateSetAt, by: 'merchant' },
      ]);
      expect(after.stateSetAt).toBeGreaterThanOrEqual(before.stateSetAt + 3600);
      expect(await storedReferral(table, program, before.id)).toEqual(after);
    }
  });

  test.each([
    ['an unknown id', () => program, async () => newId()],
    [
      "another program's referral id",
      () => program,
      async () => {
        const other = await aProgram(table);
        return (await aReferral(table, other, await anAdvocate(table, other))).id;
      },
    ],
  ])('setting a state with %s throws ReferralNotFound and writes nothing', async (_, of, make) => {
    const id = await make();
    await expectUnchanged(() => expect(set(table, of(), id, 'paid')).rejects.toThrow(ReferralNotFound));
  });

  test('setting a state moves the referral to the list of the new state', async () => {
    const own = await anAdvocate(table, program);
    const { id } = await aReferral(table, program, own, { subId: 'news' });
    const inLists = async () => {
      const found = ALL_STATES.map(async (state) => {
        const rows = [
          await listed(table, program, own.slug, { state }),
          await listed(table, program, own.slug, { state, subId: 'news' }),
        ];
        return rows.every(([row]) => row?.id === id) ? [state] : [];
      });
      return (await Promise.all(found)).flat();
    };
    for (const state of ['paid', 'churned', 'rejected', 'converted'] as const) {
      const { stateSetAt } = await set(table, program, id, state);
      expect(await inLists()).toEqual([state]);
      const range = { from: stateSetAt, to: seconds(stateSetAt + 1) };
      expect(await listed(table, program, own.slug, { stateSetAt: range })).toMatchObject([{ id, state }]);
    }
  });

  test('setting a click to rejected removes it from the list of clicks and keeps its expiry', async () => {
    const own = await anAdvocate(table, program);
    const click = await aClick(table, program, own, { subId: 'news' });
    await set(table, program, click.id, 'rejected');
    expect(await listed(table, program, own.slug, { state: 'clicked', subId: 'news' })).toEqual([]);
    expect(await listed(table, program, own.slug)).toMatchObject([{ id: click.id, email: null }]);
    expect(await storedReferral(table, program, click.id)).toMatchObject({ expiresAt: click.expiresAt });
  });
});

/** The writes that the conditions allow, written by hand. `nothing` is an item that does not exist. */
const ALLOWED: Record<Cause, (from: string, to: State) => boolean> = {
  click: (from, to) => from === 'nothing' && to === 'clicked',
  conversion: (from, to) => ['nothing', 'clicked'].includes(from) && to === 'converted',
  update: (from, to) => PAIRS.some((pair) => pair.from === from && pair.to === to && pair.outcome === 'set'),
};

describe('the condition of a write', () => {
  const TRANSITIONS = (['click', 'conversion', 'update'] as const).flatMap((cause) =>
    ALL_STATES.filter((to) => ['nothing', ...SITUATIONS].some((from) => ALLOWED[cause](from, to))).map(
      (to) => [cause, to] as const,
    ),
  );

  test.each(TRANSITIONS)('the condition allows exactly the transitions of the rules: %s to %s', async (cause, to) => {
    for (const from of ['nothing', ...SITUATIONS] as const) {
      const before =
        from === 'nothing'
          ? { ...(await aReferral(table, program, advocate)), id: newId() }
          : await aReferralIn(table, program, advocate, from);
      const put = new PutCommand({
        TableName: table.name,
        Item: toReferralItem(program.id, { ...before, state: to, email: null }),
        ...transitionCondition(cause, to),
      });
      const [result] = await Promise.allSettled([table.client.send(put)]);
      const isWritten = result?.status === 'fulfilled';
      expect([from, isWritten]).toEqual([from, ALLOWED[cause](from, to)]);
      if (!isWritten) expect(result.reason).toBeInstanceOf(ConditionalCheckFailedException);
      const stored = await storedReferral(table, program, before.id);
      const previous = from === 'nothing' ? undefined : stateOf(from);
      expect(stored?.state).toBe(isWritten ? to : previous);
    }
  });
});

describe('changes between the read and the write of a state', () => {
  test('a concurrent change is read again, and the new state is set after it', async () => {
    const { id } = await aReferral(table, program, advocate);
    beforeNext(table, 'PutItemCommand', () => set(table, program, id, 'paid'));
    const after = await set(table, program, id, 'churned');
    expect(statesIn(after.history)).toEqual(['converted', 'paid', 'churned']);
    expect(await storedReferral(table, program, id)).toEqual(after);
  });

  test('a concurrent change causes StateRefused if the new state is no longer allowed', async () => {
    const { id } = await aReferral(table, program, advocate);
    beforeNext(table, 'PutItemCommand', () => set(table, program, id, 'rejected'));
    await expect(set(table, program, id, 'paid')).rejects.toThrow(StateRefused);
    expect(await storedReferral(table, program, id)).toMatchObject({ state: 'rejected', version: 2 });
  });

  test('a concurrent change to the same state adds no second history entry', async () => {
    const { id } = await aReferral(table, program, advocate);
    beforeNext(table, 'PutItemCommand', () => set(table, program, id, 'paid'));
    expect(await set(table, program, id, 'paid')).toMatchObject({ state: 'paid', version: 2 });
  });

  test('a concurrent change that restores the state is not overwritten, because the version differs', async () => {
    const { id } = await aReferral(table, program, advocate);
    beforeNext(table, 'PutItemCommand', async () => {
      await set(table, program, id, 'rejected');
      await set(table, program, id, 'converted');
    });
    const after = await set(table, program, id, 'paid');
    expect(statesIn(after.history)).toEqual(['converted', 'rejected', 'converted', 'paid']);
  });
});
