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
import { ADVOCATE_ROUTES } from '../advocates/http/routes.ts';
import { codeHandlers } from '../codes/http/handlers.ts';
import { CODE_ROUTES } from '../codes/http/routes.ts';
import { serviceOn } from '../kernel/accounts/table/callers.ts';
import type { Connection } from '../kernel/dynamodb/connection.ts';
import type { Edge } from '../kernel/edge.ts';
import type { HttpHandler } from '../kernel/http/context.ts';
import { byRoute } from '../kernel/http/route-handler.ts';
import { payoutHandlers } from '../ledger/http/payouts/handlers.ts';
import { PAYOUT_ROUTES } from '../ledger/http/payouts/routes.ts';
import { brandHandlers } from '../program/http/brand/handlers.ts';
import { BRAND_ROUTES } from '../program/http/brand/routes.ts';
import { programHandlers } from '../program/http/handlers.ts';
import { PROGRAM_ROUTES } from '../program/http/routes.ts';
import type { OperationOf } from '../routes.ts';
import { termsHandlers } from '../terms/http/handlers.ts';
import { TERMS_ROUTES } from '../terms/http/routes.ts';

/** Only the lists with a route of this function: a bundle contains no others. */
const ROUTES_HERE = {
  ...PROGRAM_ROUTES,
  ...BRAND_ROUTES,
  ...ADVOCATE_ROUTES,
  ...TERMS_ROUTES,
  ...CODE_ROUTES,
  ...PAYOUT_ROUTES,
};

/** The operations on the program, its advocates, the tokens of both, groups and codes, and what advocates were paid. */
export function advocatesHandler(connection: Connection, edge?: Edge): HttpHandler {
  const service = serviceOn(connection, edge);
  return byRoute<OperationOf<'advocates'>>(ROUTES_HERE, {
    ...programHandlers(service),
    ...brandHandlers(service),
    listAdvocatesV2: listV2Handler(service),
    createAdvocate: createAdvocateHandler(service),
    getAdvocate: getAdvocateHandler(service),
    updateAdvocate: updateAdvocateHandler(service),
    eraseAdvocate: eraseAdvocateHandler(service),
    createAdvocateToken: createTokenHandler(service),
    revokeAdvocateTokens: revokeTokensHandler(service),
    ...termsHandlers(service),
    ...codeHandlers(service),
    ...payoutHandlers(service),
    getAffiliate: getAffiliateHandler(service),
    listAdvocates: listV1Handler(service),
  });
}
