import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import { type DayGrouping, type DayRange, parseDayRange } from '../../kernel/days.ts';
import { InvalidAffiliate, InvalidField } from '../../kernel/errors.ts';
import { isSlug } from '../../kernel/fields/fields.ts';
import { type QueryEvent, validQuery } from '../../kernel/http/validation.ts';
import type { Seconds } from '../../kernel/time.ts';
import type { Numbers, Statistics } from '../rules/statistics.ts';
import {
  ADVOCATE_STATISTICS_QUERY,
  type AdvocateStatisticsResource,
  MAX_ADVOCATES,
  OWN_STATISTICS_QUERY,
  STATISTICS_QUERY,
  type StatisticsResource,
} from './schema.ts';
import { advocateStatisticsQuery, ownStatisticsQuery, statisticsQuery } from './validators.js';

interface StatisticsInput {
  readonly range: DayRange;
  readonly grouping: DayGrouping;
}

/** Parses the range and the grouping of an affiliate's query. `now` is the end of a range without one. Throws `InvalidField`. */
export function parseOwnStatisticsQuery(event: QueryEvent, now: Seconds): StatisticsInput {
  const { from, to, group_by = 'day' } = validQuery(event, OWN_STATISTICS_QUERY, ownStatisticsQuery);
  return { range: parseDayRange(from, to, now), grouping: group_by };
}

/** Parses a merchant's query: without a slug (`null`), of the whole program. Throws `InvalidField` or `InvalidAffiliate`. */
export function parseStatisticsQuery(
  event: QueryEvent,
  now: Seconds,
): StatisticsInput & { readonly slug: string | null } {
  const query = validQuery(event, STATISTICS_QUERY, statisticsQuery);
  const { affiliate_slug, from, to, group_by = 'day' } = query;
  const range = parseDayRange(from, to, now);
  return { slug: affiliate_slug === undefined ? null : parseSlug(affiliate_slug), range, grouping: group_by };
}

/** Parses the query of a list of advocates. Throws `InvalidField`, or `InvalidAffiliate` for a malformed or repeated slug. */
export function parseAdvocateStatisticsQuery(
  event: QueryEvent,
  now: Seconds,
): { readonly range: DayRange; readonly slugs: readonly string[] | undefined } {
  const query = validQuery(event, ADVOCATE_STATISTICS_QUERY, advocateStatisticsQuery);
  const range = parseDayRange(query.from, query.to, now);
  const slugs = query.slugs?.split(',').map(parseSlug);
  if (slugs && new Set(slugs).size < slugs.length) throw new InvalidAffiliate();
  if (slugs && slugs.length > MAX_ADVOCATES) {
    throw new InvalidField('slugs', `must be at most ${MAX_ADVOCATES} slugs: send several requests`);
  }
  return { range, slugs };
}

function parseSlug(text: string): string {
  if (!isSlug(text)) throw new InvalidAffiliate();
  return text.toLowerCase();
}

/** Builds the resource of statistics. `id` is the advocate's slug or the program's id. */
export function toStatistics(id: string, { total, groups }: Statistics): StatisticsResource {
  return {
    id,
    type: 'statistics',
    attributes: { total, groups: groups.map(({ key, numbers }) => ({ key, ...numbers })) },
  };
}

/** Builds the resource of an advocate's total. */
export function toAdvocateStatistics(
  { slug, firstName, lastName, active }: Pick<Advocate, 'slug' | 'firstName' | 'lastName' | 'active'>,
  numbers: Numbers,
): AdvocateStatisticsResource {
  return {
    id: slug,
    type: 'statistics',
    attributes: { first_name: firstName, last_name: lastName, active, ...numbers },
  };
}
