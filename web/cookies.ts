import { cookieDomains } from './settings.ts';

/** The values of every cookie of a name, in the browser's order, which is what servers see (RFC 6265 section 5.4). */
export function cookiesOf(name: string): string[] {
  return `; ${document.cookie}`
    .split(`; ${name}=`)
    .slice(1)
    .map((rest) => rest.replace(/;.*/, ''));
}

/**
 * Writes a cookie for the first domain that the browser accepts: the one that the merchant names, else the widest. For
 * `www.shop.example` these are `example`, `shop.example`, `www.shop.example`, and the host alone: browsers refuse public
 * suffixes (`example`, `co.uk`), and parts of an IP address. Without a value and a lifetime it deletes the cookie for each.
 */
export function writeCookie(name: string, value = '', seconds = 0): void {
  const suffixes = location.hostname.split('.').map((_, index, labels) => labels.slice(-1 - index).join('.'));
  const attributes = `path=/;max-age=${seconds};samesite=lax${location.protocol === 'https:' ? ';secure' : ''}`;
  [...cookieDomains, ...suffixes, ''].some((domain) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API came after ES2018, and is for https alone.
    document.cookie = `${name}=${value};${attributes}${domain && `;domain=${domain}`}`;
    return seconds && cookiesOf(name).includes(value);
  });
}
