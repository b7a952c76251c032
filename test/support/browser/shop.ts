import { beforeAll, beforeEach } from '@jest/globals';
import type { Page } from 'playwright-core';
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

/** The content of a page besides the snippet and the script. */
interface PageContent {
  /** Attributes of the script element. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Inserted between the snippet and the script. */
  readonly head?: string;
  readonly body?: string;
  /** Replaces the whole page, with the snippet and the script. */
  readonly page?: string;
}

/**
 * Starts the service and a merchant's shop: its pages are served at every path of every host name that browsers look for
 * on this machine, unless `pages` responds first. The program has the advocates `jane`, `john` and `mary_ann`, and allows
 * conversions from pages of `app.shop.test`.
 */
export function useShop(pages: Pages = async () => undefined) {
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
  const html = ({ attributes, head = '', body = 'Welcome', page }: PageContent) => {
    if (page !== undefined) return page;
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
    /** The address of the server. */
    origin: gateway.url,
    table,
    program: () => program,
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

/** Opens the shop through an advocate's link in Chromium, and waits for the response to the click. Returns the `gr_id`. */
export async function referredBy(
  slug: string,
  page: Page,
  shop: Pick<ReturnType<typeof useShop>, 'url'>,
): Promise<string> {
  const click = page.waitForResponse((response) => response.url().endsWith(ROUTES.trackClick.path));
  await page.goto(shop.url('shop.test', `/?via=${slug}`));
  await click;
  return (await grIdOf(page)) ?? '';
}
