import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Customer } from '../../../functions/domain/referral/referral.ts';
import type { State } from '../../../functions/domain/referral/state.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { findReferralId } from '../../../functions/table/referrals/customers.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { metered } from '../../support/meter.ts';
import { anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { aReferralIn, set } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { atTime } from '../../support/table.ts';
import { useCountingTable } from '../../support/use-table.ts';

const table = useCountingTable();
let program: Program;
let advocate: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
});

let elapsed = 0;

/**
 * Measures setting the state of a customer's referral, as the route does, a minute after the previous call, whether it
 * succeeds or is rejected.
 */
const setStateOf = (customer: Customer, state: State) =>
  metered(table, async () => {
    elapsed += 60_000;
    const id = await findReferralId(table, program.id, { id: null, ...customer });
    const later = atTime(table, () => milliseconds(Date.now() + elapsed));
    const [result] = await Promise.allSettled([set(later, program, id, state)]);
    return result;
  });

describe('the capacity of a state change', () => {
  // The row, its entry in the list by creation, and a deletion and an insertion in each list by state and by state time.
  test.each([
    ['by email', null, 'email', 2, 8],
    ['by uid', null, 'uid', 2, 8],
    ['by both', null, 'both', 3, 8],
    ['with a sub id', 'newsletter', 'email', 2, 9],
  ])('a state change uses two reads and a put: %s', async (_, subId, by, readUnits, writeUnits) => {
    const customer = { email: anEmail(), customerUid: newId() };
    await aReferral(table, program, advocate, { ...customer, subId });
    const reading = await setStateOf(
      { email: by === 'uid' ? null : customer.email, uid: by === 'email' ? null : customer.customerUid },
      'paid',
    );
    expect(reading).toMatchObject({ result: { status: 'fulfilled' }, requests: 3, readUnits, writeUnits });
  });

  test('a state change to every state uses two reads and a put', async () => {
    const { email } = await aReferral(table, program, advocate);
    for (const state of ['paid', 'churned', 'paid', 'rejected', 'converted'] as const) {
      expect(await setStateOf({ email, uid: null }, state)).toMatchObject({ requests: 3, writeUnits: 8 });
    }
  });

  test('a state change with the longest history uses one more read unit', async () => {
    const { email, id } = await aReferral(table, program, advocate, { subId: 'newsletter' });
    for (let turn = 0; turn < 101; turn += 1) await set(table, program, id, turn % 2 ? 'churned' : 'paid');
    const reading = await setStateOf({ email, uid: null }, 'churned');
    expect(reading.requests).toBe(3);
    expect(reading.readUnits).toBe(3);
    // The row with 100 history entries costs one unit per kilobyte.
    expect(reading.writeUnits).toBe(14);
  });
});

test.each([
  ['is already set', 'paid', 'fulfilled'],
  ['is not allowed', 'converted', 'rejected'],
] as const)('a state that %s uses only the reads', async (_, state, status) => {
  const { email } = await aReferralIn(table, program, advocate, 'paid');
  const reading = await setStateOf({ email, uid: null }, state);
  expect(reading).toMatchObject({ result: { status }, requests: 2, readUnits: 2, writeUnits: 0 });
});

test('an unknown customer uses one read', async () => {
  const reading = await metered(table, () =>
    Promise.allSettled([findReferralId(table, program.id, { id: null, email: anEmail(), uid: null })]),
  );
  expect(reading).toMatchObject({ requests: 1, readUnits: 1, writeUnits: 0 });
});

test('an erasure uses one read and one transaction; a repetition uses only the read', async () => {
  const by = { slug: advocate.slug, clickId: newId() };
  const { referral } = await track(table, program, { by, uid: newId(), key: newId() });
  const erase = () => metered(table, () => eraseReferral(table, program.id, referral.id, 'operator'));
  // The row, two claims and the idempotency record in a transaction, and the row in four indexes.
  expect(await erase()).toMatchObject({ requests: 2, readUnits: 1, writeUnits: 12 });
  expect(await erase()).toMatchObject({ requests: 1, readUnits: 1, writeUnits: 0 });
});

test('an erasure by email, of a referral without a uid, uses 8 write units', async () => {
  const { email } = await aReferral(table, program, advocate);
  const reading = await metered(table, async () => {
    const id = await findReferralId(table, program.id, { id: null, email, uid: null });
    return eraseReferral(table, program.id, id, 'operator');
  });
  expect(reading).toMatchObject({ requests: 3, readUnits: 2, writeUnits: 8 });
});
