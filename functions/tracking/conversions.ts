import type { PageCaller, ProgramCaller } from '../domain/caller.ts';
import { type Conversion, type IdempotentRequest, parseIdempotencyKey } from '../domain/conversion.ts';
import { ReferralExists } from '../domain/errors.ts';
import { uuidv7 } from '../domain/ids.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../http/context.ts';
import { endpoint, type Service } from '../http/endpoint.ts';
import { json, noContent } from '../http/response.ts';
import { ROUTES, type Route, routeKey } from '../routes.ts';
import { type ConvertedReferral, trackConversion } from '../table/conversions.ts';
import type { Table } from '../table/table.ts';
import { conversionV1 } from './conversion-v1.ts';
import { conversionV2 } from './conversion-v2.ts';
import { convertedReferral, trackedReferral } from './resource.ts';

interface ConversionCall<Caller> {
  readonly caller: Caller;
  readonly input: { readonly conversion: Conversion; readonly idempotent: IdempotentRequest | undefined };
  readonly table: Table;
}

/** `POST /v1/tracking/conversion`: one conversion, of which the same `Idempotency-Key` gets the same answer. */
export function conversionV1Endpoint(service: Service<Table>): HttpHandler {
  const route = ROUTES.trackConversionV1;
  return endpoint({
    route,
    service,
    input: (event, body) => ({ conversion: conversionV1(body), idempotent: idempotentOf(route, event) }),
    handle: (call) => convert(call, convertedReferral),
  });
}

/** `POST /v2/tracking/conversion`: the same, differently read; also from a page, which is told nothing. */
export function conversionV2Endpoint(service: Service<Table>): HttpHandler {
  const route = ROUTES.trackConversionV2;
  return endpoint({
    route,
    service,
    input: (event, body, { kind }) => ({
      conversion: conversionV2(body),
      // Keys are the merchant's server's, a page could use them up: none is taken from it.
      idempotent: kind === 'page' ? undefined : idempotentOf(route, event),
    }),
    handle: ({ caller, ...call }) =>
      caller.kind === 'page' ? convertForPage({ caller, ...call }) : convert({ caller, ...call }, trackedReferral),
  });
}

async function convert(
  { caller: { program }, input, table }: ConversionCall<ProgramCaller>,
  resource: (referral: ConvertedReferral) => unknown,
): Promise<HttpResult> {
  const request = { program, by: 'merchant', newId: uuidv7(table.clock(), table.random), ...input } as const;
  const { referral, replayed } = await trackConversion(table, request);
  const headers = replayed ? { 'idempotent-replayed': 'true' } : {};
  return json(201, { data: resource(referral) }, headers);
}

/** Who has the public key can find out no one's e-mail: a customer who is known is answered as a new one. */
async function convertForPage({
  caller: { program },
  input: { conversion },
  table,
}: ConversionCall<PageCaller>): Promise<HttpResult> {
  const newId = uuidv7(table.clock(), table.random);
  const request = { program, conversion, by: 'page', newId, idempotent: undefined } as const;
  await trackConversion(table, request).catch((error: unknown) => {
    if (!(error instanceof ReferralExists)) throw error;
  });
  return noContent();
}

function idempotentOf(route: Route, { headers }: HttpEvent): IdempotentRequest | undefined {
  const key = headers['idempotency-key'];
  return key === undefined ? undefined : { key: parseIdempotencyKey(key), route: routeKey(route) };
}
