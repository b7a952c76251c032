import { beforeAll, beforeEach } from '@jest/globals';
import type { BrowserContext, Cookie, Page } from 'playwright-core';
import { functionsOf } from '../../bin/local/functions.ts';
import type { Pages } from '../../bin/local/gateway.ts';
import { parseGrId } from '../../functions/domain/gr-id.ts';
import type { Program } from '../../functions/domain/program.ts';
import type { Referral } from '../../functions/domain/referral.ts';
import { ROUTES } from '../../functions/routes.ts';
import { findReferral } from '../../functions/table/referrals.ts';
import { useChromium } from './chromium.ts';
import { useGateway } from './drivers.ts';
import { anAdvocate, aProgram } from './program.ts';
import { allItems } from './table.ts';
import { useTable } from './use-table.ts';

/** What a page holds beside the snippet and the script. */
export interface Held {
  /** Attributes of the script element. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Comes between the snippet and the script. */
  readonly head?: string;
  readonly body?: string;
}

/**
 * The service, and a merchant's pages at every path of every host name that leads to this machine, in Chromium. The
 * program has the advocates `jane` and `john`, and takes conversions from pages of `app.shop.test`. `pages` come first.
 */
export function useShop(pages: Pages = async () => undefined) {
  const chromium = useChromium();
  const table = useTable();
  let program: Program;
  let held: Readonly<Record<string, Held>>;
  const gateway = useGateway(functionsOf(table.connection), async (request) => {
    const [host = ''] = request.headers.host?.split(':') ?? [];
    const type = 'text/html; charset=utf-8';
    const body = html(held[host] ?? held['*'] ?? {});
    return (await pages(request)) ?? { headers: { 'content-type': type }, body };
  });
  const url = (host: string, path = '/') => `http://${host}:${new URL(gateway.url()).port}${path}`;
  const html = ({ attributes, head = '', body = 'Welcome' }: Held) => {
    const all = { src: url('api.service.test', '/gr.js'), 'data-pk': program.publicKey, ...attributes };
    const written = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
    return `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<script>window.gr=window.gr||function(){(gr.q=gr.q||[]).push(arguments)}</script>${head}
<script async ${written.join(' ')}></script>
<main>${body}</main>`;
  };
  beforeAll(async () => {
    program = await aProgram(table, { allowedOrigins: [url('app.shop.test', '')] });
    for (const slug of ['jane', 'john']) await anAdvocate(table, program, { slug });
  });
  beforeEach(() => {
    held = {};
  });
  return {
    /** An address of the shop. */
    url,
    newPage: chromium.newPage,
    /** Sets what the pages of a host hold until the test ends, or those of all other hosts. */
    hold: (what: Held, host = '*') => {
      held = { ...held, [host]: what };
    },
    /** What the service has stored of the click that a `gr_id` tells of. */
    stored: (grId: string | null): Promise<Referral | undefined> =>
      findReferral(table, program.id, parseGrId(grId ?? '').clickId),
    /** All that the service has stored. */
    items: () => allItems(table),
  };
}

/** What `gr('id')` tells on a page, once the script is there. */
export function grIdOn(page: Page): Promise<string | null> {
  return page.evaluate("new Promise((done) => gr('id', done))");
}

/** What the service says of the next click that a page of a profile sends: `recorded`, `known` and so on. */
export async function answeredClick(context: BrowserContext): Promise<string | null> {
  const response = await context.waitForEvent('response', (one) => one.url().endsWith(ROUTES.trackClick.path));
  return response.headerValue('x-click');
}

/** The cookies of a page, once its click is answered: until then one says that it may be unsent. */
export async function cookiesOn(page: Page): Promise<Cookie[]> {
  await grIdOn(page);
  await page.waitForFunction("!document.cookie.includes('gr_unsent=')");
  return page.context().cookies();
}

/** Counts what a page asks of the service from now on. What is asked later than it was counted is not missed. */
export function countAsked(page: Page, path = ROUTES.trackClick.path): () => Promise<number> {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().endsWith(path)) count += 1;
  });
  return async () => {
    // Whatever the script asked for was asked before this.
    await page.evaluate(
      "new Promise((done) => gr('ready', done)).then(() => fetch('/')).then((answer) => answer.text())",
    );
    return count;
  };
}
