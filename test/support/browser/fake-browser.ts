import { setImmediate as turn } from 'node:timers/promises';
import { SCRIPT } from '../../../functions/pages/script.js';
import { type FakePage, openPage } from './fake-page.ts';

/** A request that the script sent. */
interface SentRequest {
  readonly url: string;
  readonly body: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A response's status, with the code in its `x-error-code` if there is one, or an error if the network fails. */
export type FakeResponse = number | Error | readonly [status: number, errorCode: string];

/** The response to a click whose slug does not exist. */
export const UNKNOWN: FakeResponse = [400, 'invalid_affiliate_slug'];

/** How a page is opened. */
export interface Visit {
  /** The `dataset` of the script element. `pk` has a default; undefined removes it. */
  readonly attributes?: Readonly<Record<string, string | undefined>>;
  /** Calls that the page makes before the script loads. */
  readonly calls?: readonly (readonly unknown[])[];
  readonly isPrerendered?: boolean;
  readonly globalPrivacyControl?: boolean;
  /** Replaces the script that the service serves. */
  readonly script?: string;
  /** Puts the page into a frame; the value is the origin of the top window. */
  readonly frameOf?: 'the same origin' | 'another origin';
}

/** A fake browser for the script: it has only the parts of each interface that the script may use. */
export class FakeBrowser {
  readonly cookies = new FakeCookies();
  readonly sent: SentRequest[] = [];
  /** Responds to a request, now or later. */
  respond: (request: SentRequest) => FakeResponse | Promise<FakeResponse> = () => 204;

  /** Opens a page that loads the script, and waits for every response that arrives immediately. */
  async visit(url: string, visit: Visit = {}): Promise<FakePage> {
    const page = openPage(this, new URL(url), visit);
    page.run(visit.script ?? SCRIPT);
    // `currentScript` is only set while the script runs.
    page.document.currentScript = null;
    await settled();
    return page;
  }

  /** The `fetch` of every page. */
  async fetch(url: URL, options: Readonly<Record<string, unknown>>): Promise<{ status: number; headers: Headers }> {
    const request = { url: String(url), body: JSON.parse(String(options['body'])), options };
    this.sent.push(request);
    const response = await this.respond(request);
    if (response instanceof Error) throw response;
    const [status, errorCode] = typeof response === 'number' ? [response] : response;
    return { status, headers: new Headers(errorCode ? { 'x-error-code': errorCode } : {}) };
  }

  /** Holds the responses to all requests from now on. Returns the function that sends one, by the request's position. */
  hold(): (request: number, response: FakeResponse) => Promise<void> {
    const { length } = this.sent;
    const responses: ((response: FakeResponse) => void)[] = [];
    this.respond = () => new Promise((resolve) => responses.push(resolve));
    return async (request, response) => {
      const send = responses[request - length];
      if (!send) throw new Error(`There is no held request ${request}.`);
      send(response);
      await settled();
    };
  }

  /** Returns the `gr_id` in the cookie of a host. */
  grId(host = 'shop.test'): string | undefined {
    return this.cookies.at(host).find(({ name }) => name === 'gr_id')?.value;
  }

  /** Returns the slug in the cookie of a host. */
  slug(host?: string): string | undefined {
    return this.grId(host)?.split('.')[0];
  }

  /** Returns the names of the cookies that the shop receives. */
  cookieNames(): string[] {
    return this.cookies.at('shop.test').map(({ name }) => name);
  }

  /** Responds as the service does from now on: only these slugs exist. */
  knows(...slugs: string[]): void {
    this.respond = ({ body: { gr_id = '' } }) => (slugs.includes(gr_id.split('.')[0] ?? '') ? 204 : UNKNOWN);
  }

  /** Returns the slugs of all clicks sent. */
  clickedSlugs(): (string | undefined)[] {
    return this.clicks().map(({ gr_id = '' }) => gr_id.split('.')[0]);
  }

  /** Returns the bodies of all clicks sent. */
  clicks(): SentRequest['body'][] {
    return this.sent.filter(({ url }) => url.endsWith('/click')).map(({ body }) => body);
  }
}

/** Returns a browser whose visitor came by jane's link, and its `gr_id`. */
export async function referred() {
  const browser = new FakeBrowser();
  await browser.visit('https://shop.test/?via=jane');
  return { browser, jane: browser.grId() };
}

/** Waits until every promise that can settle has settled. No timer runs: `FakePage.pass` lets time pass. */
export async function settled(): Promise<void> {
  await turn();
}

/** Domains that browsers refuse: public suffixes (https://publicsuffix.org) and parts of IP addresses. */
const REFUSED = new Set(['test', 'uk', 'co.uk', '1', '0.1', '0.0.1']);

interface FakeCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly isHostOnly: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Stores cookies by RFC 6265 section 5.3, in the order of section 5.4. Every cookie has the path "/". */
class FakeCookies {
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
