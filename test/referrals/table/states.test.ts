import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { ReferralNotFound, StateRefused } from '../../../functions/kernel/errors.ts';
import { milliseconds, secondOf } from '../../../functions/kernel/time.ts';
import type { Cause, State } from '../../../functions/referrals/rules/state.ts';
import { toReferralItem } from '../../../functions/referrals/table/referral-item.ts';
import { eraseReferral } from '../../../functions/referrals/table/referrals.ts';
import { transitionCondition } from '../../../functions/referrals/table/transition-condition.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { anInvoice } from '../../support/stripe/stripe.ts';
import { expectConsistent, statesIn } from '../../support/table/consistency.ts';
import { aReferralIn, set, storedReferral } from '../../support/table/situations.ts';
import { track } from '../../support/table/track.ts';
import { atTime, itemsOf } from '../../support/table.ts';
import { ALL_STATES, PAIRS, SITUATIONS, stateOf } from '../../support/transitions.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;

const later = atTime(table, () => milliseconds((now() + 3600) * 1000));

describe('state changes', () => {
  test.each(['set', 'kept', 'refused'] as const)('the rule of a change decides: %s', async (outcome) => {
    // `test/referrals/unit/state.test.ts` has the rule of each pair.
    const { from, to } = PAIRS.find((pair) => pair.outcome === outcome) ?? { from: 'converted', to: 'paid' };
    const before = await aReferralIn(table, program, advocate, from);
    const setState = () => set(later, program, before.id, to);
    if (outcome === 'refused') await expectUnchanged(table, () => expect(setState()).rejects.toThrow(StateRefused));
    else if (outcome === 'kept') await expectUnchanged(table, async () => expect(await setState()).toEqual(before));
    else {
      const after = await setState();
      expect(after).toMatchObject({ id: before.id, state: to, version: before.version + 1 });
      const entry = { type: 'state', state: to, setAt: after.stateSetAt, by: 'merchant' };
      expect(after.history).toEqual([...before.history, entry]);
      expect(after.stateSetAt).toBeGreaterThanOrEqual(before.stateSetAt + 3600);
      expect(await storedReferral(table, program, before.id)).toEqual(after);
    }
  });

  test('setting a state of an unknown id throws ReferralNotFound and writes nothing', async () => {
    await expectUnchanged(table, () => expect(set(table, program, newId(), 'paid')).rejects.toThrow(ReferralNotFound));
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
    const own = await aProgram(table);
    for (const from of ['nothing', ...SITUATIONS] as const) {
      const before =
        from === 'nothing'
          ? { ...(await aReferral(table, own, advocate)), id: newId() }
          : await aReferralIn(table, own, advocate, from);
      const put = new PutCommand({
        TableName: table.name,
        Item: toReferralItem(own.id, { ...before, state: to, email: null }),
        ...transitionCondition(cause, to),
      });
      const [result] = await Promise.allSettled([table.client.send(put)]);
      const isWritten = result?.status === 'fulfilled';
      expect([from, isWritten]).toEqual([from, ALLOWED[cause](from, to)]);
      if (!isWritten) expect(result.reason).toBeInstanceOf(ConditionalCheckFailedException);
      const stored = await storedReferral(table, own, before.id);
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
});

test('a click that is rejected during its conversion stays rejected, and the customer gets a separate referral', async () => {
  const click = await aClick(table, program, advocate);
  const input = { by: { slug: advocate.slug, clickId: click.id }, newId: newId(), key: newId() };
  beforeNext(table, 'TransactWriteItemsCommand', () => set(table, program, click.id, 'rejected'));
  expect(await track(table, program, input)).toMatchObject({ replayed: false, referral: { id: input.newId } });
  expect(await storedReferral(table, program, click.id)).toMatchObject({ state: 'rejected', email: null });
  expectConsistent(await itemsOf(table, program), program);
});

test('a click that converts while it is being rejected becomes a rejected referral that can be restored', async () => {
  const click = await aClick(table, program, advocate);
  const by = { slug: advocate.slug, clickId: click.id };
  beforeNext(table, 'PutItemCommand', () => track(table, program, { by }));
  const { history } = await set(table, program, click.id, 'rejected');
  expect(statesIn(history)).toEqual(['clicked', 'converted', 'rejected']);
  expect(await set(table, program, click.id, 'converted')).toMatchObject({ state: 'converted' });
  expectConsistent(await itemsOf(table, program), program);
});

const RESTORED = ['converted', 'rejected', 'converted'];

test('a restored state is written although its entry repeats the first one and a silent write comes before it', async () => {
  const moment = milliseconds(Date.now());
  const at = atTime(table, () => moment);
  const { id, email } = await aReferral(table, program, advocate, { createdAt: secondOf(moment) });
  await set(at, program, id, 'rejected');
  // The referral learns the customer at Stripe.
  const invoice = anInvoice({ email: email ?? '', customer: 'cus_1' });
  beforeNext(table, 'PutItemCommand', () => applyStripeEvent(at, program, invoice));
  await set(at, program, id, 'converted');
  expect(statesIn((await storedReferral(table, program, id))?.history ?? [])).toEqual(RESTORED);
});

const attempts = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const erase = (id: string, at = proxied.faulty) => eraseReferral(at, program.id, id, 'operator');

test('a state change adds one entry to the history if its response is lost', async () => {
  const { id } = await aReferral(table, program, advocate);
  proxy.next('PutItem', 'lose');
  const after = await set(proxied.faulty, program, id, 'paid');
  expect(statesIn(after.history)).toEqual(['converted', 'paid']);
  expect(await storedReferral(table, program, id)).toEqual(after);
  expect(attempts('PutItem')).toBe(2);
});

test('an erasure does not conflict with itself if its response is lost', async () => {
  const { id } = await aReferral(table, program, advocate);
  proxy.next('TransactWriteItems', 'lose');
  expect(await erase(id)).toMatchObject({ email: expect.any(String) });
  expect(await storedReferral(table, program, id)).toMatchObject({ email: null, version: 2 });
  expect(attempts('TransactWriteItems')).toBe(2);
});
