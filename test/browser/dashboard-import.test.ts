import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { advocateRow, button, type StoredAdvocate, told, useAdvocatePages } from '../support/browser/advocates.ts';
import { dialog } from '../support/browser/dashboard-page.ts';
import { rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useAdvocatePages();

test('a file adds advocates, skips what is taken, offers what failed, and adds nobody when it is repeated', async () => {
  const token = await dashboard.aToken();
  await dashboard.advocateOf(token, { first_name: 'Ada', email: 'ada@partners.example', slug: 'ada' });
  const text = [
    '\uFEFFE-Mail;First name;Last_Name;slug;commission;City',
    'bob@partners.example;"Bob ""B"";";Smith;;12.5;Rome',
    'Ada@partners.example;Ada;;;;',
    'other@partners.example;Other;;ada;;',
    ' BOB@partners.example ;Bob again;;bob-2;;',
    'wrong;Wrong;;;;',
    ';Nobody;;;;',
    'rich@partners.example;Rich;;;200;',
  ].join('\r\n');
  const file = { name: 'advocates.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/advocates');
  const box = dialog(page, 'Import CSV');
  const run = async (label: string) => {
    await button(page, 'Import CSV').click();
    await box.getByLabel('CSV file').setInputFiles(file);
    await button(box, label).click();
  };
  const resultOf = (line: number) =>
    rowsOf(page, 'Rows')
      .filter({ has: page.getByRole('cell', { name: String(line), exact: true }) })
      .getByRole('cell')
      .last()
      .textContent();
  await run('Import 5 advocates');
  await told(page, '1 added, 3 skipped, 3 failed').waitFor();
  expect(await Promise.all([2, 3, 4, 5, 6, 7, 8].map(resultOf))).toEqual([
    'Added',
    'Skipped: this email is an advocate already',
    expect.stringContaining('Skipped: '),
    'Skipped: repeats row 2',
    expect.stringContaining('Failed: Email must be an email address'),
    'Failed: no email',
    expect.stringContaining('Failed: Commission must be a number'),
  ]);
  const [download] = await Promise.all([page.waitForEvent('download'), button(box, 'Download failed rows').click()]);
  const failed = (await readFile(await download.path(), 'utf8')).split('\r\n');
  expect(failed.slice(0, 2)).toEqual([
    'E-Mail,First name,Last_Name,slug,commission,City,reason',
    expect.stringMatching(/^wrong,Wrong,,,,,Failed: Email/),
  ]);
  await button(box, 'Close').click();
  await advocateRow(page, 'Bob "B"; Smith').waitFor();
  await run('Import 5 advocates');
  await told(page, '0 added, 4 skipped, 3 failed').waitFor();
  expect(await dashboard.call<StoredAdvocate[]>('/v2/advocates', undefined, token)).toHaveLength(2);
});

test('an import can be cancelled, Escape only stops it, and a file with more than 500 rows is refused', async () => {
  const token = await dashboard.aToken();
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/advocates');
  await button(page, 'Import CSV').click();
  const box = dialog(page, 'Import CSV');
  const choose = async (rows: number) => {
    const lines = Array.from({ length: rows }, (_, row) => `p${row}@partners.example`);
    const buffer = Buffer.from(['email', ...lines].join('\n'));
    await box.getByLabel('CSV file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
  };
  await choose(501);
  await box.getByRole('alert').filter({ hasText: '501 rows' }).waitFor();
  await choose(12);
  const waiting: (() => void)[] = [];
  await page.route(/\/v2\/advocates$/, async (route) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    await route.continue();
  });
  await button(box, 'Import 12 advocates').click();
  while (waiting.length < 4) await page.evaluate('0');
  expect(waiting).toHaveLength(4);
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
  await rowsOf(page, 'Rows').nth(12).waitFor();
  await button(box, 'Cancel').click();
  for (const go of waiting) go();
  await told(page, '4 added, 0 skipped, 0 failed, 8 ready.').waitFor();
  await page.unroute(/\/v2\/advocates$/);
  await button(box, 'Import the other 8').click();
  await told(page, '12 added').waitFor();
  expect(await dashboard.call<StoredAdvocate[]>('/v2/advocates', undefined, token)).toHaveLength(12);
});
