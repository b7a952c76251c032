import { isbot } from 'isbot';

/**
 * Headers by which browsers and mail programs say that they fetch ahead of a person, or in one's place:
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Sec-Purpose and its forerunners.
 */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const AHEAD = /prefetch|prerender|preview/i;

/** True where no person made a request: a known bot, a prefetch, or an empty user agent. Header names in lower case. */
export function isAutomatic(headers: Readonly<Record<string, string | undefined>>): boolean {
  const userAgent = headers['user-agent']?.trim();
  return !userAgent || PURPOSE_HEADERS.some((name) => AHEAD.test(headers[name] ?? '')) || isbot(userAgent);
}
