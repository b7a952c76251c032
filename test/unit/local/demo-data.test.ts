import { expect, test } from '@jest/globals';
import { demoPrograms, MOVED_CUSTOMER } from '../../../bin/local/demo/data.ts';
import { isConvertible } from '../../../functions/domain/referral/referral.ts';
import { STATES } from '../../../functions/domain/referral/state.ts';
import { DAY, seconds } from '../../../functions/domain/time.ts';

const programs = demoPrograms();
const advocates = programs.flatMap((program) => program.advocates);
const referrals = programs.flatMap((program) => program.referrals);

test('the demo is the same on every execution', () => {
  expect(demoPrograms()).toEqual(programs);
});

test('only the clicks of the demo depend on when it is stored, and their number does not', () => {
  const later = demoPrograms(seconds(Date.UTC(2030, 0, 1) / 1000));
  const withoutClicks = (all: typeof programs) =>
    all.map((one) => ({ ...one, referrals: one.referrals.filter(({ state }) => state !== 'clicked') }));
  expect(withoutClicks(later)).toEqual(withoutClicks(programs));
  expect(later.map((one) => one.referrals.length)).toEqual(programs.map((one) => one.referrals.length));
});

test('every click of a new demo is within the attribution window of its program, and expires with it', () => {
  const now = seconds(Date.UTC(2030, 0, 1) / 1000);
  for (const { program, advocates, referrals } of demoPrograms(now)) {
    const window = program.attributionDays * DAY;
    const clicks = referrals.filter(({ state }) => state === 'clicked');
    expect(clicks.length).toBeGreaterThan(30);
    for (const click of clicks) {
      const age = now - click.createdAt;
      expect([age >= 0, age < window, click.expiresAt]).toEqual([true, true, click.createdAt + window]);
      const advocate = advocates.find(({ slug }) => slug === click.advocateSlug);
      expect(advocate && isConvertible(click, advocate, now)).toBe(true);
    }
  }
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
