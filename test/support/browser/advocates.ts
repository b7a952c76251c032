import { afterEach, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { useDashboardPages } from './dashboard-page.ts';
import { rowsOf } from './portal-page.ts';

/** An advocate as the API returns it. */
export interface StoredAdvocate {
  readonly attributes: Readonly<Record<string, unknown>> & { readonly slug: string };
}

/** The dashboard for the tests of a file that are about advocates. An error in the console fails the test. */
export function useAdvocatePages() {
  const dashboard = useDashboardPages();
  afterEach(() => expect(dashboard.complaints).toEqual([]));
  return {
    ...dashboard,
    /** A token with all scopes, of a new program. */
    aToken: async (): Promise<string> =>
      dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates', 'payouts', 'admin'),
    /** The attributes of an advocate, as the API returns them now. */
    attributesOf: async (token: string, slug: string) =>
      (await dashboard.call<StoredAdvocate>(`/v2/advocates/${slug}`, undefined, token)).attributes,
    /** A customer of an advocate, who has paid. */
    customerOf: async (token: string, slug: string, amount: number): Promise<void> => {
      const id = await dashboard.referralOf(token, slug);
      await dashboard.call('/v2/payments', { id, payment_id: `in_${id}`, amount, currency: 'eur' }, token);
    },
  };
}

export const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
export const advocateRow = (page: Page, text: string) => rowsOf(page, 'Advocates').filter({ hasText: text });
/** A sentence about what a button did. */
export const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
export const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
export const hashOf = (page: Page) => new URL(page.url()).hash;
