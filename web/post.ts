import { publicKey, serviceUrl } from './settings.ts';

/** The result of an event whose slug does not exist, or is that of a deactivated advocate. */
export const UNKNOWN_SLUG = 1;

/**
 * Sends an event to the service with `keepalive`, so that it outlives the page. Resolves to the response's status,
 * `UNKNOWN_SLUG`, 503 without a response that the page may read, or 0 if there is no public key or no `gr_id` and nothing
 * is sent. Without a content type the browser sends `text/plain`, which needs no CORS preflight.
 */
export async function post(
  event: 'click' | 'conversion',
  fields: Readonly<Record<'gr_id', string | undefined> & Record<string, unknown>>,
  headers: HeadersInit = {},
): Promise<number> {
  if (!publicKey || !fields.gr_id) return 0;
  try {
    const { status, headers: received } = await fetch(new URL(`v2/tracking/${event}`, serviceUrl), {
      method: 'POST',
      headers,
      body: JSON.stringify({ pk: publicKey, ...fields }),
      keepalive: true,
      credentials: 'omit',
    });
    const isUnknown = status === 400 && received.get('x-error-code') === 'invalid_affiliate_slug';
    return isUnknown ? UNKNOWN_SLUG : status;
  } catch {
    return 503;
  }
}
