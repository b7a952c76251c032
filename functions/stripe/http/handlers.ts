import type { Program } from '../../kernel/accounts/rules/program.ts';
import { findProgram } from '../../kernel/accounts/table/programs.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { ProgramNotFound } from '../../kernel/errors.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../../kernel/http/context.ts';
import { json, noContent, urlOf } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { assertNoQuery } from '../../kernel/http/validation.ts';
import type { SecretStore } from '../../kernel/secrets/secrets.ts';
import { connectStripe, disconnectStripe, findStripe, type StripeConnection, stripePath } from './connection.ts';
import { parseStripe, toStripe } from './mapping.ts';
import { STRIPE_CONNECTION_ROUTES } from './routes.ts';

/** `GET /v2/integrations/stripe`: the connection of the program, without its secrets. */
export function getHandler(service: Service<Table>, secrets: SecretStore): HttpHandler {
  return routeHandler({
    route: STRIPE_CONNECTION_ROUTES.getStripe,
    service,
    input: assertNoQuery,
    handle: async ({ caller, table, event }) =>
      response(event, await findStripe({ table, secrets }, await storedProgram(table, caller.program))),
  });
}

/** `PUT /v2/integrations/stripe`: adds a signing secret, and changes the effect of refunds. */
export function connectHandler(service: Service<Table>, secrets: SecretStore): HttpHandler {
  return routeHandler({
    route: STRIPE_CONNECTION_ROUTES.connectStripe,
    service,
    input: (_, body) => parseStripe(body),
    handle: async ({ caller, input, table, event }) =>
      response(event, await connectStripe({ table, secrets }, await storedProgram(table, caller.program), input)),
  });
}

/** `DELETE /v2/integrations/stripe`: removes all signing secrets. */
export function disconnectHandler(service: Service<Table>, secrets: SecretStore): HttpHandler {
  return routeHandler({
    route: STRIPE_CONNECTION_ROUTES.disconnectStripe,
    service,
    input: () => undefined,
    handle: async ({ caller, table }) => {
      await disconnectStripe({ table, secrets }, caller.program);
      return noContent();
    },
  });
}

/** Reads the program, because the caller's may be 30 seconds old. Throws `ProgramNotFound`. */
async function storedProgram(table: Table, { id }: Program): Promise<Program> {
  const program = await findProgram(table, id);
  if (!program) throw new ProgramNotFound();
  return program;
}

function response(event: HttpEvent, connection: StripeConnection): HttpResult {
  return json(200, toStripe(connection, urlOf(event, stripePath(connection.program))));
}
