import { isbot } from 'isbot';
import { type IdempotentRequest, parseIdempotencyKey } from '../domain/conversion.ts';
import { ReferralExists } from '../domain/errors.ts';
import { uuidv7 } from '../domain/ids.ts';
import type { HttpEvent, HttpHandler } from '../http/context.ts';
import { endpoint, type Service } from '../http/endpoint.ts';
import { json, noContent } from '../http/response.ts';
import { ROUTES, type Route, routeKey } from '../routes.ts';
import { clickRecorder } from '../table/clicks.ts';
import { type ConversionRequest, trackConversion } from '../table/conversions.ts';
import { findReferralId, setReferralState } from '../table/referrals.ts';
import type { Table } from '../table/table.ts';
import { click, conversionV1, conversionV2, convertedReferral, stateChange, trackedReferral } from './mapping.ts';

/** `POST /v2/tracking/conversion`: a conversion, from the merchant's server or from a page. */
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

/** `POST /v1/tracking/conversion`: the same with other fields, from the server only. */
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

/** `POST /v2/tracking/state`: a payment, a churn, a rejection or a restored referral. */
export function stateEndpoint(service: Service<Table>): HttpHandler {
  return endpoint({
    route: ROUTES.setState,
    service,
    input: (_, body) => stateChange(body),
    handle: async ({ caller: { program }, input: { customer, state }, table }) => {
      const id = await findReferralId(table, program.id, customer);
      const referral = await setReferralState(table, program.id, id, state, 'merchant');
      return json(200, { data: trackedReferral(referral) });
    },
  });
}

/** `POST /v2/tracking/click`: a visitor followed an advocate's link. The header `x-click` says what was done. */
export function clickEndpoint(service: Service<Table>): HttpHandler {
  const record = clickRecorder(service.clock);
  return endpoint({
    route: ROUTES.trackClick,
    service,
    input: (_, body) => click(body),
    handle: async ({ input, table, event: { headers } }) =>
      noContent({ 'x-click': isAutomatic(headers) ? 'ignored' : await record(table, input) }),
  });
}

/**
 * Headers of browsers and mail programs that fetch ahead of a person, or instead of one:
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Sec-Purpose and its predecessors.
 */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const AHEAD = /prefetch|prerender|preview/i;

/** True if no person sent the request: a known bot, a prefetch or an empty user agent. Header names in lower case. */
export function isAutomatic(headers: Readonly<Record<string, string | undefined>>): boolean {
  const userAgent = headers['user-agent']?.trim();
  return !userAgent || PURPOSE_HEADERS.some((name) => AHEAD.test(headers[name] ?? '')) || isbot(userAgent);
}
