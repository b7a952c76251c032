import type { Program } from '../../kernel/accounts/rules/program.ts';
import {
  CUSTOMERS as CUSTOMERS_ATTRIBUTE,
  moneyAttribute,
  totalAttribute,
} from '../../kernel/accounts/table/totals.ts';
import { type Day, type Month, monthOf, startOf } from '../../kernel/days.ts';
import { incrementWrite } from '../../kernel/dynamodb/increments.ts';
import { totalsKey } from '../../kernel/dynamodb/keys.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { type Condition, transact, type Update, update, updateWrite } from '../../kernel/dynamodb/writes.ts';
import { DAY, type Seconds, secondOf } from '../../kernel/time.ts';
import { CUSTOMERS } from '../rules/addend.ts';
import { attributeOf, moneyAttributeOf, sumsKey } from '../table/sums.ts';
import { computedSums, nameOf, type Place, type Sums } from './computed-sums.ts';
import { readStoredSums } from './stored-sums.ts';

/** A number that is not what the rows say, or a total that is not the sum of its days. */
export interface Difference {
  /** `null` for a total. */
  readonly month: Month | null;
  readonly day: Day | null;
  /** `null` for the whole program. */
  readonly slug: string | null;
  /** What was counted, such as `clicks`, or money, such as `usd revenue`. */
  readonly kind: string;
  readonly stored: bigint;
  readonly computed: bigint;
  readonly place: Place;
  /** When a row was last changed from which a total was computed. */
  readonly changedAt?: Seconds;
}

type ComparedProgram = Pick<Program, 'id'>;

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

async function compare(table: Table, { id }: ComparedProgram): Promise<Compared[]> {
  const computed = await computedSums(table, id);
  const stored = await readStoredSums(table, id, computed);
  const ofTotals = differencesBetween(stored.totals, stored.sumsOfDays).map((difference) => {
    const { kind, slug } = difference.place;
    const changedAt = kind === CUSTOMERS ? computed.changedAt.get(slug ?? '') : undefined;
    return { difference: { ...difference, ...(changedAt && { changedAt }) }, mayBeExpired: false };
  });
  return [...ofTotals, ...unlessExpired(differencesBetween(stored.days, computed.days))];
}

/** Compares sums. */
function differencesBetween(stored: Sums, computed: Sums): Difference[] {
  const places = new Map([...stored, ...computed].map(([name, { place }]) => [name, place]));
  return [...places]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, place]) => {
      const values = { stored: stored.get(name)?.value ?? 0n, computed: computed.get(name)?.value ?? 0n };
      const { day, slug, kind, currency } = place;
      return {
        month: day === null ? null : monthOf(day),
        day,
        slug,
        kind: currency === null ? kind : `${currency} ${kind}`,
        place,
        ...values,
      };
    })
    .filter((difference) => difference.stored !== difference.computed);
}

/** Leaves out lower clicks, and marks what these explain. */
function unlessExpired(differences: readonly Difference[]): Compared[] {
  /** Advocates with a click, on this day or before, whose row has expired. */
  const withExpired = new Set<string | null>();
  return differences.flatMap((difference) => {
    const { slug, kind } = difference;
    const isLower = difference.computed < difference.stored;
    // Clicks come before rejections.
    if (kind === 'clicks' && isLower) withExpired.add(slug);
    if (kind === 'clicks' && isLower) return [];
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
    (await unexplainedDifferences(table, program)).filter(({ day, changedAt }) =>
      day === null ? (changedAt ?? 0) + 2 * DAY < now : startOf(day) + 2 * DAY < now,
    );
  const first = await read();
  const again = new Set((first.length > 0 ? await read() : []).map(textOf));
  return first.filter((difference) => again.has(textOf(difference)));
}

const textOf = ({ place, stored, computed }: Difference): string => `${nameOf(place)} ${stored} ${computed}`;

/**
 * Changes a stored number to the computed one; a day's number together with the totals. Returns false, and changes nothing,
 * if the stored number is another one now.
 */
export async function correct(
  table: Table,
  program: string,
  { place, stored, computed }: Difference,
): Promise<boolean> {
  const { day, slug } = place;
  if (day === null) {
    const failed = await update(table, totalsKey(program, slug), ...change(totalOf(place), stored, computed));
    // An earlier attempt, whose response was lost, may have written it.
    return !failed || (failed.isRepeated && String(failed.item?.[totalOf(place)]) === String(computed));
  }
  const key = sumsKey(program, day, slug, place.currency ?? undefined);
  const total = { [totalOf(place)]: Number(computed - stored) };
  const failed = await transact(table, [
    updateWrite('day', key, ...change(dayAttributeOf(place, day), stored, computed)),
    incrementWrite('total', totalsKey(program, slug), total),
  ]);
  return failed.size === 0;
}

/** The update of an attribute, and its condition. */
function change(attribute: string, stored: bigint, computed: bigint): [Update, Condition] {
  return [
    { UpdateExpression: 'SET #number = :computed', ExpressionAttributeValues: { ':computed': computed } },
    {
      ExpressionAttributeNames: { '#number': attribute },
      ConditionExpression: `${stored === 0n ? 'attribute_not_exists(#number) OR ' : ''}#number = :stored`,
      ExpressionAttributeValues: { ':stored': stored },
    },
  ];
}

function totalOf(place: Place): string {
  if (place.kind === CUSTOMERS) return CUSTOMERS_ATTRIBUTE;
  return place.currency === null ? totalAttribute(place.kind) : moneyAttribute(place.kind, place.currency);
}

function dayAttributeOf(place: Place, day: Day): string {
  if (place.kind === CUSTOMERS) throw new RangeError('Days have no number of customers.');
  return place.currency === null ? attributeOf(place.kind, day) : moneyAttributeOf(place.kind, day);
}
