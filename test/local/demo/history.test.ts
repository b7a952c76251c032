import { beforeAll, describe, expect, test } from '@jest/globals';
import { BELOW_MINIMUM, demoCast, HANA, PODCAST, WITHOUT_ACCOUNT } from '../../../bin/local/demo/cast.ts';
import { demoPayments, demoPayouts } from '../../../bin/local/demo/ledger.ts';
import { demoTraffic } from '../../../bin/local/demo/referrals.ts';
import { demoAddends } from '../../../bin/local/demo/statistics.ts';
import { addDays, type Day, dayOf, monthOf, startOf } from '../../../functions/kernel/days.ts';
import { DAY, type Seconds, seconds } from '../../../functions/kernel/time.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { balancesOf } from '../../../functions/ledger/rules/statement.ts';
import { addEntry, noSums } from '../../../functions/ledger/rules/sums.ts';
import { MINIMUM_PAYOUT, PROGRAM } from '../../../functions/openapi/records.ts';

/** A demo that is stored at a moment. */
function demoAt(now: Seconds) {
  const traffic = demoTraffic(now);
  const payments = demoPayments(traffic.customers).flatMap(({ stored }) => stored);
  const earned = payments.flatMap(({ entries }) => entries);
  const payouts = demoPayouts(earned, now);
  const addends = demoAddends(traffic, [...earned, ...payouts]);
  return { ...traffic, players: demoCast(now), payments, entries: [...earned, ...payouts], payouts, addends };
}

const MONDAY = '2026-11-23';
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => addDays(MONDAY, day)).map((today) => {
  const weekday = new Date(`${today}T12:00:00Z`).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  return { weekday, today };
});

describe.each(WEEKDAYS)('a demo that is stored on a $weekday', ({ today }) => {
  const now = seconds(startOf(today) + 15 * 3600);
  let demo: ReturnType<typeof demoAt>;
  beforeAll(() => {
    demo = demoAt(now);
  });

  /** The sum of a kind on the days from one to another, counted back from today. */
  const sumOf = (kind: string, from: number, to: number) => {
    const own = demo.addends.filter((addend) => addend.kind === kind);
    const inRange = own.filter(({ day }) => day >= addDays(today, -from) && day <= addDays(today, -to));
    return inRange.reduce((sum, { amount }) => sum + amount, 0);
  };

  test('sign-ups grow from 3 to 14 a week', () => {
    const weekly = (from: number) => sumOf('conversions', from, from - 27) / 4;
    expect(weekly(426)).toBeCloseTo(3.4, 0);
    expect(weekly(28)).toBeGreaterThan(13);
    expect(weekly(28)).toBeLessThan(15);
    const quarters = [426, 320, 214, 108].map((from) => sumOf('conversions', from, from - 105));
    expect(quarters).toEqual(quarters.toSorted((one, other) => one - other));
  });

  test.each(['conversions', 'clicks'])('the %s of a weekend day are 40%% of a weekday', (kind) => {
    const isWeekend = (day: Day) => [0, 6].includes(new Date(day).getUTCDay());
    const perDay = (days: readonly Day[]) => {
      const inDays = new Set(days);
      const sum = demo.addends.filter((addend) => addend.kind === kind && inDays.has(addend.day)).length;
      return sum / days.length;
    };
    // Whole weeks, which end yesterday.
    const days = Array.from({ length: 420 }, (_, index) => addDays(today, -1 - index));
    const share = perDay(days.filter(isWeekend)) / perDay(days.filter((day) => !isWeekend(day)));
    expect(share).toBeGreaterThan(0.38);
    expect(share).toBeLessThan(0.42);
  });

  test.each(['clicks', 'conversions', 'paying', 'revenue', 'commissions'])(
    'the %s of 30 days differ from the 30 days before by -15%% to +40%%, with today and without',
    (kind) => {
      const changes = [sumOf(kind, 29, 1) / sumOf(kind, 59, 31), sumOf(kind, 30, 1) / sumOf(kind, 60, 31)];
      for (const change of changes) {
        expect(change).toBeGreaterThanOrEqual(0.85);
        expect(change).toBeLessThanOrEqual(1.4);
      }
    },
  );

  test('6 to 12% of the clicks sign up, in all and in the last 30 days', () => {
    for (const from of [430, 30]) {
      const rate = sumOf('conversions', from, 0) / sumOf('clicks', from, 0);
      expect(rate).toBeGreaterThan(0.06);
      expect(rate).toBeLessThan(0.12);
    }
  });

  test('no link has a sign-up on a day without clicks on it', () => {
    const clicks = new Set(demo.addends.flatMap(({ kind, slug, day }) => (kind === 'clicks' ? `${slug} ${day}` : [])));
    const byLink = demo.customers.filter(({ referral }) => referral.creditedBy === 'link');
    expect(byLink.length).toBeGreaterThan(300);
    const days = byLink.map(({ referral }) => `${referral.advocateSlug} ${dayOf(referral.convertedAt ?? 0)}`);
    expect(days.filter((each) => !clicks.has(each))).toEqual([]);
  });

  test('55% pay within 21 days, and nobody later', () => {
    const old = demo.customers.filter(({ referral }) => (referral.convertedAt ?? 0) < now - 21 * DAY);
    const waited = old.flatMap(({ referral: { paidAt, convertedAt } }) =>
      paidAt ? [paidAt - (convertedAt ?? 0)] : [],
    );
    expect(waited.length / old.length).toBeCloseTo(0.55, 1);
    expect(Math.max(...waited)).toBeLessThan(21 * DAY);
  });

  test('3% of the paying customers cancel in a month, and 2% of the payments are refunded', () => {
    const cancelled = demo.customers.filter(({ referral }) => referral.state === 'churned').length;
    const renewals = demo.customers.reduce((sum, { payments }) => sum + Math.max(0, payments.length - 1), 0);
    expect(cancelled / (renewals + cancelled)).toBeCloseTo(0.03, 2);
    const refunded = demo.payments.filter(({ payment }) => payment.refunded > 0).length;
    expect(refunded / demo.payments.length).toBeCloseTo(0.02, 2);
  });

  test('on the 5th of each month, a run pays what is due to everybody with an account, from the minimum on', () => {
    expect(new Set(demo.payouts.map(({ createdAt }) => new Date(createdAt * 1000).getUTCDate()))).toEqual(new Set([5]));
    expect(new Set(demo.payouts.map(({ createdAt }) => monthOf(dayOf(createdAt)))).size).toBeGreaterThan(10);
    const last = seconds(Math.max(...demo.payouts.map(({ createdAt }) => createdAt)));
    expect(monthOf(dayOf(last))).toBe(monthOf(today));
    const paid = demo.payouts.filter(({ createdAt }) => createdAt === last);
    const unpaid = demo.entries.filter((entry) => entry.createdAt < last && !paid.includes(entry));
    const due = [...balances(unpaid, last)].filter(
      ([slug, { payable }]) => payable >= MINIMUM_PAYOUT && slug !== WITHOUT_ACCOUNT,
    );
    const amounts = new Map(paid.map(({ advocateSlug, commission }) => [advocateSlug, -commission]));
    expect(amounts).toEqual(new Map(due.map(([slug, { payable }]) => [slug, Number(payable)])));
  });

  test('a possible self-referral, a missing account and a balance below the minimum wait for the merchant', () => {
    const flagged = demo.customers.filter(({ referral }) => referral.flags.length > 0);
    expect(flagged.map(({ referral }) => [referral.state, referral.advocateSlug])).toEqual([
      ['converted', 'bjorn-sato'],
    ]);
    const open = balances(demo.entries, now);
    const withoutAccount = demo.players.filter(
      ({ advocate }) => advocate.payoutAccount === null && open.has(advocate.slug),
    );
    expect(withoutAccount.map(({ advocate }) => advocate.slug)).toEqual([WITHOUT_ACCOUNT]);
    expect(open.get(WITHOUT_ACCOUNT)?.payable).toBeGreaterThan(MINIMUM_PAYOUT);
    expect(open.get(BELOW_MINIMUM)).toMatchObject({ balance: 1920n, payable: 1440n });
  });

  test('six advocates have a code, and the links of many have labels', () => {
    const codes = demo.players.flatMap(({ code }) => code ?? []);
    expect([codes.length, new Set(codes).size]).toEqual([6, 6]);
    const labelled = demo.clicks.filter(({ subId }) => subId !== null);
    expect(labelled.length / demo.clicks.length).toBeGreaterThan(0.4);
    expect(new Set(labelled.map(({ advocateSlug, subId }) => `${advocateSlug} ${subId}`)).size).toBeGreaterThan(15);
    expect(demo.customers.some(({ referral }) => referral.subId !== null)).toBe(true);
  });

  test('a podcast brings customers by its code, and no clicks', () => {
    const own = demo.customers.filter(({ referral }) => referral.advocateSlug === PODCAST);
    expect(own.length).toBeGreaterThan(20);
    expect(new Set(own.map(({ referral }) => referral.code))).toEqual(new Set(['GRIND15']));
    expect(demo.addends.filter(({ kind, slug }) => kind === 'clicks' && slug === PODCAST)).toEqual([]);
  });

  test('a link decides against the code of another advocate', () => {
    const lost = demo.customers.flatMap(({ referral }) =>
      referral.history.flatMap((entry) => (entry.type === 'state' && entry.lost ? entry.lost : [])),
    );
    expect(lost).toEqual([HANA]);
  });

  test('24 advocates are in three groups, and every click and every entry follows its advocate', () => {
    const joined = new Map(demo.players.map(({ advocate }) => [advocate.slug, advocate.createdAt]));
    expect(joined.size).toBe(24);
    const groups = Object.entries(Object.groupBy(demo.players, ({ advocate }) => advocate.group ?? ''));
    expect(groups.map(([name]) => name).toSorted()).toEqual(['creators', 'partners', 'standard']);
    const early = [...demo.clicks, ...demo.customers.map(({ referral }) => referral)].filter(
      ({ advocateSlug, createdAt }) => createdAt <= (joined.get(advocateSlug) ?? now),
    );
    expect(early).toEqual([]);
    expect(demo.entries.every(({ createdAt }) => createdAt < now)).toBe(true);
  });
});

test('a later start on the same day adds to what an earlier start has, and changes nothing', () => {
  const noon = seconds(startOf(MONDAY) + 12 * 3600);
  const [early, late] = [demoAt(noon), demoAt(seconds(noon + 8 * 3600))];
  expect(late.entries.filter(({ createdAt }) => createdAt < noon)).toEqual(early.entries);
  const known = new Map(early.clicks.map((click) => [click.id, click]));
  const [before, after] = [true, false].map((isBefore) => late.clicks.filter((at) => at.createdAt < noon === isBefore));
  expect(before?.map(({ id }) => known.get(id))).toEqual(before);
  expect(after?.length).toBeGreaterThan(0);
});

/** The balances of advocates with one, by slug. */
function balances(entries: readonly Entry[], at: Seconds) {
  const bySlug = Map.groupBy(entries, ({ advocateSlug }) => advocateSlug);
  const terms = { today: dayOf(at), payableAfterDays: PROGRAM.payableAfterDays };
  return new Map(
    [...bySlug].flatMap(([slug, own]) => {
      const sums = noSums();
      for (const entry of own) addEntry(sums, entry);
      const balance = balancesOf(sums, terms).get('eur');
      return balance && balance.balance !== 0n ? [[slug, balance] as const] : [];
    }),
  );
}
