import type { Page } from 'playwright-core';
import { dialog, useDashboardPages } from './dashboard-page.ts';
import { rowsOf } from './portal-page.ts';

/** What the view "Referrals" needs. */
export const SCOPES = ['read', 'track', 'advocates', 'payouts'];

/** The dashboard for the tests of a file that are about referrals. */
export function useReferralPages() {
  const dashboard = useDashboardPages();
  return {
    ...dashboard,
    /** A program with two advocates, and a token for everything that the view does. */
    twoAdvocates: async () => {
      const token = await dashboard.tokenOf(await dashboard.aProgram(), ...SCOPES);
      const ada = await dashboard.advocateOf(token, { first_name: 'Ada', slug: 'ada' });
      const bob = await dashboard.advocateOf(token, { first_name: 'Bob', slug: 'bob' });
      return { token, ada, bob };
    },
    opened: async (token: string, hash = '#/referrals', options = {}): Promise<Page> => {
      const page = await dashboard.newPage(options);
      await dashboard.open(page, token, hash);
      return page;
    },
  };
}

export const drawer = (page: Page) => dialog(page, 'Referral');
export const row = (page: Page, table: string, text: string) => rowsOf(page, table).filter({ hasText: text });
/** Presses a button of a dialog. */
export const pressIn = (page: Page, box: string, name: string) =>
  dialog(page, box).getByRole('button', { name, exact: true }).click();
export const closed = (page: Page, box: string) => dialog(page, box).waitFor({ state: 'detached' });
