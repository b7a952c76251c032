/** What no cookie may be written for: public suffixes (https://publicsuffix.org) and parts of IP addresses. */
const REFUSED = new Set(['test', 'uk', 'co.uk', '1', '0.1', '0.0.1']);

export interface FakeCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly isHostOnly: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The cookies of a browser as RFC 6265 section 5.3 keeps them, in the order of section 5.4. All have the path "/". */
export class FakeCookies {
  #kept: FakeCookie[] = [];
  /** False: the browser keeps none. */
  enabled = true;
  /** How often a page wrote or deleted one. */
  writes = 0;

  /** What `document.cookie = text` does on a page. */
  write(page: URL, text: string): void {
    this.writes += 1;
    const [[name = '', value = ''] = [], ...pairs] = text.split(';').map((part) => part.trim().split('='));
    const attributes: Record<string, string> = Object.fromEntries(pairs.map(([key = '', of = '']) => [key, of]));
    const { domain } = attributes;
    const isRefused = domain !== undefined && (REFUSED.has(domain) || !isWithin(page.hostname, domain));
    if (!this.enabled || isRefused || ('secure' in attributes && page.protocol !== 'https:')) return;
    const cookie = {
      name,
      value,
      domain: domain ?? page.hostname,
      isHostOnly: domain === undefined,
      attributes,
    };
    const place = this.#kept.findIndex(
      (old) => old.name === name && old.domain === cookie.domain && old.isHostOnly === cookie.isHostOnly,
    );
    // One that is written again keeps its place in the order.
    this.#kept.splice(place < 0 ? this.#kept.length : place, place < 0 ? 0 : 1, cookie);
    this.#kept = this.#kept.filter((one) => one.attributes['max-age'] !== '0');
  }

  /** What `document.cookie` says on a page. */
  read(page: URL): string {
    return this.at(page.hostname)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  /** The cookies that a host gets. */
  at(host: string): FakeCookie[] {
    return this.#kept.filter(({ domain, isHostOnly }) => (isHostOnly ? host === domain : isWithin(host, domain)));
  }
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
