import type { Locator, Page } from 'playwright-core';
import type { useDashboardPages } from './dashboard-page.ts';
import { rowsOf } from './portal-page.ts';

type Dashboard = ReturnType<typeof useDashboardPages>;

/** An advocate as the API returns it. */
export interface StoredAdvocate {
  readonly attributes: Readonly<Record<string, unknown>> & { readonly slug: string };
}

/** A token with all scopes, of a new program. */
export async function aToken(dashboard: Dashboard): Promise<string> {
  return dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates', 'payouts', 'admin');
}

/** A customer of an advocate, who has paid. */
export async function customerOf(dashboard: Dashboard, token: string, slug: string, amount: number): Promise<void> {
  const id = await dashboard.referralOf(token, slug);
  await dashboard.call('/v2/payments', { id, payment_id: `in_${id}`, amount, currency: 'eur' }, token);
}

/** Resolves when the totals of a program count this many customers. */
export async function counted(dashboard: Dashboard, token: string, conversions: number): Promise<void> {
  type Statistics = { attributes: { total: { conversions: number } } };
  const total = () => dashboard.call<Statistics>('/v2/statistics?range=lifetime', undefined, token);
  while ((await total()).attributes.total.conversions < conversions);
}

export const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
export const advocateRow = (page: Page, text: string) => rowsOf(page, 'Advocates').filter({ hasText: text });
/** A sentence about what a button did. */
export const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
export const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
export const hashOf = (page: Page) => new URL(page.url()).hash;
