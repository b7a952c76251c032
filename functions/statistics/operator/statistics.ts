import type { Program } from '../../kernel/accounts/rules/program.ts';
import { parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { addDays, type Day, dayOf, type Month, monthOf, monthsIn, startOf } from '../../kernel/days.ts';
import { indexPages, pagesByOwner } from '../../kernel/dynamodb/index-pages.ts';
import { advocateReferrals, advocateState, programAdvocates } from '../../kernel/dynamodb/keys.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { type Condition, update } from '../../kernel/dynamodb/writes.ts';
import { DAY, type Seconds, secondOf } from '../../kernel/time.ts';
import { parseListedReferral, parseReferral } from '../../referrals/table/referral-item.ts';
import { type Occurrence, occurrencesIn } from '../rules/occurrences.ts';
import { type DailyNumbers, KINDS, type Kind } from '../rules/statistics.ts';
import { monthlySums } from '../table/advocates.ts';
import { attributeOf, sumsKey } from '../table/sums.ts';

/** A number that is not what the rows say. `slug` is `null` for the sum of the whole program. */
export interface Difference {
  readonly month: Month;
  readonly day: Day;
  readonly slug: string | null;
  readonly kind: Kind;
  readonly stored: number;
  readonly computed: number;
}

/** The numbers of a kind, a day and an advocate (`null`: of the program), by `nameOf`. */
type Sums = ReadonlyMap<string, number>;

const nameOf = (day: Day, slug: string | null, kind: Kind) => `${day} ${slug ?? ''} ${kind}`;

type ComparedProgram = Pick<Program, 'id' | 'createdAt'>;

/**
 * Computes the statistics of a program from its rows and their histories, and returns how the stored ones differ, oldest
 * day first. Clicks that are lower than stored are left out, because rows of clicks expire. What only the dropped entries of
 * a long history knew counts as a difference.
 */
export async function statisticsDifferences(table: Table, program: ComparedProgram): Promise<Difference[]> {
  return (await compare(table, program)).map(({ difference }) => difference);
}

/**
 * Returns the differences that no expired row explains. Rows of rejected clicks expire as well, so rejections are left out
 * that are lower than stored, of an advocate with an expired click.
 */
export async function unexplainedDifferences(table: Table, program: ComparedProgram): Promise<Difference[]> {
  const compared = await compare(table, program);
  return compared.flatMap(({ difference, mayBeExpired }) => (mayBeExpired ? [] : [difference]));
}

interface Compared {
  readonly difference: Difference;
  /** True if an expired row may explain the difference. */
  readonly mayBeExpired: boolean;
}

async function compare(table: Table, program: ComparedProgram): Promise<Compared[]> {
  const computed = await computedSums(table, program.id);
  const days = [...computed.keys()].map((name) => name.slice(0, 10));
  const today = dayOf(secondOf(table.clock()));
  const sorted = [...days, dayOf(program.createdAt), today].sort();
  // The clocks of functions differ: a change may count on tomorrow.
  const range = { from: sorted[0] ?? today, to: addDays(sorted.at(-1) ?? today, 1) };
  const stored = await storedSums(table, program.id, monthsIn(range));
  return differencesBetween(stored, computed);
}

/** Compares sums. */
function differencesBetween(stored: Sums, computed: Sums): Compared[] {
  const names = [...new Set([...stored.keys(), ...computed.keys()])].sort();
  /** Advocates with a click, on this day or before, whose row has expired. */
  const withExpired = new Set<string>();
  return names.flatMap((name) => {
    const [day = '', slug = '', text] = name.split(' ');
    const kind = KINDS.find((each) => each === text);
    const values = { stored: stored.get(name) ?? 0, computed: computed.get(name) ?? 0 };
    if (kind === undefined || values.stored === values.computed) return [];
    const isLower = values.computed < values.stored;
    // Names sort by day, advocate and kind: clicks come before rejections.
    if (kind === 'clicks' && isLower) withExpired.add(slug);
    if (kind === 'clicks' && isLower) return [];
    const difference = { month: monthOf(day), day, slug: slug === '' ? null : slug, kind, ...values };
    return [{ difference, mayBeExpired: isLower && kind === 'rejected' && withExpired.has(slug) }];
  });
}

/**
 * Returns the differences that can be corrected: unexplained ones of days that ended more than 24 hours ago, because the stream contains
 * none of their changes any more. Rows are read twice, because a referral that moves meanwhile may be missed.
 */
export async function settledDifferences(table: Table, program: ComparedProgram): Promise<Difference[]> {
  const now = secondOf(table.clock());
  const read = async () =>
    (await unexplainedDifferences(table, program)).filter(({ day }) => startOf(day) + 2 * DAY < now);
  const first = await read();
  const again = new Set((first.length > 0 ? await read() : []).map((difference) => JSON.stringify(difference)));
  return first.filter((difference) => again.has(JSON.stringify(difference)));
}

/**
 * Changes a stored number to the computed one. Returns false, and changes nothing, if the stored number is another one
 * now.
 */
export async function correct(table: Table, program: string, { day, slug, kind, ...numbers }: Difference) {
  const attribute = attributeOf({ day, kind });
  const isUnchanged: Condition = {
    ConditionExpression: `${numbers.stored === 0 ? `attribute_not_exists(${attribute}) OR ` : ''}${attribute} = :stored`,
    ExpressionAttributeValues: { ':stored': numbers.stored },
  };
  const change = {
    UpdateExpression: `SET ${attribute} = :computed`,
    ExpressionAttributeValues: { ':computed': numbers.computed },
  };
  const failed = await update(table, sumsKey(program, day, slug), change, isUnchanged);
  // An earlier attempt, whose response was lost, may have written it.
  return !failed || (failed.isRepeated && failed.item?.[attribute] === numbers.computed);
}

async function storedSums(table: Table, program: string, months: readonly Month[]): Promise<Sums> {
  const sums = new Map<string, number>();
  for (const month of months) {
    for await (const page of monthlySums(table, program, month, { advocatesOnly: false, consistent: true })) {
      for (const { slug, daily } of page) addDaily(sums, slug, daily);
    }
  }
  return sums;
}

function addDaily(sums: Map<string, number>, slug: string | null, daily: DailyNumbers): void {
  for (const [day, numbers] of daily) {
    for (const kind of KINDS) if (numbers[kind] !== 0) sums.set(nameOf(day, slug, kind), numbers[kind]);
  }
}

async function computedSums(table: Table, program: string): Promise<Sums> {
  const sums = new Map<string, number>();
  for await (const { day, slug, kind } of occurrencesInRows(table, program)) {
    for (const owner of [null, slug]) {
      const name = nameOf(day, owner, kind);
      sums.set(name, (sums.get(name) ?? 0) + 1);
    }
  }
  return sums;
}

/** Reads all rows of a program, advocate by advocate. */
async function* occurrencesInRows(table: Table, program: string): AsyncGenerator<Occurrence, void> {
  for await (const advocates of indexPages(table, 'by_created_at', programAdvocates(program))) {
    for (const { slug } of advocates.map(parseListedAdvocate)) {
      // Clicks last: a click that converts in between is missing instead of counted twice, and clicks are never lowered.
      for await (const items of pagesByOwner(table, advocateReferrals(program, slug))) {
        yield* items.map(parseReferral).flatMap(occurrencesIn);
      }
      for await (const rows of indexPages(table, 'by_state', advocateState(program, slug, 'clicked'))) {
        yield* rows.map(parseListedReferral).map(({ createdAt }) => clickOf(createdAt, slug));
      }
    }
  }
}

const clickOf = (createdAt: Seconds, slug: string): Occurrence => ({ kind: 'clicks', day: dayOf(createdAt), slug });
