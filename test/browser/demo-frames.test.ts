import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { demoPrograms } from '../../bin/local/demo/data.ts';
import { dashboard, message, portal, press, rowOf, signUp, steps, useDemo } from '../support/browser/demo-page.ts';

const demo = useDemo();
const WIDE = { width: 1280, height: 800 };

/** The address of the page in a frame. */
const addressOf = (page: Page, path: string) =>
  page.frames().flatMap((frame) => (new URL(frame.url()).pathname === path ? [frame.url()] : []))[0];

test('a change in the shop shows in the dashboard’s view and dialog, which stay as they are', async () => {
  const page = await demo.newPage({ viewport: WIDE });
  await page.goto(demo.printedAddress());
  await steps(page, 'click recorded').waitFor();
  const merchant = dashboard(page);
  await merchant.getByRole('link', { name: 'Referrals', exact: true }).click();
  await merchant.getByRole('combobox', { name: 'State' }).selectOption('converted');
  const email = await signUp(page);
  await rowOf(merchant, email).waitFor();
  expect(addressOf(page, '/dashboard')).toMatch(/\/dashboard#\/referrals\?state=converted$/);

  await merchant.getByRole('button', { name: 'Add referral' }).click();
  const typed = merchant.getByRole('dialog', { name: 'New referral' }).getByRole('textbox', { name: 'Your id' });
  await typed.fill('half typed');
  await press(page, 'Simulate a payment');
  await rowOf(portal(page), email).getByText('paid').waitFor();
  expect(await typed.inputValue()).toBe('half typed');
  expect(demo.complaints).toEqual([]);
});

test('both pages look alive at the first start: numbers, several months, and a month that is settled', async () => {
  const page = await demo.newPage({ viewport: WIDE });
  await page.goto(demo.printedAddress());
  const statements = portal(page).getByRole('table', { name: 'Statements', exact: true }).getByRole('row');
  await statements.nth(5).waitFor();
  const months = (await statements.allTextContents()).slice(1);
  expect(months.filter((month) => /-€\d+/.test(month)).length).toBeGreaterThan(2);
  expect(months.join()).not.toContain('$');
  for (const frame of [portal(page), dashboard(page)]) {
    for (const name of ['Clicks', 'Sign-ups', 'Paying']) {
      const value = frame.getByRole('group', { name, exact: true }).locator('.stat-value').first();
      expect(Number(await value.textContent())).toBeGreaterThan(0);
    }
  }
  expect(demo.complaints).toEqual([]);
});

test('no address in the history of the page contains a token', async () => {
  const page = await demo.newPage({ viewport: WIDE });
  await page.goto(demo.printedAddress());
  await portal(page).getByText('Signed in as Amara Okafor').waitFor();
  await dashboard(page).getByRole('button', { name: 'Sign out' }).waitFor();
  expect(page.frames().filter((frame) => /rt[ap]_/.test(frame.url()))).toEqual([]);
  expect(await page.evaluate('history.length')).toBe(2);
  const storage = 'JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), document.cookie])';
  expect(await page.evaluate(storage)).not.toMatch(/rt[ap]_/);
});

test('a visitor of another advocate is in the merchant’s dashboard, and not in Amara’s page', async () => {
  const slug = demoPrograms()[0]?.advocates[1]?.slug;
  const page = await demo.newPage({ viewport: WIDE });
  await page.goto(`${demo.url()}/demo?via=${slug}`);
  await steps(page, `Followed ${slug}’s link → click recorded`).waitFor();
  await dashboard(page).getByRole('link', { name: 'Referrals', exact: true }).click();
  const email = await signUp(page);
  await message(page, 'Another advocate has a new customer').waitFor();
  await rowOf(dashboard(page), email).waitFor();
  await portal(page).getByRole('table', { name: 'Referrals', exact: true }).waitFor();
  expect(await rowOf(portal(page), email).count()).toBe(0);
});

const TOO_WIDE = `[...document.querySelectorAll('body, .shop, .card, .card p, .log, li, button, .plan, .views span')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ outerHTML }) => outerHTML)`;

test.each([320, 390, 768])('at a width of %d pixels, tabs show one page at a time', async (width) => {
  const page = await demo.newPage({ viewport: { width, height: 800 } });
  await page.goto(demo.printedAddress());
  await steps(page, 'click recorded').waitFor();
  const heading = { name: 'Choose your plan' };
  for (const [tab, shown] of [
    ['Advocate', [false, true, false]],
    ['Merchant', [false, false, true]],
    ['Shop', [true, false, false]],
  ] as const) {
    await page.getByRole('radio', { name: tab, exact: true }).check();
    expect([
      await page.getByRole('heading', heading).isVisible(),
      await page.locator('#portal').isVisible(),
      await page.locator('#dashboard').isVisible(),
    ]).toEqual(shown);
    expect(await page.evaluate(TOO_WIDE)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  expect(await page.evaluate(TOO_WIDE)).toEqual([]);
  await page.getByRole('radio', { name: 'Advocate', exact: true }).check();
  await rowOf(portal(page), email).waitFor();
});

test.each([1200, 1440])('at a width of %d pixels, shop and pages are side by side', async (width) => {
  const page = await demo.newPage({ viewport: { width, height: 800 } });
  await page.goto(demo.printedAddress());
  await steps(page, 'click recorded').waitFor();
  const [shop, left, right] = await Promise.all(
    ['#top', '#portal', '#dashboard'].map((selector) => page.locator(selector).boundingBox()),
  );
  expect([Number(left?.x) > Number(shop?.width) - 1, Number(right?.x) > Number(left?.x)]).toEqual([true, true]);
  expect(await page.getByRole('radio', { name: 'Shop', exact: true }).isVisible()).toBe(false);
  expect(await page.evaluate(TOO_WIDE)).toEqual([]);
});
