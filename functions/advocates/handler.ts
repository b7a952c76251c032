import type { HttpHandler } from '../http/context.ts';
import { byRoute } from '../http/endpoint.ts';
import type { Connection } from '../table/dynamodb/connection.ts';
import { serviceOn } from '../table/service.ts';
import {
  createEndpoint,
  createTokenEndpoint,
  getEndpoint,
  listV1Endpoint,
  listV2Endpoint,
  updateEndpoint,
} from './endpoints.ts';

/** The operations on advocates and their tokens. */
export function advocatesHandler(connection: Connection): HttpHandler {
  const service = serviceOn(connection);
  return byRoute<'advocates'>({
    listAdvocatesV2: listV2Endpoint(service),
    createAdvocate: createEndpoint(service),
    getAdvocate: getEndpoint(service),
    updateAdvocate: updateEndpoint(service),
    createAdvocateToken: createTokenEndpoint(service),
    listAdvocates: listV1Endpoint(service),
  });
}
