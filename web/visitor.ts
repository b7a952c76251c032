import { cookieDomains, cookieSeconds, startsWithConsent } from './settings.ts';

const COOKIE = 'gr_id';
/** Name of the cookie that marks the click of the current `gr_id` as unanswered, see `readMark` in arrival.ts. */
export const UNSENT_COOKIE = 'gr_unsent';

let hasConsent = startsWithConsent;

/** True if cookies and requests are permitted: with consent, without GPC, and not in a frame of another origin. */
export function mayTrack(): boolean {
  try {
    // Throws if the top window has another origin, and in a sandbox without cookies.
    return hasConsent && !navigator.globalPrivacyControl && Object(top).document.cookie !== undefined;
  } catch {
    return false;
  }
}

/** Sets the visitor's consent for this page. A refusal deletes the cookies. Returns true if consent is new. */
export function setConsent(given: boolean): boolean {
  const isNew = given && !hasConsent;
  hasConsent = given;
  if (!given) storeGrId();
  return isNew;
}

/** Returns the slug of a `gr_id`, or undefined if the text is not a valid `gr_id`. */
export function slugOf(text = ''): string | undefined {
  const match = /^([\da-z_-]{1,64})\.[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.exec(text);
  return (match || [])[1];
}

/** Returns a `gr_id` for a new click: the slug, a dot and a UUIDv7 (RFC 9562 section 5.7) with 72 random bits. */
export function newGrId(slug: string): string {
  // Until the year 2527 the timestamp has eleven hexadecimal digits; UUIDv7 has twelve.
  const uuid = `0${Date.now().toString(16)}-7xxx-8xxx-xxxxxxxxxxxx`
    .replace(/.{8}/, '$&-')
    .replace(/x/g, () => (Number(crypto.getRandomValues(new Uint8Array(1))) & 15).toString(16));
  return `${slug}.${uuid}`;
}

/**
 * Returns the visitor's `gr_id` if tracking is permitted. The script's own cookie is the last one: cookies with deeper
 * paths come first (RFC 6265 section 5.4), and a script cannot delete a cookie whose path it does not know.
 */
export function currentGrId(): string {
  return (mayTrack() && readCookies(COOKIE).filter(slugOf).pop()) || '';
}

/** Replaces all cookies of the script by this `gr_id`, or deletes them without one. */
export function storeGrId(grId?: string): void {
  writeCookie(COOKIE);
  writeCookie(UNSENT_COOKIE);
  if (slugOf(grId)) writeCookie(COOKIE, grId, cookieSeconds);
}

/** Returns the values of all cookies with this name, in the order in which the browser sends them to servers. */
export function readCookies(name: string): string[] {
  return `; ${document.cookie}`
    .split(`; ${name}=`)
    .slice(1)
    .map((text) => text.split(';')[0] || '');
}

/**
 * Writes a cookie for the first domain that the browser accepts: `data-cookie-domain`, then the widest. For
 * `www.shop.example` these are `example`, `shop.example`, `www.shop.example` and the host alone; browsers reject public
 * suffixes (`example`, `co.uk`) and parts of an IP address. Without value and lifetime, deletes it for every domain.
 */
export function writeCookie(name: string, value = '', seconds = 0): void {
  const suffixes = location.hostname.split('.').map((_, index, labels) => labels.slice(-1 - index).join('.'));
  const attributes = `path=/;max-age=${seconds};samesite=lax${location.protocol === 'https:' ? ';secure' : ''}`;
  [...cookieDomains, ...suffixes, ''].some((domain) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is newer than ES2018 and only works on https.
    document.cookie = `${name}=${value};${attributes}${domain && `;domain=${domain}`}`;
    return seconds && readCookies(name).includes(value);
  });
}
