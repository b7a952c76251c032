import type { HttpHandler } from '../http/context.ts';
import { byRoute } from '../http/endpoint.ts';
import type { Connection } from '../table/dynamodb/connection.ts';
import { serviceOn } from '../table/service.ts';
import { countEndpoint, countOwnEndpoint, listOwnEndpoint, listV2Endpoint, lookupEndpoint } from './endpoints.ts';

/** The operations that read referrals. */
export function referralsHandler(connection: Connection): HttpHandler {
  const service = serviceOn(connection);
  return byRoute<'referrals'>({
    listReferralsV2: listV2Endpoint(service),
    lookUpReferral: lookupEndpoint(service),
    countReferrals: countEndpoint(service),
    countOwnReferrals: countOwnEndpoint(service),
    listReferrals: listOwnEndpoint(service),
  });
}
