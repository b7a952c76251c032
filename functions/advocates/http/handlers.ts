import { type Advocate, referralLinks } from '../../kernel/accounts/rules/advocate.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { makeToken, newToken } from '../../kernel/accounts/rules/token.ts';
import { findAdvocate, readAdvocates } from '../../kernel/accounts/table/advocate-items.ts';
import { assertGroup } from '../../kernel/accounts/table/groups.ts';
import { createTokenBy } from '../../kernel/accounts/table/tokens.ts';
import type { PageStart } from '../../kernel/dynamodb/page.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { AdvocateErased, AdvocateNotFound } from '../../kernel/errors.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../../kernel/http/context.ts';
import { cursorOf, listResponse, type Paging, startOf } from '../../kernel/http/list.ts';
import { json, noContent } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { assertNoQuery, slugInPath } from '../../kernel/http/validation.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { exactNumbers } from '../../kernel/json.ts';
import { secondOf } from '../../kernel/time.ts';
import { draftAdvocate } from '../rules/advocate-changes.ts';
import { createAdvocate, eraseAdvocate, revokeAdvocateTokens, updateAdvocate } from '../table/advocates.ts';
import { readAdvocatesByEmail } from '../table/by-email.ts';
import { type AdvocateRanking, rankAdvocates } from '../table/ranked.ts';
import { searchAdvocates } from '../table/search.ts';
import {
  type AdvocateListInput,
  endOfToken,
  parseAdvocateChanges,
  parseAdvocatesQuery,
  parseAdvocatesV2Query,
  parseNewAdvocate,
  parseTokenLifetime,
  toAdvocate,
  toAdvocateToken,
  toAdvocateV1,
  toAdvocateV2,
  toAffiliateData,
  toRankedAdvocate,
} from './mapping.ts';
import { ADVOCATE_ROUTES } from './routes.ts';

/** `GET /v1/advocates`: the advocates of the token's program, newest first. */
export const listV1Handler = (service: Service<Table>) =>
  listHandler(service, ADVOCATE_ROUTES.listAdvocates, {
    name: 'advocates',
    parse: parseAdvocatesQuery,
    resourceOf: toAdvocateV1,
  });

/** `GET /v2/advocates`: the same list with the resource of V2. */
export const listV2Handler = (service: Service<Table>) =>
  listHandler(service, ADVOCATE_ROUTES.listAdvocatesV2, {
    name: 'advocates v2',
    parse: parseAdvocatesV2Query,
    resourceOf: toAdvocateV2,
  });

/** A list of advocates. */
interface AdvocateList {
  /** Distinguishes the cursors of the lists. It can never change, because cursors do not expire. */
  readonly name: 'advocates' | 'advocates v2';
  readonly parse: typeof parseAdvocatesQuery;
  readonly resourceOf: typeof toAdvocateV1 | typeof toAdvocateV2;
}

function listHandler(
  service: Service<Table>,
  route: typeof ADVOCATE_ROUTES.listAdvocates | typeof ADVOCATE_ROUTES.listAdvocatesV2,
  { name, parse, resourceOf }: AdvocateList,
): HttpHandler {
  return routeHandler({
    route,
    service,
    input: parse,
    handle: async ({ caller: { program }, input, table, event }) => {
      const { paging, createdAt, filters, search, ranking } = input;
      if (ranking) return rankedResponse(table, event, program, { paging, ranking });
      // Without filters and search, the cursors from before there were any stay valid.
      const filter = [...(Object.keys(filters).length > 0 ? [filters] : []), ...(search === undefined ? [] : [search])];
      const list = [name, program.id, createdAt, ...filter];
      const { page, start } = startOf(paging, list);
      const size = paging.perPage;
      const { advocates, next } = await readPage(table, program.id, { search, createdAt, filters }, { start, size });
      const link = referralLinks(program);
      const data = advocates.map((advocate) => resourceOf(program, link, advocate));
      return listResponse(event, paging, list, { page, next, data });
    },
  });
}

/** Reads a page in the way that costs least. */
function readPage(
  table: Table,
  program: string,
  { search, createdAt, filters }: Pick<AdvocateListInput, 'search' | 'createdAt' | 'filters'>,
  page: { readonly start: PageStart; readonly size: number },
): ReturnType<typeof readAdvocates> {
  const { email } = filters;
  if (typeof email === 'string' && search === undefined) {
    return readAdvocatesByEmail(table, program, { createdAt, filters: { ...filters, email } }, page);
  }
  if (search === undefined) return readAdvocates(table, program, { createdAt, filters }, page);
  const after = 'after' in page.start ? page.start.after : undefined;
  return searchAdvocates(table, program, { text: search, createdAt, filters }, { after, size: page.size });
}

/** Responds with a page of advocates in the order of their totals. */
async function rankedResponse(
  table: Table,
  event: HttpEvent,
  program: Program,
  { paging, ranking }: { readonly paging: Paging; readonly ranking: AdvocateRanking },
): Promise<HttpResult> {
  const list = ['ranked advocates', program.id, ranking];
  const { page, after } = cursorOf(paging, list);
  const { advocates, next } = await rankAdvocates(table, program.id, ranking, { after, size: paging.perPage });
  const link = referralLinks(program);
  const data = advocates.map((advocate) => exactNumbers(toRankedAdvocate(program, link, advocate)));
  return listResponse(event, paging, list, { page, next, data });
}

/** `POST /v2/advocates`: a new advocate. Without a slug, one is derived from the names. */
export function createAdvocateHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: ADVOCATE_ROUTES.createAdvocate,
    service,
    input: (_, body, caller) => parseNewAdvocate(body, caller),
    handle: async ({ caller: { program, token }, input, table }) => {
      const now = table.clock();
      await assertGroup(table, program.id, input.group);
      const draft = draftAdvocate(input, program, {
        id: uuidv7(now, table.random),
        now: secondOf(now),
        random: table.random,
      });
      const advocate = await createAdvocate(table, program.id, draft.advocate, draft);
      return json(201, { data: toAdvocate(program, referralLinks(program), advocate, token) });
    },
  });
}

/** `GET /v2/advocates/{slug}`. */
export function getAdvocateHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: ADVOCATE_ROUTES.getAdvocate,
    service,
    input: (event) => {
      assertNoQuery(event);
      return slugInPath(event);
    },
    handle: async ({ caller: { program, token }, input: slug, table }) => {
      const advocate = await requireAdvocate(table, program.id, slug);
      return json(200, { data: toAdvocate(program, referralLinks(program), advocate, token) });
    },
  });
}

/** Throws `AdvocateNotFound` if the slug is malformed (`undefined`) or unknown. */
async function requireAdvocate(table: Table, program: string, slug: string | undefined): Promise<Advocate> {
  const advocate = slug === undefined ? undefined : await findAdvocate(table, program, slug);
  if (!advocate) throw new AdvocateNotFound();
  return advocate;
}

/** `PATCH /v2/advocates/{slug}`: changes the fields that are given. */
export function updateAdvocateHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: ADVOCATE_ROUTES.updateAdvocate,
    service,
    input: (event, body, caller) => ({ slug: slugInPath(event), changes: parseAdvocateChanges(body, caller) }),
    handle: async ({ caller: { program, token }, input: { slug, changes }, table }) => {
      if (slug === undefined) throw new AdvocateNotFound();
      await assertGroup(table, program.id, changes.group);
      const advocate = await updateAdvocate(table, program.id, slug, changes);
      return json(200, { data: toAdvocate(program, referralLinks(program), advocate, token) });
    },
  });
}

/** `POST /v2/advocates/{slug}/erase`: erases the person. */
export function eraseAdvocateHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: ADVOCATE_ROUTES.eraseAdvocate,
    service,
    input: slugInPath,
    handle: async ({ caller: { program }, input: slug, table }) => {
      if (slug === undefined) throw new AdvocateNotFound();
      await eraseAdvocate(table, program.id, slug);
      return noContent();
    },
  });
}

/** `POST /v2/advocates/{slug}/tokens`: an affiliate token that expires, for the page of a signed-in advocate. */
export function createTokenHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: ADVOCATE_ROUTES.createAdvocateToken,
    service,
    input: (event, body) => ({ slug: slugInPath(event), lifetime: parseTokenLifetime(body) }),
    handle: async ({ caller, input: { slug, lifetime }, table }) => {
      const now = table.clock();
      const createdAt = secondOf(now);
      const expiresAt = endOfToken(caller.token, lifetime, createdAt);
      const advocate = await requireAdvocate(table, caller.program.id, slug);
      if (advocate.erasedAt !== null) throw new AdvocateErased();
      const token = makeToken('affiliate', table.random);
      const record = newToken({ advocate, expiresAt, member: caller.member }, uuidv7(now, table.random), createdAt);
      await createTokenBy(table, caller.program, { token, record, creator: caller.tokenHash });
      return json(201, { data: toAdvocateToken(record.id, token, expiresAt) });
    },
  });
}

/** `DELETE /v2/advocates/{slug}/tokens`: revokes all tokens of the advocate. */
export function revokeTokensHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: ADVOCATE_ROUTES.revokeAdvocateTokens,
    service,
    input: slugInPath,
    handle: async ({ caller: { program }, input: slug, table }) => {
      if (slug === undefined) throw new AdvocateNotFound();
      await revokeAdvocateTokens(table, program.id, slug);
      return noContent();
    },
  });
}

/** `GET /v2/affiliate`: the advocate of the token, its terms and its program. */
export function getAffiliateHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: ADVOCATE_ROUTES.getAffiliate,
    service,
    input: assertNoQuery,
    handle: async ({ caller, table }) => {
      const terms = await service.termsOf(table, caller.program, caller.advocate);
      return json(200, toAffiliateData({ ...caller, terms }));
    },
  });
}
