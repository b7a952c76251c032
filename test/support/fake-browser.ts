import { setImmediate as turn } from 'node:timers/promises';
import { SCRIPT } from '../../functions/tracking/script.js';
import { FakeCookies } from './fake-cookies.ts';
import { type FakePage, openPage } from './fake-page.ts';

/** A request of the script. */
export interface Sent {
  readonly url: string;
  readonly body: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** How a page is opened. */
export interface Visit {
  /** The `data-…` attributes of the script element, as they stand in its `dataset`. `pk` is there unless it is undefined. */
  readonly attributes?: Readonly<Record<string, string | undefined>>;
  /** Calls that the page makes before the script has loaded. */
  readonly calls?: readonly (readonly unknown[])[];
  readonly isPrerendered?: boolean;
  readonly globalPrivacyControl?: boolean;
  /** In place of the script that the service serves. */
  readonly script?: string;
  /** Of the outermost window, where the page is in a frame. */
  readonly frameOf?: 'its own origin' | 'another origin';
}

/** A browser for the script alone: of each interface only what the script may use. */
export class FakeBrowser {
  readonly cookies = new FakeCookies();
  readonly sent: Sent[] = [];
  /** What becomes of a request: a status, now or later, or an error where the network fails. */
  answer: () => number | Error | Promise<number> = () => 204;

  /** Opens a page that loads the script, and waits until all that it sent is answered, where it is. */
  async visit(url: string, visit: Visit = {}): Promise<FakePage> {
    const page = openPage(this, new URL(url), visit);
    page.run(visit.script ?? SCRIPT);
    // As after every script: a call of `gr` finds no element.
    page.document.currentScript = null;
    await settled();
    return page;
  }

  /** What `fetch` does on every page. */
  async fetch(url: URL, options: Readonly<Record<string, unknown>>): Promise<{ status: number }> {
    this.sent.push({ url: String(url), body: JSON.parse(String(options['body'])), options });
    const answer = await this.answer();
    if (answer instanceof Error) throw answer;
    return { status: answer };
  }

  /** The value of the cookie at a host. */
  grId(host = 'shop.test'): string | undefined {
    return this.cookies.at(host).find(({ name }) => name === 'gr_id')?.value;
  }

  /** The slug in the cookie at a host. */
  slug(host?: string): string | undefined {
    return this.grId(host)?.split('.')[0];
  }

  /** The bodies of the clicks that were sent. */
  clicks(): Sent['body'][] {
    return this.sent.filter(({ url }) => url.endsWith('/click')).map(({ body }) => body);
  }
}

/** Waits until every promise that can settle has: nothing here takes time. */
export async function settled(): Promise<void> {
  await turn();
}
