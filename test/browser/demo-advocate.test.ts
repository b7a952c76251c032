import { expect, test } from '@jest/globals';
import { demoPrograms } from '../../bin/local/demo/data.ts';
import { linkOf, message, useDemo } from '../support/browser/demo-page.ts';

const demo = useDemo();
const [main] = demoPrograms();
const [advocate] = main?.advocates ?? [];
const referrals = main?.referrals.filter(({ advocateSlug }) => advocateSlug === advocate?.slug) ?? [];

test("the dashboard shows the advocate's name, and the keyboard copies the link", async () => {
  const page = await demo.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${demo.url()}/demo`);
  const name = `${advocate?.firstName} ${advocate?.lastName}`;
  await page.getByRole('heading', { name: `${name}’s dashboard` }).waitFor();
  expect(await page.locator('#avatar').textContent()).toBe('AO');
  const link = await linkOf(page);
  expect(link).toBe(demo.printedAddress());
  for (const time of [1, 2]) {
    await page.evaluate(`navigator.clipboard.writeText('copied before, ${time}')`);
    await page.getByRole('button', { name: 'Copy link' }).focus();
    await page.keyboard.press('Enter');
    await message(page, 'Link copied.').waitFor();
    await page.waitForFunction(`navigator.clipboard.readText().then((text) => text === ${JSON.stringify(link)})`);
  }
});

test('a link that the browser does not copy is selected', async () => {
  const page = await demo.newPage();
  await page.addInitScript("Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })");
  await page.goto(`${demo.url()}/demo`);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await message(page, 'The browser does not allow copying').waitFor();
  expect(await page.evaluate('getSelection().toString()')).toBe(demo.printedAddress());
});

test('the table counts all referrals and expands to all of them, across several pages of the API', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo`);
  const others = referrals.filter(({ state }) => state !== 'clicked');
  // More than one page of the API: the demo site must follow the `Link` header.
  expect(others.length).toBeGreaterThan(50);
  const table = page.getByRole('table', { name: `${referrals.length} referrals` });
  await table.waitFor();
  const rows = table.locator('tbody').getByRole('row');
  const few = await rows.count();
  expect(few).toBeLessThan(referrals.length);
  await page.getByRole('button', { name: `Show all ${referrals.length} referrals` }).press('Enter');
  await rows.nth(referrals.length - 1).waitFor();
  expect(await rows.count()).toBe(referrals.length);
  const emails = await rows.allTextContents();
  for (const { email } of others) expect(emails.join()).toContain(email);
  await page.getByRole('button', { name: 'Show the latest' }).press('Enter');
  await rows.nth(few).waitFor({ state: 'detached' });
  expect(demo.complaints).toEqual([]);
});
