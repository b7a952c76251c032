import { expect, test } from '@jest/globals';
import { demoPrograms } from '../../../bin/local/demo/data.ts';
import { isConvertible } from '../../../functions/domain/referral/referral.ts';
import { STATES } from '../../../functions/domain/referral/state.ts';
import { DAY, seconds } from '../../../functions/domain/time.ts';

const programs = demoPrograms();
const advocates = programs.flatMap((program) => program.advocates);
const referrals = programs.flatMap((program) => program.referrals);

test('the demo is the same on every execution', () => {
  expect(demoPrograms()).toEqual(programs);
});

test('the two years of the demo end when it is stored, and its ids, emails and slugs are always the same', () => {
  const now = seconds(Date.UTC(2030, 0, 1) / 1000);
  const identities = (all: typeof programs) =>
    all.map((one) => [
      one.program,
      one.advocates.map(({ slug }) => slug),
      one.referrals.map(({ id, email }) => id + email),
    ]);
  const laterPrograms = demoPrograms(now);
  expect(identities(laterPrograms)).toEqual(identities(programs));
  const ages = laterPrograms.flatMap((one) => one.referrals.map(({ updatedAt }) => now - updatedAt));
  expect(Math.min(...ages)).toBeGreaterThan(0);
  expect(ages.filter((age) => age < 30 * DAY).length).toBeGreaterThan(60);
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

test('the demo has self-referrals and moves', () => {
  const [main] = programs;
  const flagged = main?.referrals.filter(({ flags }) => flags.includes('self_referral')) ?? [];
  expect(flagged.length).toBeGreaterThan(2);
  expect(flagged.some(({ advocateSlug }) => advocateSlug === main?.advocates[0]?.slug)).toBe(true);
  const moved = main?.referrals.filter(({ history }) => history.some(({ type }) => type === 'reassignment')) ?? [];
  expect(moved.length).toBeGreaterThan(2);
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
