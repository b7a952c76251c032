import { isbot } from 'isbot';
import type { Table } from '../../kernel/dynamodb/table.ts';
import type { HttpEvent, HttpHandler } from '../../kernel/http/context.ts';
import { json, noContent } from '../../kernel/http/response.ts';
import { type Route, routeKey } from '../../kernel/http/route.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { toMerchantReferral } from '../../referrals/http/referral.ts';
import { findReferralId } from '../../referrals/table/customers.ts';
import { eraseCustomer, reassignReferral, setReferralState } from '../../referrals/table/referrals.ts';
import { type IdempotentRequest, parseIdempotencyKey } from '../rules/conversion.ts';
import { clickRecorder } from '../table/clicks.ts';
import { type ConversionRequest, trackConversion } from '../table/conversions.ts';
import {
  parseClick,
  parseConversionV1,
  parseConversionV2,
  parseErasure,
  parseReassignment,
  parseStateChange,
  readConversionV1,
  readConversionV2,
  toReferralV1,
  toReferralV2,
} from './mapping.ts';
import type { Refusals } from './refusals.ts';
import { TRACKING_ROUTES } from './routes.ts';

/** `POST /v2/tracking/conversion`: a conversion, from the merchant's server or from a page. */
export function conversionV2Handler(service: Service<Table>, refusals: Refusals<Table>): HttpHandler {
  const route = TRACKING_ROUTES.trackConversionV2;
  const { termsOf } = service;
  return routeHandler({
    route,
    service,
    input: (event, body, { kind }) => ({
      conversion: parseConversionV2(body, kind === 'page'),
      // A page's keys are ignored, because it could take a key that the merchant's server uses later.
      idempotent: kind === 'page' ? undefined : idempotentRequest(route, event),
    }),
    handle: async ({ caller: { kind, program }, input, table }) => {
      if (kind === 'page') {
        // A public key must not reveal which emails and codes are known, so all of them get the same response.
        const hasCode = input.conversion.promotion !== undefined;
        await track(table, { program, actor: 'page', ...input, termsOf }).catch(refusals.hidden(program.id, hasCode));
        return noContent();
      }
      const { referral, replayed } = await track(table, { program, actor: 'merchant', ...input, termsOf });
      return created(toReferralV2(referral), replayed);
    },
    onRefused: refusals.conversion(readConversionV2),
  });
}

/** `POST /v1/tracking/conversion`: a conversion with the fields of V1, from the merchant's server only. */
export function conversionV1Handler(service: Service<Table>, refusals: Refusals<Table>): HttpHandler {
  const route = TRACKING_ROUTES.trackConversionV1;
  const { termsOf } = service;
  return routeHandler({
    route,
    service,
    input: (event, body) => ({ conversion: parseConversionV1(body), idempotent: idempotentRequest(route, event) }),
    handle: async ({ caller: { program }, input, table }) => {
      const { referral, replayed } = await track(table, { program, actor: 'merchant', ...input, termsOf });
      return created(toReferralV1(referral), replayed);
    },
    onRefused: refusals.conversion(readConversionV1),
  });
}

function track(table: Table, request: Omit<ConversionRequest, 'newId'>) {
  return trackConversion(table, { ...request, newId: uuidv7(table.clock(), table.random) });
}

function created(data: unknown, replayed: boolean) {
  return json(201, { data }, replayed ? { 'idempotent-replayed': 'true' } : {});
}

function idempotentRequest(route: Route, { headers }: HttpEvent): IdempotentRequest | undefined {
  const key = headers['idempotency-key'];
  return key === undefined ? undefined : { key: parseIdempotencyKey(key), route: routeKey(route) };
}

/** `POST /v2/tracking/state`: a payment, a cancellation, a rejection or a restored referral. */
export function stateHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: TRACKING_ROUTES.setState,
    service,
    input: (_, body) => parseStateChange(body),
    handle: async ({ caller: { program }, input: { reference, state }, table }) => {
      const id = await findReferralId(table, program.id, reference);
      const referral = await setReferralState(table, program.id, id, { state, actor: 'merchant' });
      return json(200, { data: toReferralV2(referral) });
    },
  });
}

/** `POST /v2/tracking/reassign`: moves a referral to another advocate. */
export function reassignHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: TRACKING_ROUTES.reassignReferral,
    service,
    input: (_, body) => parseReassignment(body),
    handle: async ({ caller: { program }, input: { reference, slug }, table }) => {
      const { termsOf } = service;
      const referral = await reassignReferral(table, program, reference, { slug, actor: 'merchant', termsOf });
      return json(200, { data: toMerchantReferral(referral) });
    },
  });
}

/** `POST /v2/tracking/erase`: erases a person. */
export function eraseHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: TRACKING_ROUTES.eraseCustomer,
    service,
    input: (_, body) => parseErasure(body),
    handle: async ({ caller: { program }, input: reference, table }) => {
      await eraseCustomer(table, program.id, reference, 'merchant');
      return noContent();
    },
  });
}

/** `POST /v2/tracking/click`: a visitor followed an advocate's link. The header `x-click` contains the outcome. */
export function clickHandler(service: Service<Table>, refusals: Pick<Refusals<Table>, 'click'>): HttpHandler {
  const record = clickRecorder(service.clock);
  return routeHandler({
    route: TRACKING_ROUTES.trackClick,
    service,
    input: (_, body) => parseClick(body),
    handle: async ({ input, table, event: { headers } }) => {
      const isBot = isAutomatic(headers);
      // The tracking script of an automated browser must also learn that a slug does not exist.
      const outcome = record(table, input, isBot).catch(refusals.click(input.publicKey, isBot));
      return noContent({ 'x-click': await outcome });
    },
  });
}

/**
 * Headers with which browsers and mail clients mark a prefetch or a preview:
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Sec-Purpose and its predecessors.
 */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const PREFETCH = /prefetch|prerender|preview/i;

/** True for a known bot, a prefetch or an empty user agent. Header names are in lower case. */
export function isAutomatic(headers: Readonly<Record<string, string | undefined>>): boolean {
  const userAgent = headers['user-agent']?.trim();
  return !userAgent || PURPOSE_HEADERS.some((name) => PREFETCH.test(headers[name] ?? '')) || isbot(userAgent);
}
