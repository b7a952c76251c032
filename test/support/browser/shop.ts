import { beforeAll, beforeEach } from '@jest/globals';
import type { BrowserContext, Cookie, Page } from 'playwright-core';
import { functionsOf, type Pages } from '../../../bin/local/gateway.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { parseGrId } from '../../../functions/kernel/fields/fields.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { findReferral } from '../../../functions/referrals/table/customers.ts';
import { ROUTES } from '../../../functions/routes.ts';
import { NO_SECRETS, partsOf, useGateway } from '../drivers.ts';
import { anAdvocate, aProgram, aToken } from '../program.ts';
import { allItems } from '../table.ts';
import { useTable } from '../use-table.ts';
import { useChromium } from './chromium.ts';

/** The content of a page besides the snippet and the script. */
interface PageContent {
  /** Attributes of the script element. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Inserted between the snippet and the script. */
  readonly head?: string;
  readonly body?: string;
}

/**
 * Starts the service, Chromium, and a merchant's shop: its pages are served at every path of every host name that resolves
 * to this machine, unless `pages` responds first. The program has the advocates `jane`, `john` and `mary_ann`, and allows
 * conversions from pages of `app.shop.test`.
 */
export function useShop(pages: Pages = async () => undefined) {
  const chromium = useChromium();
  const table = useTable();
  let program: Program;
  let contents: Readonly<Record<string, PageContent>>;
  const gateway = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)), async (request) => {
    const [host = ''] = request.headers.host?.split(':') ?? [];
    const type = 'text/html; charset=utf-8';
    const body = html(contents[host] ?? contents['*'] ?? {});
    return (await pages(request)) ?? { headers: { 'content-type': type }, body };
  });
  const url = (host: string, path = '/') => `http://${host}:${new URL(gateway.url()).port}${path}`;
  const html = ({ attributes, head = '', body = 'Welcome' }: PageContent) => {
    const all = { src: url('api.service.test', '/gr.js'), 'data-pk': program.publicKey, ...attributes };
    const pairs = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
    return `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<script>window.gr=window.gr||function(){(gr.q=gr.q||[]).push(arguments)}</script>${head}
<script async ${pairs.join(' ')}></script>
<main>${body}</main>`;
  };
  beforeAll(async () => {
    program = await aProgram(table, { allowedOrigins: [url('app.shop.test', '')] });
    for (const slug of ['jane', 'john', 'mary_ann']) await anAdvocate(table, program, { slug });
  });
  beforeEach(() => {
    contents = {};
  });
  return {
    /** Returns an address of the shop. */
    url,
    newPage: chromium.newPage,
    /** Returns the program's public key. */
    publicKey: () => program.publicKey,
    /** Sets the content of the pages of one host, or of all other hosts, until the test ends. */
    setContent: (content: PageContent, host = '*') => {
      contents = { ...contents, [host]: content };
    },
    /** Returns the stored referral of a `gr_id`, whether it is a click or converted. */
    stored: (grId: string | null): Promise<Referral | undefined> =>
      findReferral(table, program.id, parseGrId(grId ?? '').clickId),
    /** Reports a conversion as the merchant's server does. Returns the status of the response. */
    reportConversion: async (fields: Readonly<Record<string, unknown>>): Promise<number> => {
      const response = await fetch(new URL(ROUTES.trackConversionV2.path, gateway.url()), {
        method: 'POST',
        headers: { authorization: `Bearer ${await aToken(table, program)}`, 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      });
      return response.status;
    },
    /** Returns all items of the table. */
    items: () => allItems(table),
  };
}

/** Resolves to the `gr_id` on a page, as soon as the script has loaded. */
export function grIdOf(page: Page): Promise<string | null> {
  return page.evaluate("new Promise((done) => gr('id', done))");
}

/**
 * Resolves to the `x-click` header of the response to the next click, for example `recorded` or `known`. A click that was
 * sent before does not count, even if its response is yet to come.
 */
export async function nextClickResult(context: BrowserContext): Promise<string | null> {
  const click = await context.waitForEvent('request', (each) => each.url().endsWith(ROUTES.trackClick.path));
  const response = await click.response();
  return response?.headerValue('x-click') ?? null;
}

/** Resolves to the cookies of a page, once its click is no longer marked as unsent. */
export async function cookiesAfterClick(page: Page): Promise<Cookie[]> {
  await grIdOf(page);
  await page.waitForFunction("!document.cookie.includes('gr_unsent=')");
  return page.context().cookies();
}

/** Counts a page's requests from now on. Before it returns the count, it waits for the requests already begun. */
export function countRequests(page: Page, path = ROUTES.trackClick.path): () => Promise<number> {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().endsWith(path)) count += 1;
  });
  return async () => {
    // The script's requests start before this one.
    await page.evaluate(
      "new Promise((done) => gr('ready', done)).then(() => fetch('/')).then((response) => response.text())",
    );
    return count;
  };
}
