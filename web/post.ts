import { publicKey, serviceUrl } from './settings.ts';

/**
 * Sends an event to the service with `keepalive`, so that it outlives the page. Resolves to an empty response if there is
 * no public key or no `gr_id` and nothing is sent; rejects without a response that the page may read. Without a content
 * type the browser sends `text/plain`, which needs no CORS preflight.
 */
export async function post(
  event: 'click' | 'conversion',
  fields: Readonly<Record<'gr_id', string> & Record<string, unknown>>,
  headers: HeadersInit = {},
): Promise<Response> {
  if (!publicKey || !fields.gr_id) return new Response();
  return fetch(new URL(`v2/tracking/${event}`, serviceUrl), {
    method: 'POST',
    headers,
    body: JSON.stringify({ pk: publicKey, ...fields }),
    keepalive: true,
    credentials: 'omit',
  });
}
