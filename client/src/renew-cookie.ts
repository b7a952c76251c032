/** Headers of a request, with names in lower case: Node's `request.headers`, a `Headers`, or an object. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface CookieOptions {
  /** The domain of the script's cookie: `shop.example` for www.shop.example. Without it, only the host gets the cookie. */
  readonly domain?: string;
  /** Days from the click to the end of the cookie, as in `data-cookie-days`. By default 60. */
  readonly days?: number;
}

/** The cookie: a slug, a dot and a UUIDv7, whose first 48 bits are the milliseconds of the click (RFC 9562 section 5.7). */
const COOKIE = /^gr_id=([a-z\d_-]{1,64}\.([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})$/;

/**
 * Returns the value of `Set-Cookie` that sets the visitor's `gr_id` again, because Safari deletes cookies of scripts
 * after 7 days without an interaction. The cookie ends `days` after the click, however often it is renewed. Returns
 * `undefined` without a valid `gr_id`, after its end, for a click in the future, under Global Privacy Control, and for
 * requests that are not for a page: their responses could replace the `gr_id` that the page's script has stored since.
 * Throws a `TypeError` if an option is not valid.
 */
export function renewCookie(headers: RequestHeaders, { domain, days = 60 }: CookieOptions = {}): string | undefined {
  // The domain may be derived from `Host`, which a visitor can set.
  if (domain !== undefined && !/^[a-z\d.-]+$/i.test(domain)) throw new TypeError('domain must be a domain.');
  if (!(days >= 1 && days <= 400)) throw new TypeError('days must be from 1 to 400.');
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  if (!header('accept').includes('text/html') || header('sec-gpc') === '1') return undefined;
  const matches = header('cookie')
    .split(/; */)
    .map((cookie) => COOKIE.exec(cookie));
  // Of several cookies with this name, the last valid one is the script's: cookies with deeper paths come first.
  const [, grId, high = '', low = ''] = matches.filter((match) => match !== null).pop() ?? [];
  const lifetime = Math.floor(days) * 86_400;
  const seconds = Math.floor((Number.parseInt(high + low, 16) - Date.now()) / 1000) + lifetime;
  if (!(seconds > 0 && seconds <= lifetime)) return undefined;
  const attributes = `Path=/; Max-Age=${seconds}; SameSite=Lax; Secure`;
  return `gr_id=${grId}; ${attributes}${domain === undefined ? '' : `; Domain=${domain}`}`;
}
