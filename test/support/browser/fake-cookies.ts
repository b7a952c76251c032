/** Domains that browsers refuse: public suffixes (https://publicsuffix.org) and parts of IP addresses. */
const REFUSED = new Set(['test', 'uk', 'co.uk', '1', '0.1', '0.0.1']);

export interface FakeCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly isHostOnly: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Stores cookies by RFC 6265 section 5.3, in the order of section 5.4. Every cookie has the path "/". */
export class FakeCookies {
  #cookies: FakeCookie[] = [];
  /** False makes the browser refuse every cookie. */
  enabled = true;
  /** Counts writes and deletions. */
  writes = 0;

  /** The setter of `document.cookie` on a page. */
  write(page: URL, text: string): void {
    this.writes += 1;
    const [[name = '', value = ''] = [], ...pairs] = text.split(';').map((part) => {
      // A value may contain "=".
      const [name = '', ...value] = part.trim().split('=');
      return [name, value.join('=')];
    });
    const attributes: Record<string, string> = Object.fromEntries(pairs.map(([key = '', value = '']) => [key, value]));
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
    const position = this.#cookies.findIndex(
      (old) => old.name === name && old.domain === cookie.domain && old.isHostOnly === cookie.isHostOnly,
    );
    // A rewritten cookie keeps its position.
    this.#cookies.splice(position < 0 ? this.#cookies.length : position, position < 0 ? 0 : 1, cookie);
    this.#cookies = this.#cookies.filter((each) => each.attributes['max-age'] !== '0');
  }

  /** The getter of `document.cookie` on a page. */
  read(page: URL): string {
    return this.at(page.hostname)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  /** Returns the cookies that a host receives. */
  at(host: string): FakeCookie[] {
    return this.#cookies.filter(({ domain, isHostOnly }) => (isHostOnly ? host === domain : isWithin(host, domain)));
  }
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
