import { expect, test } from '@jest/globals';
import { demoPrograms, MOVED_CUSTOMER } from '../../../bin/local/demo/data.ts';
import { STATES } from '../../../functions/domain/referral/state.ts';

const programs = demoPrograms();
const advocates = programs.flatMap((program) => program.advocates);
const referrals = programs.flatMap((program) => program.referrals);

test('the demo is the same on every call', () => {
  expect(demoPrograms()).toEqual(programs);
});

test('the demo has at least two programs, thirty advocates and four hundred referrals', () => {
  expect(programs.length).toBeGreaterThanOrEqual(2);
  expect(advocates.length).toBeGreaterThanOrEqual(30);
  expect(referrals.length).toBeGreaterThanOrEqual(400);
});

test('the demo has every state, several sub ids and almost two years', () => {
  expect(new Set(referrals.map(({ state }) => state))).toEqual(new Set(STATES));
  expect(new Set(referrals.map(({ subId }) => subId)).size).toBeGreaterThan(3);
  const days = referrals.map(({ createdAt }) => createdAt / 86_400);
  expect(Math.max(...days) - Math.min(...days)).toBeGreaterThan(600);
});

test('the demo has self-referrals and moves, and proposes a moved customer for a lookup', () => {
  const [main] = programs;
  const flagged = main?.referrals.filter(({ flags }) => flags.includes('self_referral')) ?? [];
  expect(flagged.length).toBeGreaterThan(2);
  expect(flagged.some(({ advocateSlug }) => advocateSlug === main?.advocates[0]?.slug)).toBe(true);
  const moved = main?.referrals.filter(({ history }) => history.some(({ type }) => type === 'reassignment')) ?? [];
  expect(moved.map(({ email }) => email)).toContain(MOVED_CUSTOMER);
});

test('the ids, slugs and emails of the demo are unique, and its times are in order', () => {
  for (const program of programs) {
    expect(new Set(program.advocates.map(({ slug }) => slug)).size).toBe(program.advocates.length);
    const emails = program.referrals.flatMap(({ email }) => email ?? []);
    expect(new Set(emails).size).toBe(emails.length);
  }
  expect(new Set(referrals.map(({ id }) => id)).size).toBe(referrals.length);
  for (const { createdAt, stateSetAt, updatedAt } of referrals) {
    expect(createdAt).toBeLessThanOrEqual(stateSetAt);
    expect(stateSetAt).toBeLessThanOrEqual(updatedAt);
  }
});
