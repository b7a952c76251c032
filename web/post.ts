import { publicKey, serviceUrl } from './settings.ts';

/**
 * Sends an event to the service, and goes on sending when the page is left. Resolves to the status of the answer: 503
 * where there is none, 0 where there is no key or no `gr_id` to send it with. Without a content type it is sent as
 * `text/plain`, for which no browser asks leave first (a preflight).
 */
export async function post(
  event: 'click' | 'conversion',
  fields: Readonly<Record<'gr_id', string | undefined> & Record<string, unknown>>,
  headers: HeadersInit = {},
): Promise<number> {
  if (!publicKey || !fields.gr_id) return 0;
  try {
    const answer = await fetch(new URL(`v2/tracking/${event}`, serviceUrl), {
      method: 'POST',
      headers,
      body: JSON.stringify({ pk: publicKey, ...fields }),
      keepalive: true,
      credentials: 'omit',
    });
    return answer.status;
  } catch {
    return 503;
  }
}
