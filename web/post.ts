import { publicKey, serviceUrl } from './settings.ts';

/**
 * Sends an event to the service with `keepalive`, so that it outlives the page. Resolves to the response's status, 503
 * without a response, or 0 if there is no public key or no `gr_id` and nothing is sent. Without a content type the
 * browser sends `text/plain`, which needs no CORS preflight.
 */
export async function post(
  event: 'click' | 'conversion',
  fields: Readonly<Record<'gr_id', string | undefined> & Record<string, unknown>>,
  headers: HeadersInit = {},
): Promise<number> {
  if (!publicKey || !fields.gr_id) return 0;
  try {
    const response = await fetch(new URL(`v2/tracking/${event}`, serviceUrl), {
      method: 'POST',
      headers,
      body: JSON.stringify({ pk: publicKey, ...fields }),
      keepalive: true,
      credentials: 'omit',
    });
    return response.status;
  } catch {
    return 503;
  }
}
