import type { HttpHandler } from '../http/context.ts';
import { byRoute } from '../http/route-handler.ts';
import type { Connection } from '../table/dynamodb/connection.ts';
import { serviceOn } from '../table/service.ts';
import {
  createAdvocateHandler,
  createTokenHandler,
  eraseAdvocateHandler,
  getAdvocateHandler,
  listV1Handler,
  listV2Handler,
  updateAdvocateHandler,
} from './handlers.ts';

import { programHandlers } from './program/handlers.ts';

/** The operations on the program, its advocates, and the tokens of both. */
export function advocatesHandler(connection: Connection): HttpHandler {
  const service = serviceOn(connection);
  return byRoute<'advocates'>({
    ...programHandlers(service),
    listAdvocatesV2: listV2Handler(service),
    createAdvocate: createAdvocateHandler(service),
    getAdvocate: getAdvocateHandler(service),
    updateAdvocate: updateAdvocateHandler(service),
    eraseAdvocate: eraseAdvocateHandler(service),
    createAdvocateToken: createTokenHandler(service),
    listAdvocates: listV1Handler(service),
  });
}
