import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Customer } from '../../../functions/domain/referral.ts';
import type { State } from '../../../functions/domain/state.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { eraseReferral, findReferralId } from '../../../functions/table/referrals.ts';
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

let passed = 0;

/**
 * Sets the state of a customer's referral, as the route does, some time after its last one; a refusal is as good a
 * result as an answer.
 */
const setStateOf = (customer: Customer, state: State) =>
  metered(table, async () => {
    passed += 60_000;
    const id = await findReferralId(table, program.id, customer);
    const later = atTime(table, () => milliseconds(Date.now() + passed));
    const [result] = await Promise.allSettled([set(later, program, id, state)]);
    return result;
  });

describe('a change of state takes two reads and a put', () => {
  // The row, its list by creation, and one that goes and one that comes in each of the lists by state and by its time.
  test.each([
    ['by email', null, 'email', 2, 6],
    ['by uid', null, 'uid', 2, 6],
    ['by both', null, 'both', 3, 6],
    ['with a sub id', 'newsletter', 'email', 2, 7],
  ])('%s', async (_, subId, by, readUnits, writeUnits) => {
    const customer = { email: anEmail(), customerUid: newId() };
    await aReferral(table, program, advocate, { ...customer, subId });
    const reading = await setStateOf(
      { email: by === 'uid' ? null : customer.email, uid: by === 'email' ? null : customer.customerUid },
      'paid',
    );
    expect(reading).toMatchObject({ result: { status: 'fulfilled' }, requests: 3, readUnits, writeUnits });
  });

  test('whatever the state', async () => {
    const { email } = await aReferral(table, program, advocate);
    for (const state of ['paid', 'churned', 'paid', 'rejected', 'converted'] as const) {
      expect(await setStateOf({ email, uid: null }, state)).toMatchObject({ requests: 3, writeUnits: 6 });
    }
  });

  test('and one read unit more at most for the longest history', async () => {
    const { email, id } = await aReferral(table, program, advocate, { subId: 'newsletter' });
    for (let turn = 0; turn < 101; turn += 1) await set(table, program, id, turn % 2 ? 'churned' : 'paid');
    const reading = await setStateOf({ email, uid: null }, 'churned');
    expect(reading.requests).toBe(3);
    expect(reading.readUnits).toBeLessThanOrEqual(3);
    // The row of 100 entries takes as many units as it has kilobytes.
    expect(reading.writeUnits).toBeLessThanOrEqual(12);
  });
});

test.each([
  ['is there already', 'paid', 'fulfilled'],
  ['cannot follow', 'converted', 'rejected'],
] as const)('a state that %s takes the reads alone', async (_, state, status) => {
  const { email } = await aReferralIn(table, program, advocate, 'paid');
  const reading = await setStateOf({ email, uid: null }, state);
  expect(reading).toMatchObject({ result: { status }, requests: 2, readUnits: 2, writeUnits: 0 });
});

test('an unknown customer takes one read', async () => {
  const reading = await metered(table, () =>
    Promise.allSettled([findReferralId(table, program.id, { email: anEmail(), uid: null })]),
  );
  expect(reading).toMatchObject({ requests: 1, readUnits: 1, writeUnits: 0 });
});

test('an erasure takes one read and one transaction, and none the second time', async () => {
  const by = { slug: advocate.slug, clickId: newId() };
  const { referral } = await track(table, program, { by, uid: newId(), key: newId() });
  const erase = () => metered(table, () => eraseReferral(table, program.id, referral.id));
  expect(await erase()).toMatchObject({ requests: 2, readUnits: 1 });
  expect(await erase()).toMatchObject({ requests: 1, readUnits: 1, writeUnits: 0 });
});
