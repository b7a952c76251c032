import { makeToken, newToken } from '../../kernel/accounts/rules/token.ts';
import { rulesOf } from '../../kernel/accounts/table/commission-rules.ts';
import { findProgram } from '../../kernel/accounts/table/programs.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { TokenNotFound, TokenRevoked } from '../../kernel/errors.ts';
import type { HttpHandler } from '../../kernel/http/context.ts';
import { json, noContent } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { assertNoQuery } from '../../kernel/http/validation.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { secondOf } from '../../kernel/time.ts';
import { createProgramToken, listProgramTokens, revokeProgramToken, updateProgram } from '../table/program-changes.ts';
import {
  checkProgramScopes,
  draftToken,
  parseNewToken,
  parseProgramChanges,
  toNewProgramToken,
  toProgramData,
  toProgramToken,
} from './mapping.ts';
import { PROGRAM_ROUTES } from './routes.ts';

/** The operations on the program and its tokens. */
export const programHandlers = (service: Service<Table>) => ({
  getProgram: getProgramHandler(service),
  updateProgram: updateProgramHandler(service),
  listTokens: listTokensHandler(service),
  createProgramToken: createProgramTokenHandler(service),
  revokeToken: revokeTokenHandler(service),
});

/** `GET /v2/program`: the program of the token as it is stored, because the caller's may be 30 seconds old. */
export function getProgramHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PROGRAM_ROUTES.getProgram,
    service,
    input: assertNoQuery,
    handle: async ({ caller, table }) => {
      const program = await findProgram(table, caller.program.id);
      // Its tokens were deleted with it.
      if (!program) throw new TokenRevoked();
      return json(200, toProgramData({ ...caller, program, rules: await rulesOf(table, program.id, program) }));
    },
  });
}

/** `PATCH /v2/program`: changes the fields that are given, in the program and in its tokens. */
function updateProgramHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PROGRAM_ROUTES.updateProgram,
    service,
    input: (_, body, caller) => {
      checkProgramScopes(caller, body);
      return parseProgramChanges(body);
    },
    handle: async ({ caller, input: changes, table }) => {
      const program = await updateProgram(table, caller.program.id, changes);
      const rules = await rulesOf(table, program.id, program);
      return json(200, toProgramData({ ...caller, program, rules }));
    },
  });
}

/** `GET /v2/tokens`: the program tokens that are neither revoked nor expired. */
function listTokensHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PROGRAM_ROUTES.listTokens,
    service,
    input: assertNoQuery,
    handle: async ({ caller: { program }, table }) =>
      json(200, { data: (await listProgramTokens(table, program.id)).map(toProgramToken) }),
  });
}

/** `POST /v2/tokens`: a program token that has no scope that the calling token lacks. */
function createProgramTokenHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PROGRAM_ROUTES.createProgramToken,
    service,
    input: (_, body) => parseNewToken(body),
    handle: async ({ caller, input, table }) => {
      const now = table.clock();
      const draft = draftToken(caller, input, secondOf(now));
      const token = makeToken('program', table.random);
      const record = newToken(draft, uuidv7(now, table.random), secondOf(now));
      await createProgramToken(table, caller.program.id, { token, record, creator: caller.tokenHash });
      return json(201, { data: toNewProgramToken(record, token) });
    },
  });
}

/** `DELETE /v2/tokens/{id}`: revokes a program token. */
function revokeTokenHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PROGRAM_ROUTES.revokeToken,
    service,
    input: ({ pathParameters }) => pathParameters?.['id'] ?? '',
    handle: async ({ caller: { program }, input: id, table }) => {
      if (!(await revokeProgramToken(table, program.id, id))) throw new TokenNotFound();
      return noContent();
    },
  });
}
