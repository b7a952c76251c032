import {
  createAdvocateHandler,
  createTokenHandler,
  eraseAdvocateHandler,
  getAdvocateHandler,
  getAffiliateHandler,
  listV1Handler,
  listV2Handler,
  revokeTokensHandler,
  updateAdvocateHandler,
} from '../advocates/http/handlers.ts';
import { serviceOn } from '../kernel/accounts/table/callers.ts';
import type { Connection } from '../kernel/dynamodb/connection.ts';
import type { Edge } from '../kernel/edge.ts';
import type { HttpHandler } from '../kernel/http/context.ts';
import { byRoute } from '../kernel/http/route-handler.ts';
import { programHandlers } from '../program/http/handlers.ts';
import { type OperationOf, ROUTES } from '../routes.ts';

/** The operations on the program, its advocates, and the tokens of both. */
export function advocatesHandler(connection: Connection, edge?: Edge): HttpHandler {
  const service = serviceOn(connection, edge);
  return byRoute<OperationOf<'advocates'>>(ROUTES, {
    ...programHandlers(service),
    listAdvocatesV2: listV2Handler(service),
    createAdvocate: createAdvocateHandler(service),
    getAdvocate: getAdvocateHandler(service),
    updateAdvocate: updateAdvocateHandler(service),
    eraseAdvocate: eraseAdvocateHandler(service),
    createAdvocateToken: createTokenHandler(service),
    revokeAdvocateTokens: revokeTokensHandler(service),
    getAffiliate: getAffiliateHandler(service),
    listAdvocates: listV1Handler(service),
  });
}
