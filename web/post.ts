import { publicKey, serviceUrl } from './settings.ts';

/**
 * Sends an event to the service with `keepalive`, so that it outlives the page. Rejects without a response that the page
 * may read. Without a content type the browser sends `text/plain`, which needs no CORS preflight.
 */
export async function post(
  event: 'click' | 'conversion',
  fields: Readonly<Record<string, unknown>>,
  headers: HeadersInit = {},
): Promise<Response> {
  return fetch(new URL(`v2/tracking/${event}`, serviceUrl), {
    method: 'POST',
    headers,
    body: JSON.stringify({ pk: publicKey, ...fields }),
    keepalive: true,
    credentials: 'omit',
  });
}
