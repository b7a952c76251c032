import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { until } from '../until.ts';
import { dialog, useDashboardPages } from './dashboard-page.ts';
import { rowsOf } from './portal-page.ts';

const ALL = ['read', 'track', 'advocates', 'payouts', 'admin'];

interface Entry {
  readonly attributes: { readonly commission: number; readonly settlement_id: string | null };
}

/** The fields of an advocate, and what its customer paid. */
interface Earner {
  readonly first_name: string;
  readonly payout_method?: string;
  readonly payout_account?: string;
  readonly amount?: number;
  readonly currency?: string;
}

export const ADA = { first_name: 'Ada', payout_method: 'paypal', payout_account: 'ada@pay.example' };
export const BOB = { first_name: 'Bob' };

/** Starts the whole service and a Chromium for tests of payouts, with programs whose advocates have earned something. */
export function usePayoutPages() {
  const dashboard = useDashboardPages();

  /** A program with a minimum of $50, whose advocates each earned 246.90, unless another payment is given. */
  async function aProgram(...advocates: readonly Earner[]) {
    const program = await dashboard.aProgram();
    const token = await dashboard.tokenOf(program, ...ALL);
    // First, because functions remember a program for half a minute.
    await dashboard.call('/v2/program', { minimum_payout: { usd: 5000 } }, token, 'PATCH');
    const slugs: string[] = [];
    for (const { amount = 123_450, currency = 'usd', ...fields } of advocates) {
      const slug = await dashboard.advocateOf(token, fields);
      await earn(token, slug, amount, currency);
      slugs.push(slug);
    }
    return { program, token, slugs, slug: slugs[0] ?? '' };
  }

  /** The page of such a program with its balances, which are listed once they are counted. */
  async function opened(...advocates: readonly Earner[]) {
    const made = await aProgram(...advocates);
    await listed(made.token, advocates.length);
    const page = await dashboard.newPage();
    await dashboard.open(page, made.token, '#/payouts');
    await rowsOf(page, 'To pay').nth(advocates.length).waitFor();
    return { ...made, page };
  }

  async function listed(token: string, count: number): Promise<void> {
    await until(async () => (await dashboard.call<object[]>('/v2/balances', undefined, token)).length >= count);
  }

  /** Resolves when the totals of an advocate, by which balances are listed, have all that it earned and was paid. */
  async function counted(
    token: string,
    slug: string,
    money: { readonly commissions: number; readonly settled: number },
  ) {
    interface Statistics {
      readonly attributes: { readonly total: { readonly money: readonly Readonly<Record<string, unknown>>[] } };
    }
    const path = `/v2/statistics?range=lifetime&affiliate_slug=${slug}`;
    await until(async () => {
      const [found] = (await dashboard.call<Statistics>(path, undefined, token)).attributes.total.money;
      return found?.['commissions'] === money.commissions && found['settled'] === money.settled;
    });
  }

  async function earn(token: string, slug: string, amount: number, currency = 'usd'): Promise<void> {
    const uid = crypto.randomUUID();
    await dashboard.referralOf(token, slug, { uid });
    await dashboard.call('/v2/payments', { uid, payment_id: `in_${uid}`, amount, currency }, token);
  }

  async function settlementsOf(token: string, slug: string) {
    const path = `/v2/ledger?affiliate_slug=${slug}&kind_eq=settlement`;
    return (await dashboard.call<Entry[]>(path, undefined, token)).map(({ attributes }) => attributes);
  }

  return { ...dashboard, earners: aProgram, opened, listed, counted, earn, settlementsOf };
}

export const status = (on: Page | Locator, name: string) => on.getByRole('status', { name, exact: true });
export const payout = (page: Page) => dialog(page, 'Payout');
export const select = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
export const row = (page: Page, table: string, text: string) => rowsOf(page, table).filter({ hasText: text });
export const review = (page: Page) => page.getByRole('button', { name: 'Pay out' }).click();
export const record = (page: Page) => payout(page).getByRole('button', { name: 'Record payout' }).click();

/** Presses a button that downloads a file. Returns its text. */
export async function download(page: Page, press: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), press.click()]);
  return readFile(await file.path(), 'utf8');
}
