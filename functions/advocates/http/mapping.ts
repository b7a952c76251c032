import { type Advocate, EMPTY_ADVOCATE, referralLinks } from '../../kernel/accounts/rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../../kernel/accounts/rules/advocate-fields.ts';
import type { AffiliateCaller, CallingToken, ProgramCaller } from '../../kernel/accounts/rules/caller.ts';
import { parseGroupName } from '../../kernel/accounts/rules/group.ts';
import { maskedAccount, visibleAccount, withPayoutAccount } from '../../kernel/accounts/rules/payout-account.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { PROGRAM_FIELDS } from '../../kernel/accounts/rules/program-fields.ts';
import type { Terms } from '../../kernel/accounts/rules/terms.ts';
import { SCOPES } from '../../kernel/accounts/rules/token.ts';
import type { AdvocateFilters, ListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { InvalidField } from '../../kernel/errors.ts';
import { attributesIn, namesIn, parseInputs } from '../../kernel/fields/field-list.ts';
import { MAX_UID, parseEmail, parseText } from '../../kernel/fields/fields.ts';
import { requireScopeFor } from '../../kernel/http/authentication.ts';
import { type Paging, parsePaging, parseRange } from '../../kernel/http/list.ts';
import { parseSortCurrency, toSums } from '../../kernel/http/totals.ts';
import {
  type Checked,
  givenFields,
  type QueryEvent,
  validBody,
  validPatch,
  validQuery,
  validQueryV1,
} from '../../kernel/http/validation.ts';
import { type Seconds, type SecondsRange, seconds } from '../../kernel/time.ts';
import type { AdvocateChanges, AdvocateDraft } from '../rules/advocate-changes.ts';
import { parseSearch } from '../rules/search.ts';
import { MONEY_SORTS } from '../rules/sorts.ts';
import type { AdvocateRanking, RankedAdvocate } from '../table/ranked.ts';
import { ADVOCATE_TOKEN_BODY, ADVOCATES_QUERY, ADVOCATES_V2_QUERY, type AdvocateTokenResource } from './schema.ts';
import {
  advocateChangesBody,
  advocatesQuery,
  advocatesV2Query,
  advocateTokenBody,
  newAdvocateBody,
} from './validators.js';

/** The page and the filters of a list. */
export interface AdvocateListInput {
  readonly paging: Paging;
  readonly createdAt: SecondsRange | undefined;
  readonly filters: AdvocateFilters;
  /** The text to search for; `undefined` for a list. */
  readonly search: string | undefined;
  /** The sort by totals; `undefined` for a list by `created_at`. */
  readonly ranking: AdvocateRanking | undefined;
}

/** Parses the paging and the filter of a query of V1. Throws `InvalidField`. */
export function parseAdvocatesQuery(event: QueryEvent): AdvocateListInput {
  const query = validQueryV1(event, ADVOCATES_QUERY, advocatesQuery);
  const createdAt = parseRange('created_at', query.created_at_gt, query.created_at_lt);
  return { paging: parsePaging(query), createdAt, filters: {}, search: undefined, ranking: undefined };
}

/** Parses the paging and the filters of a query of V2. Throws `InvalidField`. */
export function parseAdvocatesV2Query(event: QueryEvent): AdvocateListInput {
  const query = validQuery(event, ADVOCATES_V2_QUERY, advocatesV2Query);
  const { email_eq, uid_eq, search } = query;
  const paging = parsePaging(query);
  if (search !== undefined && paging.page !== 1)
    throw new InvalidField('page', 'must be 1 with search: follow the Link header instead');
  return {
    paging,
    ranking: parseRanking(query),
    search: search === undefined ? undefined : parseSearch('search', search),
    createdAt: parseRange('created_at', query.created_at_gt, query.created_at_lt),
    filters: {
      ...(email_eq !== undefined && { email: parseEmail('email_eq', email_eq) }),
      ...(uid_eq !== undefined && { uid: parseText('uid_eq', uid_eq, MAX_UID) }),
      ...listFilters(query),
    },
  };
}

type ListQuery = Checked<typeof ADVOCATES_V2_QUERY>;

/** The filters of every order. */
const listFilters = ({ active_eq: active, group_eq }: ListQuery): Pick<AdvocateFilters, 'active' | 'group'> => ({
  ...(active !== undefined && { active }),
  ...(group_eq !== undefined && { group: parseGroupName('group_eq', group_eq) }),
});

const NOT_WITH_SORT = ['search', 'email_eq', 'uid_eq', 'created_at_gt', 'created_at_lt', 'page'] as const;

/** Parses a sort by totals. Throws `InvalidField`. */
function parseRanking(query: ListQuery): AdvocateRanking | undefined {
  const { sort = 'created_at' } = query;
  const currency = parseSortCurrency(query.currency, sort, MONEY_SORTS);
  if (sort === 'created_at') return undefined;
  const other = NOT_WITH_SORT.find((name) => query[name] !== undefined);
  if (other !== undefined) throw new InvalidField(other, `cannot be combined with sort=${sort}: remove one of them`);
  return { sort, currency, filters: listFilters(query) };
}

/** The fields that only a token with the scope `payouts` sees and sets. */
const PAYOUT_NAMES = namesIn(ADVOCATE_FIELDS, 'payouts');

/** Throws `MissingScope` if a body sets a payout account or a group, which is money, and the token lacks the scope. */
export function requireFieldScopes(caller: ProgramCaller, json: unknown): void {
  requireScopeFor(caller, 'payouts', PAYOUT_NAMES, json);
  requireScopeFor(caller, 'admin', ['group'], json);
}

/** Parses the body that creates an advocate. Throws `InvalidField`, or `MissingScope` for a payout account or a group. */
export function parseNewAdvocate(json: unknown, caller?: ProgramCaller): AdvocateDraft {
  if (caller) requireFieldScopes(caller, givenFields(json));
  const body = validBody(json, newAdvocateBody);
  return { ...EMPTY_ADVOCATE, ...withPayoutAccount(parseInputs(ADVOCATE_FIELDS, body)), email: body.email };
}

/** Parses the body that changes an advocate. Throws `InvalidField`, or `MissingScope` for a payout account or a group. */
export function parseAdvocateChanges(json: unknown, caller?: ProgramCaller): AdvocateChanges {
  if (caller) requireFieldScopes(caller, json);
  const body = validPatch(json, advocateChangesBody, {
    slug: 'cannot be changed, because links contain it: remove it',
  });
  const { active } = body;
  return { ...withPayoutAccount(parseInputs(ADVOCATE_FIELDS, body)), ...(active !== undefined && { active }) };
}

/** Parses the body that creates a token. Returns the seconds until it expires, if they are given. Throws `InvalidField`. */
export function parseTokenLifetime(json: unknown): number | undefined {
  return validBody(json, advocateTokenBody).expires_in;
}

/** Returns the end of a new token: at most the end of the calling token. Throws `InvalidField` for a later one. */
export function endOfToken({ expiresAt: latest }: CallingToken, lifetime: number | undefined, now: Seconds): Seconds {
  const end = seconds(now + (lifetime ?? ADVOCATE_TOKEN_BODY.properties.expires_in.default));
  if (latest === null || end <= latest) return end;
  if (lifetime === undefined) return latest;
  throw new InvalidField(
    'expires_in',
    'must not be later than the end of the calling token: shorten it, or leave it out',
  );
}

/** Builds the resource of an advocate in V1. `link` returns the referral link of a slug. */
export function toAdvocateV1(program: Program, link: (slug: string) => string, advocate: ListedAdvocate) {
  const attributes = { ...attributesIn(ADVOCATE_FIELDS, 'v1', advocate), ...derived(program, link, advocate) };
  return { id: advocate.id, type: 'advocate', attributes } as const;
}

/** Builds the resource of an advocate in V2. With a `token`, it has what the token's scopes show; else everything. */
export function toAdvocate(
  program: Program,
  link: (slug: string) => string,
  advocate: Advocate,
  token: Pick<CallingToken, 'scopes'> = { scopes: SCOPES },
) {
  const seen = { ...advocate, ...visibleAccount(token, advocate) };
  const attributes = { ...attributesIn(ADVOCATE_FIELDS, 'details', seen), ...derived(program, link, advocate) };
  return { id: advocate.id, type: 'advocate', attributes } as const;
}

/** Builds the resource of an advocate in V2's list. */
export function toAdvocateV2(program: Program, link: (slug: string) => string, advocate: ListedAdvocate) {
  const attributes = { ...attributesIn(ADVOCATE_FIELDS, 'v2', advocate), ...derived(program, link, advocate) };
  return { id: advocate.id, type: 'advocate', attributes } as const;
}

/** Builds the resource of an advocate in a list that is sorted by totals. */
export function toRankedAdvocate(
  program: Program,
  link: (slug: string) => string,
  { advocate, totals }: RankedAdvocate,
) {
  const { attributes, ...resource } = toAdvocateV2(program, link, advocate);
  return { ...resource, attributes: { ...attributes, totals: toSums(totals) } } as const;
}

/** The attributes that also depend on the program. */
function derived({ id, name }: Program, link: (slug: string) => string, { slug, companyId, company }: ListedAdvocate) {
  const hasCompany = companyId !== null || company !== null;
  return {
    referral_link: link(slug),
    company_id: hasCompany ? companyId : id,
    company: hasCompany ? company : name,
  };
}

/** Builds the response with what an affiliate sees of itself, its terms and its program. */
export function toAffiliateData({
  program,
  advocate,
  token,
  terms,
}: Omit<AffiliateCaller, 'kind'> & { readonly terms: Terms }) {
  const attributes = {
    ...attributesIn(ADVOCATE_FIELDS, 'affiliate', advocate),
    referral_link: referralLinks(program)(advocate.slug),
    payout_method: advocate.payoutMethod,
    payout_account: maskedAccount(advocate),
    payout_pending_until: advocate.payoutPendingUntil,
    ...attributesIn(PROGRAM_FIELDS, 'terms', program),
    commission_percentage: terms.commissionPercentage,
    commission_months: terms.commissionMonths,
    commission_rules_id: terms.commissionRulesId,
    program: attributesIn(PROGRAM_FIELDS, 'affiliate', program),
  };
  return {
    data: { id: advocate.id, type: 'affiliate', attributes },
    meta: { token: { expires_at: token.expiresAt, signed_in: token.isSession } },
  } as const;
}

/** Builds the resource of a new token. */
export function toAdvocateToken(id: string, token: string, expiresAt: Seconds): AdvocateTokenResource {
  return { id, type: 'token', attributes: { token, expires_at: expiresAt } };
}
