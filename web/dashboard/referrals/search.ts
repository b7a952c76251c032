import type { Api } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import type { RequestBody, Schemas } from '../../kit/api-types.ts';

type Lookup = RequestBody<'/v2/referrals/lookup', 'post'>;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns what a text can be: an email, a referral's id, or the merchant's own id, which has no form. */
export function lookupsOf(text: string): Lookup[] {
  return [
    ...(text.includes('@') ? [{ email: text }] : []),
    ...(UUID.test(text) ? [{ id: text.toLowerCase() }] : []),
    { uid: text },
  ];
}

/** Finds the referrals of a text, each kind that it can be in parallel. */
export async function findReferrals(api: Api, text: string, signal: AbortSignal): Promise<Schemas['Referral'][]> {
  const found = await Promise.all(lookupsOf(text).map((body) => look(api, body, signal)));
  const byId = new Map(found.flatMap((each) => (each ? [[each.id, each] as const] : [])));
  return [...byId.values()];
}

/** No referral, and a text that cannot be of this kind, are no results. */
async function look(api: Api, body: Lookup, signal: AbortSignal) {
  try {
    return (await api.send('post', '/v2/referrals/lookup', { body, signal, isRepeatable: true })).body.data;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}
