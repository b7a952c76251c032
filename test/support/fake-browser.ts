import { setImmediate as turn } from 'node:timers/promises';
import { SCRIPT } from '../../functions/tracking/script.js';
import { FakeCookies } from './fake-cookies.ts';
import { type FakePage, openPage } from './fake-page.ts';

/** A request that the script sent. */
export interface SentRequest {
  readonly url: string;
  readonly body: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, unknown>>;
}

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
  /** Responds to a request with a status, now or later, or with an error if the network fails. */
  respond: () => number | Error | Promise<number> = () => 204;

  /** Opens a page that loads the script, and waits for every response that arrives at once. */
  async visit(url: string, visit: Visit = {}): Promise<FakePage> {
    const page = openPage(this, new URL(url), visit);
    page.run(visit.script ?? SCRIPT);
    // `currentScript` is only set while the script runs.
    page.document.currentScript = null;
    await settled();
    return page;
  }

  /** The `fetch` of every page. */
  async fetch(url: URL, options: Readonly<Record<string, unknown>>): Promise<{ status: number }> {
    this.sent.push({ url: String(url), body: JSON.parse(String(options['body'])), options });
    const response = await this.respond();
    if (response instanceof Error) throw response;
    return { status: response };
  }

  /** Returns the `gr_id` in the cookie of a host. */
  grId(host = 'shop.test'): string | undefined {
    return this.cookies.at(host).find(({ name }) => name === 'gr_id')?.value;
  }

  /** Returns the slug in the cookie of a host. */
  slug(host?: string): string | undefined {
    return this.grId(host)?.split('.')[0];
  }

  /** Returns the bodies of all clicks sent. */
  clicks(): SentRequest['body'][] {
    return this.sent.filter(({ url }) => url.endsWith('/click')).map(({ body }) => body);
  }
}

/** Waits until every promise that can settle has settled: nothing here needs a timer. */
export async function settled(): Promise<void> {
  await turn();
}
