import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { newId } from '../program.ts';
import { killRemaining, type Started, start } from '../start.ts';
import { until } from '../until.ts';
import { useChromium } from './chromium.ts';
import { newDemoFolder } from './demo-folder.ts';

/** An advocate of the demo's program, with a token for its page. */
export interface PortalAdvocate {
  readonly slug: string;
  readonly token: string;
}

/** A new address, without letters: tests find rows by names such as "Ada", which an id may contain. */
export const newAddress = () => `${newId().replaceAll(/[a-f]/g, '0')}@partners.example`;

type Numbers = Readonly<Record<string, number>>;

interface Statistics {
  readonly attributes: { readonly total: Readonly<Record<string, unknown>> & { readonly money: readonly Money[] } };
}

interface Money {
  readonly currency: string;
  readonly commissions: number;
  readonly adjustments: number;
  readonly settled: number;
}

function owedIn(money: readonly Money[], code: string): number {
  const { commissions = 0, adjustments = 0, settled = 0 } = money.find(({ currency }) => currency === code) ?? {};
  return commissions + adjustments - settled;
}

/** Starts the whole service, which counts statistics, for the tests of a file, and a Chromium. */
export function usePortal() {
  const chromium = useChromium();
  const complaints: string[] = [];
  let folder: string;
  let started: Started;
  beforeAll(async () => {
    folder = await newDemoFolder();
    started = await start({ DATA_DIR: folder });
  });
  beforeEach(() => {
    complaints.length = 0;
  });
  afterAll(async () => {
    await killRemaining();
    await rm(folder, { recursive: true });
  });

  const printed = (name: string) => new RegExp(`^${name} token: +(\\S+)`, 'm').exec(started.printed)?.[1] ?? '';
  async function call<Data>(
    path: string,
    body?: object,
    token = printed('Program'),
    method = body ? 'POST' : 'GET',
  ): Promise<Data> {
    const response = await fetch(`${started.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body) ?? null,
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? (undefined as Data) : ((await response.json()) as { data: Data }).data;
  }

  return {
    url: () => started.url,
    /** `DATA_DIR` of the service, for commands. */
    folder: () => folder,
    call,
    /** Errors of the pages, and violations of their Content-Security-Policy. */
    complaints,
    newPage: async (options?: BrowserContextOptions): Promise<Page> => {
      const page = await chromium.newPage({ locale: 'en-US', ...options });
      page.on('console', (message) => {
        // Some tests provoke error responses.
        if (message.type() === 'error' && !/status of|ERR_/.test(message.text())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      return page;
    },
    anAdvocate: async (fields: object = {}): Promise<PortalAdvocate> => {
      const email = newAddress();
      type Stored = { attributes: { slug: string } };
      const { slug } = (await call<Stored>('/v2/advocates', { email, first_name: 'Ada', ...fields })).attributes;
      return { slug, token: await tokenOf(slug) };
    },
    tokenOf,
    /** The visitor of an advocate's link, which its own browser reports. */
    click: async (slug: string, sub_id?: string): Promise<string> => {
      const { public_key } = (await call<{ attributes: { public_key: string } }>('/v2/program')).attributes;
      const gr_id = `${slug}.${newId()}`;
      await fetch(`${started.url}/v2/tracking/click`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0',
        },
        body: JSON.stringify({ pk: public_key, gr_id, sub_id }),
      });
      return gr_id;
    },
    signUp: async (gr_id: string): Promise<string> => {
      const uid = newId();
      await call('/v2/tracking/conversion', { gr_id, uid, email: `${uid}@shop.example` });
      return uid;
    },
    pay: (uid: string, amount: number, currency = 'usd', fields: object = {}) =>
      call('/v2/payments', { uid, payment_id: `in_${newId()}`, amount, currency, ...fields }),
    /** Resolves when the statistics of an advocate have these numbers, and these amounts earned and not paid, by currency. */
    counted: async (token: string, numbers: Numbers, owed: Numbers = {}): Promise<void> => {
      await until(async () => {
        const { total } = (await call<Statistics>('/v2/affiliate/statistics', undefined, token)).attributes;
        return (
          Object.entries(numbers).every(([name, number]) => total[name] === number) &&
          Object.entries(owed).every(([currency, amount]) => owedIn(total.money, currency) === amount)
        );
      });
    },
    /** Opens a view of the portal, by default its first one. */
    open: async (page: Page, token: string, view = ''): Promise<void> => {
      await page.goto(`${started.url}/portal#token=${token}`);
      if (view !== '') await page.evaluate(`location.hash = '#/${view}'`);
    },
  };

  async function tokenOf(slug: string, expires_in = 3600): Promise<string> {
    type Token = { attributes: { token: string } };
    return (await call<Token>(`/v2/advocates/${slug}/tokens`, { expires_in })).attributes.token;
  }
}

/**
 * Records what a page says while it waits to try again, because it shows each sentence for only a second. Returns a function
 * that resolves to the sentences.
 */
export async function recordWaits(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(`
    const waits = (window.waits = new Set());
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('.waiting span')) waits.add(textContent);
    }).observe(document, { childList: true, characterData: true, subtree: true });
  `);
  return () => page.evaluate<string[]>('[...waits]');
}

/** Bodies with status 200 that are not the API's: a network's own page, a proxy's, one without a body, another resource. */
export const FOREIGN_BODIES = ['<!doctype html><title>Sign in to this network</title>', '{"data":{}}', ''];
export const NOT_THE_SERVICE = 'Something between you and the service answered.';

/** The first number in a group. */
export const numberIn = (page: Page, name: string) =>
  page.getByRole('group', { name, exact: true }).locator('.stat-value').first();
/** The number of a tab of "Numbers". */
export const numberOf = (page: Page, tab: string) =>
  page.getByRole('tab', { name: tab, exact: true }).locator('.tab-value');
export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
export const rowsOf = (page: Page, table: string) =>
  page.getByRole('table', { name: table, exact: true }).getByRole('row');
