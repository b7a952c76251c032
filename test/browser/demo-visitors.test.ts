import { expect, test } from '@jest/globals';
import type { Route } from 'playwright-core';
import { demoPrograms } from '../../bin/local/demo-data.ts';
import { ownRow, press, rowOf, said, signUp, steps, useDemo } from '../support/demo-page.ts';

const demo = useDemo();

test('a visitor whom nobody referred sees that, and may follow the link', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo`);
  await said(page, 'without an advocate’s link').waitFor();
  const email = await signUp(page);
  await steps(page, `Signed up as ${email} → not referred`).waitFor();
  await press(page, 'Simulate a payment');
  await said(page, 'No advocate referred this customer').waitFor();
  await page.getByRole('link', { name: 'Follow Amara’s link' }).click();
  await steps(page, 'click recorded').waitFor();
});

test('a visitor whom another advocate referred is not in the panel, which shows Amara’s referrals only', async () => {
  const [main] = demoPrograms();
  const slug = main?.advocates[1]?.slug;
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?via=${slug}`);
  await steps(page, `Followed ${slug}’s link → click recorded`).waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await page.getByText('Live,').waitFor();
  expect(await rowOf(page, email).count()).toBe(0);
});

test('a visitor who followed a link that no advocate has may follow the link of Amara', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?via=someone-else`);
  await said(page, 'No advocate has this link').waitFor();
  await page.getByRole('link', { name: 'Follow Amara’s link' }).click();
  await steps(page, 'click recorded').waitFor();
});

test('a visitor who followed a link that no advocate has becomes a customer all the same', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?ref=producthunt`);
  const email = await signUp(page);
  await said(page, 'Welcome to Northwind!').waitFor();
  await steps(page, `Signed up as ${email} → not referred`).waitFor();
  await said(page, 'This customer has no referral').waitFor();
  await page.getByRole('button', { name: 'Simulate a payment' }).waitFor();
});

test('a visitor who asks not to be tracked is not tracked, and sees that', async () => {
  const page = await demo.newPage();
  await page.addInitScript("Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })");
  await page.goto(demo.printedAddress());
  await said(page, 'Global Privacy Control').waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

test('a visitor whose browser blocks the tracking script sees that, and can sign up all the same', async () => {
  const page = await demo.newPage();
  await page.route('**/gr.js', (route) => route.abort());
  await page.goto(demo.printedAddress());
  await said(page, 'The tracking script did not load').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → not referred`).waitFor();
  await said(page, 'This customer has no referral').waitFor();
});

test.each<[string, (route: Route) => Promise<void>]>([
  ['not recorded', (route) => route.abort()],
  ['not recorded', (route) => route.fulfill({ status: 503 })],
  ['not recorded', (route) => route.fulfill({ status: 429 })],
  // The response to a bot.
  ['ignored', (route) => route.fulfill({ status: 204, headers: { 'x-click': 'ignored' } })],
])(
  'a visitor whose click is %s sees that, and is the customer of the advocate all the same',
  async (result, respond) => {
    const page = await demo.newPage();
    await page.route('**/v2/tracking/click', respond);
    await page.goto(demo.printedAddress());
    await steps(page, `Followed Amara’s link → click ${result}`).waitFor();
    await said(page, 'The cookie still knows who referred you').waitFor();
    const email = await signUp(page);
    await steps(page, `${email} → converted`).waitFor();
    await ownRow(page).filter({ hasText: email }).waitFor();
    await said(page, 'Now simulate the first payment').waitFor();
    expect(await steps(page, '→').count()).toBe(2);
  },
);

test('on a phone the panel is below the shop, and nothing is wider than the screen', async () => {
  const page = await demo.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(demo.printedAddress());
  await page.getByRole('link', { name: 'What Amara sees' }).click();
  await page.getByRole('img', { name: 'Referrals per state' }).waitFor();
  await ownRow(page).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test.each([
  { width: 1280, isBeside: true },
  { width: 1024, isBeside: true },
  { width: 390, isBeside: false },
])('the panel fits into a window of $width pixels, and no text sticks out', async ({ width, isBeside }) => {
  const page = await demo.newPage({ viewport: { width, height: 720 } });
  await page.goto(demo.printedAddress());
  const email = await signUp(page);
  await rowOf(page, email).waitFor();
  const panel = await page.getByRole('complementary').boundingBox();
  expect([panel !== null, Number(panel?.x) > 0]).toEqual([true, isBeside]);
  const tooWide = `[...document.querySelectorAll('body, li, .badge, .story, .card, table, td, button')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ outerHTML }) => outerHTML)`;
  expect(await page.evaluate(tooWide)).toEqual([]);
});
