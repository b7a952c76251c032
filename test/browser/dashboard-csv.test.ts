import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { useDashboardPages } from '../support/browser/dashboard-page.ts';
import { region, rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();
const button = (page: Page, name: string) => region(page, 'Referrals').getByRole('button', { name });
/** The requests of a download: the list itself reads 25 rows. */
const DOWNLOAD = '**/v2/referrals?*per_page=50*';

/** A program with referrals of these ids, newest last, and the page that lists them. */
async function opened(uids: readonly string[]): Promise<Page> {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates');
  const slug = await dashboard.advocateOf(token);
  for (const uid of uids) await dashboard.referralOf(token, slug, { uid, sub_id: uid });
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/referrals');
  await rowsOf(page, 'Referrals').nth(uids.length).waitFor();
  return page;
}

async function download(page: Page): Promise<Record<string, string>[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()]);
  return parse(await readFile(await file.path()), { columns: true });
}

test('ids that a spreadsheet would run as formulas get an apostrophe in the file', async () => {
  const hostile = ['=HYPERLINK("https://evil.example")', '+1', '-1+cmd', '@SUM(A1)', 'a,"b"'];
  const page = await opened(hostile);
  const rows = (await download(page)).toReversed();
  const written = hostile.map((text) => (/^[=+\-@]/.test(text) ? `'${text}` : text));
  expect(rows.map(({ uid }) => uid)).toEqual(written);
  expect(rows.map(({ sub_id }) => sub_id)).toEqual(written);
  expect(rows[0]?.['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  await page.getByText('Downloaded 5 rows.').waitFor();
  expect(dashboard.complaints).toEqual([]);
});

test('a download stops at 10,000 rows, and names the command for the rest', async () => {
  const page = await opened(['1001']);
  let pages = 0;
  await page.route(DOWNLOAD, async (route) => {
    pages += 1;
    const response = await route.fetch();
    const { data, meta } = await response.json();
    const rows = Array.from({ length: 50 }, (_, row) => ({ ...data[0], id: `${pages}-${row}` }));
    const link = `<https://evil.example/v2/referrals?cursor=${pages}>; rel="next"`;
    await route.fulfill({ response, headers: { ...response.headers(), link }, json: { data: rows, meta } });
  });
  // The cursors are not the service's own.
  await page.route('**/v2/referrals?*cursor=*', (route) => {
    const url = new URL(route.request().url());
    url.searchParams.delete('cursor');
    return route.fallback({ url: url.href });
  });
  const rows = await download(page);
  await page.getByText('Downloaded 10,000 rows. These are the first 10,000 rows.').waitFor();
  await page.getByText('use the command “export”').waitFor();
  expect([rows.length, pages, rows.at(-1)?.['id']]).toEqual([10_000, 200, '200-49']);
});
