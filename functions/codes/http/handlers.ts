import { findAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { InvalidAffiliate } from '../../kernel/errors.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../../kernel/http/context.ts';
import { cursorOf, listResponse, type Paging } from '../../kernel/http/list.ts';
import { json } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { putCode } from '../table/put-code.ts';
import { type CodePage, type CodePaging, readCodes, readCodesOf } from '../table/read-codes.ts';
import { parseCodeRequest, parseCodesQuery, parseOwnCodesQuery, toCode } from './mapping.ts';
import { CODE_ROUTES } from './routes.ts';

/** The operations on promotion codes. */
export const codeHandlers = (service: Service<Table>) => ({
  putCode: putHandler(service),
  listCodes: listHandler(service),
  listOwnCodes: listOwnHandler(service),
});

/** `PUT /v2/codes/{code}`: gives an advocate a code, or changes it. */
function putHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: CODE_ROUTES.putCode,
    service,
    input: parseCodeRequest,
    handle: async ({ caller: { program }, input, table }) =>
      json(200, { data: toCode((await putCode(table, program.id, input)).code) }),
  });
}

/** `GET /v2/codes`: the codes of the program in their order, or of one advocate, newest first. */
function listHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: CODE_ROUTES.listCodes,
    service,
    input: parseCodesQuery,
    handle: async ({ caller: { program }, input: { paging, slug }, table, event }) => {
      if (slug === undefined) {
        return list(event, paging, ['codes', program.id], (page) => readCodes(table, program.id, page));
      }
      return list(event, paging, ['codes', program.id, slug], async (page) => {
        const found = await readCodesOf(table, program.id, slug, page);
        if (found.codes.length === 0 && !(await findAdvocate(table, program.id, slug))) throw new InvalidAffiliate();
        return found;
      });
    },
  });
}

/** `GET /v2/affiliate/codes`: the codes of the token's advocate, newest first. */
function listOwnHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: CODE_ROUTES.listOwnCodes,
    service,
    input: parseOwnCodesQuery,
    handle: ({ caller: { program, advocate }, input: paging, table, event }) =>
      list(event, paging, ['own codes', program.id, advocate.slug], (page) =>
        readCodesOf(table, program.id, advocate.slug, page),
      ),
  });
}

async function list(
  event: HttpEvent,
  paging: Paging,
  name: readonly string[],
  read: (page: CodePaging) => Promise<CodePage>,
): Promise<HttpResult> {
  const { page, after } = cursorOf(paging, name);
  const { codes, next } = await read({ after, size: paging.perPage });
  return listResponse(event, paging, name, { page, next, data: codes.map(toCode) });
}
