import { addCalendarMonths, DAY, type Seconds, seconds } from '../../../functions/kernel/time.ts';
import { dayStart, demoCast, HISTORY_DAYS, type Player, PODCAST } from './cast.ts';
import { Chance, Quota } from './chance.ts';

// What happens in the shop from the first day of the demo until its moment: pure, and the same for the same day.

/** What a month costs in each plan, in cents. */
export const PLANS = { Explorer: 1400, House: 2400, Office: 5900 } as const;

/** A visit by the link of an advocate. */
export interface Visit {
  readonly number: number;
  readonly slug: string;
  readonly at: Seconds;
  readonly label: string | null;
}

/** A payment of a customer, and when it was refunded; `null` if it was not. */
export interface Paid {
  readonly at: Seconds;
  readonly amount: number;
  readonly refundedAt: Seconds | null;
}

/** A customer whom an advocate referred, with its visit or with a promotion code. */
export interface Customer {
  /** From 0, in the order of the days. */
  readonly number: number;
  readonly slug: string;
  readonly signedUpAt: Seconds;
  readonly visit: Visit | null;
  readonly code: string | null;
  readonly payments: readonly Paid[];
  readonly cancelledAt: Seconds | null;
  readonly rejectedAt: Seconds | null;
}

export interface History {
  /** The visits without a sign-up. */
  readonly visits: readonly Visit[];
  readonly customers: readonly Customer[];
}

/** Sign-ups in the first and in the last week. */
const WEEKLY = [3, 14] as const;
/** The traffic of Saturdays and Sundays, in comparison with other days. */
const WEEKEND = 0.4;
const WEEK = 5 + 2 * WEEKEND;
/** The share of visits that sign up moves around the first by at most the second, in waves of the third, in days. */
const [RATE, WAVE, WAVE_DAYS] = [0.088, 0.005, 97];
/** The share of customers who pay. */
const PAYING = 0.55;

/**
 * Builds the history of a demo that is stored at `now`. What would be later today has not happened yet. `told` are the times
 * of sign-ups that stories tell: they count towards the days.
 */
export function demoHistory(now: Seconds, told: readonly Seconds[]): History {
  const chance = new Chance('referral-tracking demo');
  // Apart, so that rounding moves nothing from weekends to other days.
  const [weekdays, weekends] = [newQuotas(), newQuotas()];
  const players = demoCast(now);
  const newCustomer = customerSource(chance, dayStart(now, HISTORY_DAYS + 1));
  const newVisit = visitSource(chance);
  const days = Array.from({ length: HISTORY_DAYS + 1 }, (_, day) => {
    const start = dayStart(now, day);
    const weekly = WEEKLY[0] + ((WEEKLY[1] - WEEKLY[0]) * day) / HISTORY_DAYS;
    const [{ signUps, clicks }, share] = isWeekend(start) ? [weekends, WEEKEND] : [weekdays, 1];
    const expected = (weekly * share) / WEEK;
    const rate = RATE + WAVE * Math.cos((2 * Math.PI * day) / WAVE_DAYS);
    const joined = players.filter(({ advocate }) => advocate.createdAt < start);
    const toldToday = told.filter((at) => at >= start && at < start + DAY).length;
    const count = signUps.add(expected, toldToday);
    const customers = Array.from({ length: count }, () => newCustomer(joined, newVisit, start));
    const own = customers.filter(({ visit }) => visit !== null).length;
    const others = clicks.add(expected / rate, own + toldToday);
    return { customers, visits: Array.from({ length: others }, () => newVisit(joined, start)) };
  });
  return {
    visits: days.flatMap(({ visits }) => visits).filter(({ at }) => at < now),
    customers: days.flatMap(({ customers }) => customers.flatMap((customer) => customerAt(customer, now) ?? [])),
  };
}

/** A customer as it is at a moment of the last day; `undefined` before the sign-up. */
function customerAt(customer: Customer, now: Seconds): Customer | undefined {
  const { signedUpAt, payments, cancelledAt, rejectedAt } = customer;
  if (signedUpAt >= now) return undefined;
  const past = (at: Seconds | null) => (at !== null && at < now ? at : null);
  return {
    ...customer,
    payments: payments.flatMap((paid) => (paid.at < now ? [{ ...paid, refundedAt: past(paid.refundedAt) }] : [])),
    cancelledAt: past(cancelledAt),
    rejectedAt: past(rejectedAt),
  };
}

const newQuotas = () => ({ signUps: new Quota(), clicks: new Quota() });

const isWeekend = (second: Seconds): boolean => [0, 6].includes(new Date(second * 1000).getUTCDay());

type NewVisit = (players: readonly Player[], start: Seconds) => Visit;

/** Returns a function that builds visits between 6 and 22 o'clock. */
function visitSource(chance: Chance): NewVisit {
  let number = 0;
  return (players, start) => {
    const { advocate, labels } = chance.weighted(players);
    const label = labels[chance.below(labels.length)] ?? null;
    number += 1;
    return { number, slug: advocate.slug, at: seconds(start + 6 * 3600 + chance.below(16 * 3600)), label };
  };
}

/**
 * Returns a function that builds customers, until the end of the last day: 55% of them pay, 3% cancel in a month, and 2% of
 * payments are refunded. It never asks for the time of the day: what follows would depend on it.
 */
function customerSource(chance: Chance, end: Seconds) {
  const reference = chance.deck(['code', 'podcast', ...Array<'link'>(8).fill('link')]);
  const pays = new Quota();
  const isRejected = chance.share(1, 25);
  const trialDays = chance.deck([14, 14, 7, 14, 13, 14, 10, 14, 15, 14]);
  const plan = chance.deck([PLANS.House, PLANS.Explorer, PLANS.Explorer, PLANS.House, PLANS.House, PLANS.Office]);
  const cancels = chance.share(3, 100);
  const isRefunded = chance.share(2, 100);
  let number = 0;

  const refundOf = (at: Seconds): Seconds | null => {
    const refundedAt = seconds(at + DAY + chance.below(4 * DAY));
    return isRefunded() ? refundedAt : null;
  };

  /** The payments of each month from the first one, until the customer cancels. */
  function subscription(first: Seconds) {
    const amount = plan();
    const payments: Paid[] = [];
    for (let month = 0; ; month += 1) {
      const at = addCalendarMonths(first, month);
      if (at >= end) return { payments, cancelledAt: null };
      if (month > 0 && cancels()) return { payments, cancelledAt: at };
      payments.push({ at, amount, refundedAt: refundOf(at) });
    }
  }

  /** The sign-up follows the visit within an hour. */
  const byLink = (visit: Visit) => {
    return { slug: visit.slug, visit, code: null, signedUpAt: seconds(visit.at + 120 + chance.below(3000)) };
  };

  const byCode = ({ advocate, code }: Player, start: Seconds) => {
    const signedUpAt = seconds(start + 7 * 3600 + chance.below(14 * 3600));
    return { slug: advocate.slug, visit: null, code, signedUpAt };
  };

  return (players: readonly Player[], newVisit: NewVisit, start: Seconds): Customer => {
    const by = reference();
    const owners =
      by === 'link' ? [] : players.filter((player) => player.code !== null && isPodcast(player) === (by === 'podcast'));
    const owner = owners[chance.below(owners.length || 1)];
    const referred = owner ? byCode(owner, start) : byLink(newVisit(players, start));
    const customer = { number, ...referred, payments: [], cancelledAt: null, rejectedAt: null };
    number += 1;
    if (pays.add(PAYING) > 0) {
      const first = seconds(customer.signedUpAt + trialDays() * DAY + chance.below(3600));
      return { ...customer, ...subscription(first) };
    }
    const rejectedAt = seconds(customer.signedUpAt + DAY + chance.below(2 * DAY));
    return { ...customer, rejectedAt: isRejected() ? rejectedAt : null };
  };
}

const isPodcast = ({ advocate }: Player): boolean => advocate.slug === PODCAST;
