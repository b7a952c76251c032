import { publicKey, serviceUrl } from './settings.ts';

/**
 * Sends an event to the service, and goes on sending when the page is left. Resolves to the status of the answer: 0 where
 * there is no key to send it with, 503 where there is no answer. Without a content type it is sent as `text/plain`, for
 * which no browser asks leave first (a preflight).
 */
export async function post(
  event: 'click' | 'conversion',
  fields: object,
  headers: HeadersInit = {},
): Promise<number> {
  if (!publicKey) return 0;
  try {
    const { status } = await fetch(new URL(`v2/tracking/${event}`, serviceUrl), {
      method: 'POST',
      headers,
      body: JSON.stringify({ pk: publicKey, ...fields }),
      keepalive: true,
      credentials: 'omit',
    });
    return status;
  } catch {
    return 503;
  }
}
