import { namesIn } from '../../functions/kernel/fields/field-list.ts';
import { REFERRAL_FIELDS } from '../../functions/referrals/rules/referral-fields.ts';
import type { ApiResponse } from './drivers.ts';

/** The ids of the rows of a list. */
export const idsOf = ({ json }: ApiResponse): string[] => json.data.map(({ id }: { id: string }) => id);

/** The cursor of the next page; `undefined` on the last page. */
export function cursorOf({ headers }: ApiResponse): string | undefined {
  const [, next] = /^<([^>]+)>; rel="next"$/.exec(headers['link'] ?? '') ?? [];
  return next === undefined ? undefined : (new URL(next).searchParams.get('cursor') ?? undefined);
}

/** Status, error code and sentence of an error; the status alone of a success. */
export const outcomeOf = ({ status, headers, json }: ApiResponse): (number | string | undefined)[] =>
  status < 400 ? [status] : [status, headers['x-error-code'], json.error];

/** The attributes of a looked up referral that the merchant's list also contains. */
export function listedAttributes(lookedUp: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(namesIn(REFERRAL_FIELDS, 'merchant').map((name) => [name, lookedUp[name]]));
}

/** Everything of a response that a caller sees and that does not differ between two requests. */
export function visibleOf({ status, headers, text }: ApiResponse): unknown {
  const { 'x-request-id': _id, date: _date, ...same } = headers;
  return { status, headers: same, text };
}

export const AFFILIATE_REFUSED = [400, 'invalid_affiliate_slug', 'Invalid affiliate slug'];
export const REFERRAL_NOT_FOUND = [404, 'referral_not_found', 'Referral not found'];
