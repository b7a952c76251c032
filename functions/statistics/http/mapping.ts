import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import type { Totals } from '../../kernel/accounts/rules/totals.ts';
import { type DayGrouping, parseDayRange } from '../../kernel/days.ts';
import { InvalidAffiliate, InvalidField } from '../../kernel/errors.ts';
import { isSlug } from '../../kernel/fields/fields.ts';
import { type Paging, parsePaging } from '../../kernel/http/list.ts';
import { parseSortCurrency, toSums } from '../../kernel/http/totals.ts';
import { type Checked, type QueryEvent, validQuery } from '../../kernel/http/validation.ts';
import type { Seconds } from '../../kernel/time.ts';
import { MONEY_SORTS } from '../rules/sorts.ts';
import type { Statistics } from '../rules/statistics.ts';
import type { Sorting, StatisticsRange } from '../table/advocates.ts';
import { ADVOCATE_STATISTICS_QUERY, MAX_ADVOCATES, OWN_STATISTICS_QUERY, STATISTICS_QUERY } from './schema.ts';
import { advocateStatisticsQuery, ownStatisticsQuery, statisticsQuery } from './validators.js';

export interface StatisticsInput {
  readonly range: StatisticsRange;
  readonly grouping: DayGrouping;
}

/** Parses the range and the grouping of an affiliate's query. `now` is the end of a range without one. Throws `InvalidField`. */
export function parseOwnStatisticsQuery(event: QueryEvent, now: Seconds): StatisticsInput {
  return parseInput(validQuery(event, OWN_STATISTICS_QUERY, ownStatisticsQuery), now);
}

function parseInput(query: Checked<typeof OWN_STATISTICS_QUERY>, now: Seconds): StatisticsInput {
  const { group_by } = query;
  const range = parseRange(query, now);
  if (range === 'lifetime' && group_by !== undefined) throw notWithLifetime('group_by');
  return { range, grouping: group_by ?? 'day' };
}

function parseRange(
  { range, from, to }: { readonly range?: 'lifetime'; readonly from?: string; readonly to?: string },
  now: Seconds,
): StatisticsRange {
  if (range === undefined) return parseDayRange(from, to, now);
  const other = from === undefined ? to && 'to' : 'from';
  if (other) throw notWithLifetime(other);
  return range;
}

const notWithLifetime = (field: string) =>
  new InvalidField(field, 'cannot be combined with range=lifetime: remove one of them');

/** Parses a merchant's query: without a slug (`null`), of the whole program. Throws `InvalidField` or `InvalidAffiliate`. */
export function parseStatisticsQuery(
  event: QueryEvent,
  now: Seconds,
): StatisticsInput & { readonly slug: string | null } {
  const query = validQuery(event, STATISTICS_QUERY, statisticsQuery);
  const { affiliate_slug } = query;
  const input = parseInput(query, now);
  return { slug: affiliate_slug === undefined ? null : parseSlug(affiliate_slug), ...input };
}

/** Parses the query of a list of advocates. Throws `InvalidField`, or `InvalidAffiliate` for a malformed or repeated slug. */
export function parseAdvocateStatisticsQuery(
  event: QueryEvent,
  now: Seconds,
): {
  readonly range: StatisticsRange;
  /** The range as the query has it, for cursors: a day later, they continue in a later range. */
  readonly given: readonly unknown[];
  readonly slugs: readonly string[] | undefined;
  readonly paging: Paging;
  readonly sorting: Sorting;
} {
  const query = validQuery(event, ADVOCATE_STATISTICS_QUERY, advocateStatisticsQuery);
  const range = parseRange(query, now);
  const slugs = query.slugs?.split(',').map(parseSlug);
  if (slugs && new Set(slugs).size < slugs.length) throw new InvalidAffiliate();
  if (slugs && slugs.length > MAX_ADVOCATES) {
    throw new InvalidField('slugs', `must be at most ${MAX_ADVOCATES} slugs: send several requests`);
  }
  const { sort = 'paying', currency, cursor } = query;
  const other = [
    sort !== 'paying' && 'sort',
    currency !== undefined && 'currency',
    cursor !== undefined && 'cursor',
    query.per_page !== undefined && 'per_page',
  ].find(Boolean);
  if (slugs && other) throw new InvalidField(other, 'cannot be combined with slugs: remove one of them');
  if (sort === 'balance' && range !== 'lifetime')
    throw new InvalidField('sort', 'can be balance only with range=lifetime');
  const paging = { ...parsePaging(query), perPage: query.per_page ?? MAX_ADVOCATES };
  const given = [query.from, query.to, query.range];
  return { range, given, slugs, paging, sorting: { sort, currency: parseSortCurrency(currency, sort, MONEY_SORTS) } };
}

function parseSlug(text: string): string {
  if (!isSlug(text)) throw new InvalidAffiliate();
  return text.toLowerCase();
}

/** Builds the resource of statistics. `id` is the advocate's slug or the program's id. */
export function toStatistics(id: string, { total, groups }: Statistics) {
  return {
    id,
    type: 'statistics',
    attributes: { total: toSums(total), groups: groups.map(({ key, ...sums }) => ({ key, ...toSums(sums) })) },
  };
}

/** Builds the resource of an advocate's sums. */
export function toAdvocateStatistics(
  { slug, firstName, lastName, active }: Pick<Advocate, 'slug' | 'firstName' | 'lastName' | 'active'>,
  sums: Totals,
) {
  return {
    id: slug,
    type: 'statistics',
    attributes: { first_name: firstName, last_name: lastName, active, ...toSums(sums) },
  };
}
