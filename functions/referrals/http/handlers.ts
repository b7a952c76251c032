import type { Program } from '../../kernel/accounts/rules/program.ts';
import { findAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { InvalidAffiliate } from '../../kernel/errors.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../../kernel/http/context.ts';
import { cursorOf, listResponse, type Paging, searchResponse, startOf } from '../../kernel/http/list.ts';
import { json } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { exactNumbers } from '../../kernel/json.ts';
import { searchFor } from '../rules/search.ts';
import { STATES } from '../rules/state.ts';
import { readReferrals } from '../table/advocate-referrals.ts';
import { countReferrals } from '../table/counts.ts';
import { lookUpReferral } from '../table/customers.ts';
import { type BroughtBy, readBrought } from '../table/money.ts';
import { type ProgramFilters, readProgramPage } from '../table/program-referrals.ts';
import { type ListedReferral, parseProgramReferral } from '../table/referral-item.ts';
import {
  parseCountsQuery,
  parseLookup,
  parseOwnCountsQuery,
  parseOwnReferralsQuery,
  parseReferralSearch,
  parseReferralsQuery,
  parseReferralsV2Query,
  toCounts,
} from './mapping.ts';
import {
  type Resource,
  toListedReferral,
  toMerchantReferral,
  toOwnReferral,
  toReferralDetails,
  withMoney,
} from './referral.ts';
import { REFERRAL_ROUTES } from './routes.ts';

/** The advocate whose referrals are read. */
interface Owner {
  readonly program: Pick<Program, 'id'>;
  readonly slug: string;
}

const ALL: ProgramFilters = { state: undefined, stateSetAt: undefined, flag: undefined };

/** `GET /v1/affiliate/referrals`: the referrals of the token's advocate, newest first. */
export function listOwnHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: REFERRAL_ROUTES.listReferrals,
    service,
    input: parseReferralsQuery,
    handle: ({ caller: { program, advocate }, input, table, event }) => {
      const resourceOf = (row: ListedReferral) => toListedReferral(row, program.affiliatesSeeEmail);
      return list(table, event, { name: 'referrals', owner: { program, slug: advocate.slug }, ...input, resourceOf });
    },
  });
}

/** `GET /v2/affiliate/referrals`: the same list, with what each referral has brought. */
export function listOwnV2Handler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: REFERRAL_ROUTES.listOwnReferrals,
    service,
    input: parseOwnReferralsQuery,
    handle: ({ caller: { program, advocate }, input, table, event }) => {
      const resourceOf = (row: ListedReferral) => toOwnReferral(row, program.affiliatesSeeEmail);
      const owner = { program, slug: advocate.slug };
      return list(table, event, { name: 'own referrals', owner, ...input, resourceOf, hasMoney: true });
    },
  });
}

/** `GET /v2/referrals`: the referrals of one advocate or of the whole program, for the merchant. */
export function listV2Handler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: REFERRAL_ROUTES.listReferralsV2,
    service,
    input: parseReferralsV2Query,
    handle: ({ caller: { program }, input, table, event }) => {
      if (input.slug === undefined) return listProgram(table, event, program.id, input);
      const { slug } = input;
      const owner = { program, slug };
      return list(table, event, {
        name: 'referrals v2',
        owner,
        ...input,
        resourceOf: (row) => toMerchantReferral({ ...row, advocateSlug: slug }),
        hasMoney: true,
        onEmpty: () => requireAdvocate(table, owner),
      });
    },
  });
}

/** Responds with a page of all referrals of a program, the latest change first. */
async function listProgram(
  table: Table,
  event: HttpEvent,
  program: string,
  { paging, filters }: { readonly paging: Paging; readonly filters: ProgramFilters },
): Promise<HttpResult> {
  const list = ['program referrals', program, filters];
  const { page, start } = startOf(paging, list);
  const after = 'after' in start ? start.after : undefined;
  const { items, next } = await readProgramPage(table, program, filters, { after, size: paging.perPage });
  const referrals = items.map(parseProgramReferral);
  const data = await withAllMoney(table, program, referrals, toMerchantReferral);
  return listResponse(event, paging, list, { page, next, data });
}

/** A list of an advocate's referrals. */
interface ReferralList extends ReturnType<typeof parseReferralsQuery> {
  /** Distinguishes the cursors of the lists. It can never change, because cursors do not expire. */
  readonly name: 'referrals' | 'referrals v2' | 'own referrals';
  readonly owner: Owner;
  readonly resourceOf: (row: ListedReferral) => Resource;
  /** True to add what each referral has brought. */
  readonly hasMoney?: boolean;
  /** Called if the page has no rows. */
  readonly onEmpty?: () => Promise<void>;
}

/** Responds with a page of an advocate's referrals. */
async function list(
  table: Table,
  event: HttpEvent,
  { name, owner, paging, filters, resourceOf, onEmpty, hasMoney = false }: ReferralList,
) {
  const { program, slug } = owner;
  const list = [name, program.id, slug, filters];
  const { page, start } = startOf(paging, list);
  const size = paging.perPage;
  const { referrals, next } = await readReferrals(table, { program: program.id, slug }, filters, { start, size });
  if (referrals.length === 0) await onEmpty?.();
  const rows = referrals.map((row) => ({ ...row, advocateSlug: slug }));
  const data = hasMoney ? await withAllMoney(table, program.id, rows, resourceOf) : rows.map(resourceOf);
  return listResponse(event, paging, list, { page, next, data });
}

/** Builds the resources of referrals with what each has brought, with one more request. */
async function withAllMoney<Row extends BroughtBy>(
  table: Table,
  program: string,
  rows: readonly Row[],
  resourceOf: (row: Row) => Resource,
): Promise<unknown[]> {
  const all = await readBrought(table, program, rows);
  return all.map(({ referral, brought }) => exactNumbers(withMoney(resourceOf(referral), brought)));
}

/**
 * Throws `InvalidAffiliate` if the advocate does not exist. Only called if it has no referrals: others show that it does.
 */
async function requireAdvocate(table: Table, { program, slug }: Owner): Promise<void> {
  if (!(await findAdvocate(table, program.id, slug))) throw new InvalidAffiliate();
}

/** `POST /v2/referrals/lookup`: the referral of a customer, with its history. */
export function lookupHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: REFERRAL_ROUTES.lookUpReferral,
    service,
    input: (_, body) => parseLookup(body),
    handle: async ({ caller: { program }, input, table }) =>
      json(200, exactNumbers({ data: toReferralDetails(await lookUpReferral(table, program.id, input)) })),
  });
}

/** `POST /v2/referrals/search`: the referrals whose email, uid or advocate's slug begins with a text, for the merchant. */
export function searchHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: REFERRAL_ROUTES.searchReferrals,
    service,
    input: (_, body) => parseReferralSearch(body),
    handle: async ({ caller: { program }, input: { text, paging }, table }) => {
      const list = ['search of referrals', program.id, text];
      const { page, after } = cursorOf(paging, list);
      const isFound = searchFor(text);
      const { items, next } = await readProgramPage(table, program.id, ALL, { after, size: paging.perPage, isFound });
      const data = await withAllMoney(table, program.id, items.map(parseProgramReferral), toMerchantReferral);
      return searchResponse(paging, list, { page, next, data });
    },
  });
}

/** `GET /v2/affiliate/referrals/counts`: how many referrals the token's advocate has in each state. */
export function countOwnHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: REFERRAL_ROUTES.countOwnReferrals,
    service,
    input: parseOwnCountsQuery,
    handle: async ({ caller: { program, advocate }, input: { filters, grouping }, table }) => {
      const counts = await countReferrals(table, program.id, advocate.slug, { ...filters, grouping });
      return json(200, { data: toCounts(advocate.slug, counts, filters.clicks) });
    },
  });
}

/** `GET /v2/referrals/counts`: how many referrals one advocate has in each state, for the merchant. */
export function countHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: REFERRAL_ROUTES.countReferrals,
    service,
    input: parseCountsQuery,
    handle: async ({ caller: { program }, input: { slug, filters, grouping }, table }) => {
      const counts = await countReferrals(table, program.id, slug, { ...filters, grouping });
      if (STATES.every((state) => counts.total[state] === 0)) await requireAdvocate(table, { program, slug });
      return json(200, { data: toCounts(slug, counts, filters.clicks) });
    },
  });
}
