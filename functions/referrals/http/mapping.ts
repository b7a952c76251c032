import { InvalidField } from '../../kernel/errors.ts';
import { parseSlug, parseSubId } from '../../kernel/fields/fields.ts';
import { type Paging, parsePaging, parseRange } from '../../kernel/http/list.ts';
import { type QueryEvent, validBody, validQuery, validQueryV1 } from '../../kernel/http/validation.ts';
import type { Counts, Grouping, StateCounts } from '../rules/counts.ts';
import type { CustomerReference } from '../rules/referral.ts';
import { parseSearch } from '../rules/search.ts';
import type { ReferralFilters } from '../table/advocate-referrals.ts';
import type { CountFilters } from '../table/counts.ts';
import type { ProgramFilters } from '../table/program-referrals.ts';
import { parseReference } from './customer.ts';
import { COUNTS_QUERY, type CountsResource, OWN_COUNTS_QUERY, REFERRALS_QUERY, REFERRALS_V2_QUERY } from './schema.ts';
import { countsQuery, lookupBody, ownCountsQuery, referralsQuery, referralsV2Query, searchBody } from './validators.js';

/** The page and the filters of a list. */
interface ListInput {
  readonly paging: Paging;
  readonly filters: ReferralFilters;
}

/** The list of one advocate. */
interface AdvocateListInput extends ListInput {
  readonly slug: string;
}

/** The list of all referrals of a program. */
interface ProgramListInput {
  readonly slug: undefined;
  readonly paging: Paging;
  readonly filters: ProgramFilters;
}

interface CountInput {
  readonly filters: CountFilters;
  readonly grouping: Grouping | undefined;
}

type ReferralsQuery = Parameters<typeof parsePaging>[0] & {
  readonly state_eq?: ReferralFilters['state'];
  readonly sub_id_eq?: string;
} & Readonly<Partial<Record<`${'created_at' | 'state_set_at'}_${'gt' | 'lt'}`, string>>>;

/** Parses the paging and the filters of an affiliate's query. Throws `InvalidField`. */
export function parseReferralsQuery(event: QueryEvent): ListInput {
  return parseListInput(validQueryV1(event, REFERRALS_QUERY, referralsQuery));
}

/** Parses the same of V2, which rejects unknown parameters. Throws `InvalidField`. */
export function parseOwnReferralsQuery(event: QueryEvent): ListInput {
  return parseListInput(validQuery(event, REFERRALS_QUERY, referralsQuery));
}

/** Parses the paging and the filters of a merchant's query, for one advocate or for all. Throws `InvalidField`. */
export function parseReferralsV2Query(event: QueryEvent): AdvocateListInput | ProgramListInput {
  const query = validQuery(event, REFERRALS_V2_QUERY, referralsV2Query);
  const { affiliate_slug, flag_eq } = query;
  const input = parseListInput(query);
  if (affiliate_slug !== undefined) {
    if (flag_eq !== undefined)
      throw new InvalidField('flag_eq', 'cannot be combined with affiliate_slug: remove one of them');
    return { slug: parseSlug('affiliate_slug', affiliate_slug), ...input };
  }
  const { paging, filters } = input;
  const { state, stateSetAt } = filters;
  const unknown = (['sub_id_eq', 'created_at_gt', 'created_at_lt'] as const).find((name) => query[name] !== undefined);
  if (unknown !== undefined) throw new InvalidField(unknown, 'requires affiliate_slug: add it, or remove this filter');
  if (state === 'clicked') throw new InvalidField('state_eq', 'can be clicked only with affiliate_slug: add it');
  if (paging.page !== 1)
    throw new InvalidField('page', 'must be 1 without affiliate_slug: follow the Link header instead');
  return { slug: undefined, paging, filters: { state, stateSetAt, flag: flag_eq } };
}

function parseListInput(query: ReferralsQuery): ListInput {
  return {
    paging: parsePaging(query),
    filters: {
      state: query.state_eq,
      subId: subIdIn(query),
      createdAt: parseRange('created_at', query.created_at_gt, query.created_at_lt),
      stateSetAt: parseRange('state_set_at', query.state_set_at_gt, query.state_set_at_lt),
    },
  };
}

/** Parses the filters and the grouping of an affiliate's query. Throws `InvalidField`. */
export function parseOwnCountsQuery(event: QueryEvent): CountInput {
  return parseCountInput(validQuery(event, OWN_COUNTS_QUERY, ownCountsQuery));
}

/** Parses the affiliate, the filters and the grouping of a merchant's query. Throws `InvalidField`. */
export function parseCountsQuery(event: QueryEvent): CountInput & { readonly slug: string } {
  const query = validQuery(event, COUNTS_QUERY, countsQuery);
  return { slug: parseSlug('affiliate_slug', query.affiliate_slug), ...parseCountInput(query) };
}

function parseCountInput(query: {
  readonly group_by?: Grouping;
  readonly sub_id_eq?: string;
  readonly created_at_gt?: string;
  readonly created_at_lt?: string;
  readonly clicks?: boolean;
}): CountInput {
  const createdAt = parseRange('created_at', query.created_at_gt, query.created_at_lt);
  const clicks = query.clicks ?? OWN_COUNTS_QUERY.properties.clicks.default;
  return { filters: { subId: subIdIn(query), createdAt, clicks }, grouping: query.group_by };
}

function subIdIn({ sub_id_eq }: { readonly sub_id_eq?: string }): string | undefined {
  return sub_id_eq === undefined ? undefined : parseSubId('sub_id_eq', sub_id_eq);
}

/** Parses the customer to look up. Throws `InvalidField`. */
export function parseLookup(json: unknown): CustomerReference {
  return parseReference(validBody(json, lookupBody));
}

/** Parses a search: its text, and the page that the cursor leads to. Throws `InvalidField`. */
export function parseReferralSearch(json: unknown): { readonly text: string; readonly paging: Paging } {
  const { text, cursor } = validBody(json, searchBody);
  return { text: parseSearch('text', text), paging: parsePaging(cursor === undefined ? {} : { cursor }) };
}

/** Builds the resource of an advocate's counts. Clicks that were not counted are `null`. */
export function toCounts(slug: string, { total, groups, other }: Counts, clicks: boolean): CountsResource {
  const shown = (counts: StateCounts) => (clicks ? counts : { ...counts, clicked: null });
  return {
    id: slug,
    type: 'counts',
    attributes: {
      total: shown(total),
      groups: groups.map(({ key, counts }) => ({ key, ...shown(counts) })),
      other: other && shown(other),
    },
  };
}
