import { describe, expect, test } from '@jest/globals';
import { seconds } from '../../../functions/kernel/time.ts';
import { addProviderCustomer } from '../../../functions/referrals/rules/provider-changes.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { erasePerson, setState } from '../../../functions/referrals/rules/referral-changes.ts';
import { eventsBetween, eventsOf } from '../../../functions/referrals/rules/referral-event.ts';
import { applyEvent, isMismatched, type ProviderEvent } from '../../../functions/stripe/rules/provider-event.ts';
import { aConversion } from '../../referrals/unit/situations.ts';
import { NOW } from '../../support/samples.ts';

const at = (offset: number) => seconds(NOW + offset);
const event = (state: ProviderEvent['state'], offset: number): ProviderEvent => ({
  ...{ id: `evt_${state}_${offset}`, createdAt: at(offset), state, isCheckout: false, payment: null, checkoutId: null },
  promotions: [],
  apiVersion: null,
  customer: { uid: null, providerId: 'cus_1', email: null, grId: null },
});

/** Applies an event to which the referral must not be closed. */
function apply(before: Referral, change: ProviderEvent, claim: string | null = null): Referral {
  const after = applyEvent(before, change, claim, NOW);
  if (typeof after === 'string') throw new Error(`The event was ignored: ${after}.`);
  return after;
}

describe('the time of the latest event', () => {
  test('the time of the latest event does not go back with a refund, which rejects whatever its age', () => {
    const rejected = apply(apply(aConversion(), event('paid', 3)), event('rejected', 1));
    expect(rejected).toMatchObject({ state: 'rejected', provider: { latest: { createdAt: at(3), state: 'paid' } } });
    // The merchant restores the referral: the events since then count.
    const restored = setState(rejected, 'converted', 'merchant', NOW);
    expect(applyEvent(restored, event('churned', 2), null, NOW)).toBe('stale');
    expect(apply(restored, event('churned', 3))).toMatchObject({ state: 'churned' });
  });

  test('the time of the latest event does not move with a change of another actor', () => {
    const churned = setState(apply(aConversion(), event('paid', 1)), 'churned', 'merchant', at(9));
    expect(apply(churned, event('paid', 2))).toMatchObject({ state: 'paid' });
  });
});

test('a rejected referral is not changed', () => {
  const rejected = setState(aConversion(), 'rejected', 'merchant', NOW);
  expect(applyEvent(rejected, event('paid', 1), null, NOW)).toBe('refused_transition');
  expect(applyEvent(rejected, event('churned', 1), null, NOW)).toBe('refused_transition');
  expect(apply(rejected, event('rejected', 1)).history).toEqual(rejected.history);
});

test.each(['converted', 'paid', 'churned', 'rejected'] as const)(
  'a checkout without a payment does nothing to a known customer who is %s',
  (state) => {
    const known = setState(aConversion(), state, 'merchant', NOW);
    for (const offset of [-1, 1])
      expect(applyEvent(known, event('converted', offset), null, NOW)).toBe('nothing_to_do');
  },
);

test('an erased person is not matched', () => {
  const erased = erasePerson(apply(aConversion(), event('paid', 1), 'claim'), 'operator', NOW);
  expect(erased.provider?.customers).toEqual([]);
  expect(applyEvent(erased, event('churned', 2), null, NOW)).toBe('erased');
  expect(addProviderCustomer(erased, 'claim')).toBe(erased);
});

describe('customers of the provider', () => {
  const claims = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `claim ${from + index}`);

  test('a referral stores the last 20 customers of the provider', () => {
    let referral = aConversion();
    for (const [index, claim] of claims(0, 25).entries()) referral = apply(referral, event('paid', index), claim);
    expect(referral.provider?.customers).toEqual(claims(5, 25));
    expect(addProviderCustomer(referral, 'claim 25').provider?.customers).toEqual(claims(6, 26));
  });
});

describe('an event and a referral', () => {
  const [SAME, OTHER] = ['same', 'other'];
  const uids = [null, SAME, OTHER];
  const customers = [[], [SAME], [OTHER], [OTHER, SAME]];
  const pairs = uids.flatMap((known) =>
    customers.flatMap((names) =>
      [null, SAME].flatMap((uid) => [null, SAME].map((claim) => ({ known, names, uid, claim }))),
    ),
  );

  test.each(pairs)(
    'an event and a referral are mismatched only if both know different ones of a kind: %j',
    ({ known, names, uid, claim }) => {
      const provider = { customers: names, latest: null, silentWrites: 0 };
      const customer = { uid, providerId: claim, email: null, grId: null };
      const differ = (uid === SAME && known === OTHER) || (claim === SAME && names.join() === OTHER);
      expect(isMismatched({ ...aConversion(), customerUid: known, provider }, customer, claim)).toBe(differ);
      if (names.length > 0) return;
      expect(isMismatched({ ...aConversion(), customerUid: known, provider: null }, customer, claim)).toBe(differ);
    },
  );
});

test('writes that add no entry to the history do not change the numbers of events', () => {
  let referral = aConversion();
  let changes = 1;
  for (let turn = 0; turn < 130; turn += 1) {
    const state = Math.floor(turn / 2) % 2 ? 'churned' : 'paid';
    const before = referral;
    referral = apply(before, event(state, turn));
    // Each state is set twice; the second time changes nothing but the memory.
    const isQuiet = turn % 2 === 1;
    changes += isQuiet ? 0 : 1;
    const added = eventsBetween(before, referral);
    expect(added.map(({ id }) => id)).toEqual(isQuiet ? [] : [`${referral.id}.${changes}`]);
    expect(referral.version).toBe(turn + 2);
  }
  // 65 changes and the conversion.
  expect(eventsOf(referral).at(-1)?.id).toBe(`${referral.id}.66`);
  for (let turn = 0; turn < 60; turn += 1) referral = apply(referral, event(turn % 2 ? 'paid' : 'churned', 200 + turn));
  expect(referral.history).toHaveLength(100);
  expect(eventsOf(referral).at(-1)?.id).toBe(`${referral.id}.126`);
  const quiet = apply(referral, event('paid', 900));
  expect(eventsOf(quiet)).toEqual(eventsOf(referral));
});
