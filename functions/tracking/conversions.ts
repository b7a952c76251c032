import { type IdempotentRequest, parseIdempotencyKey } from '../domain/conversion.ts';
import { ReferralExists } from '../domain/errors.ts';
import { uuidv7 } from '../domain/ids.ts';
import type { HttpEvent, HttpHandler } from '../http/context.ts';
import { endpoint, type Service } from '../http/endpoint.ts';
import { json, noContent } from '../http/response.ts';
import { ROUTES, type Route, routeKey } from '../routes.ts';
import { type ConversionRequest, trackConversion } from '../table/conversions.ts';
import type { Table } from '../table/table.ts';
import { conversionV1, conversionV2, convertedReferral, trackedReferral } from './mapping.ts';

/** `POST /v1/tracking/conversion`: a conversion. The same `Idempotency-Key` gets the same response. */
export function conversionV1Endpoint(service: Service<Table>): HttpHandler {
  const route = ROUTES.trackConversionV1;
  return endpoint({
    route,
    service,
    input: (event, body) => ({ conversion: conversionV1(body), idempotent: idempotentOf(route, event) }),
    handle: async ({ caller: { program }, input, table }) => {
      const { referral, replayed } = await track(table, { program, by: 'merchant', ...input });
      return created(convertedReferral(referral), replayed);
    },
  });
}

/** `POST /v2/tracking/conversion`: the same with other fields. A page may send it too, and learns nothing. */
export function conversionV2Endpoint(service: Service<Table>): HttpHandler {
  const route = ROUTES.trackConversionV2;
  return endpoint({
    route,
    service,
    input: (event, body, { kind }) => ({
      conversion: conversionV2(body),
      // Keys belong to the merchant's server. A page could use them up: its keys are ignored.
      idempotent: kind === 'page' ? undefined : idempotentOf(route, event),
    }),
    handle: async ({ caller: { kind, program }, input, table }) => {
      if (kind === 'page') {
        // A public key must not reveal whose email is known: a known customer gets the response of a new one.
        await track(table, { program, by: 'page', ...input }).catch(ignoreKnownCustomer);
        return noContent();
      }
      const { referral, replayed } = await track(table, { program, by: 'merchant', ...input });
      return created(trackedReferral(referral), replayed);
    },
  });
}

function track(table: Table, request: Omit<ConversionRequest, 'newId'>) {
  return trackConversion(table, { ...request, newId: uuidv7(table.clock(), table.random) });
}

function created(data: unknown, replayed: boolean) {
  return json(201, { data }, replayed ? { 'idempotent-replayed': 'true' } : {});
}

function ignoreKnownCustomer(error: unknown): void {
  if (!(error instanceof ReferralExists)) throw error;
}

function idempotentOf(route: Route, { headers }: HttpEvent): IdempotentRequest | undefined {
  const key = headers['idempotency-key'];
  return key === undefined ? undefined : { key: parseIdempotencyKey(key), route: routeKey(route) };
}
