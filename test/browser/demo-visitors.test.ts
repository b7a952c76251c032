import { expect, test } from '@jest/globals';
import type { Route } from 'playwright-core';
import { demoPrograms } from '../../bin/local/demo-data.ts';
import { ownRow, press, rowOf, said, signUp, steps, useDemo } from '../support/demo-page.ts';

const demo = useDemo();

test('a visitor whom nobody brought is told so, and may come by the link', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo`);
  await said(page, 'without an affiliate’s link').waitFor();
  const email = await signUp(page);
  await steps(page, `Signed up as ${email} → nobody brought you`).waitFor();
  await press(page, 'Play the first payment');
  await said(page, 'No affiliate brought this customer').waitFor();
  await page.getByRole('link', { name: 'Come by Amara’s link' }).click();
  await steps(page, 'click recorded').waitFor();
});

test('a visitor whom someone else brought is told that the panel is of Amara', async () => {
  const [main] = demoPrograms();
  const slug = main?.advocates[1]?.slug;
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?via=${slug}`);
  await steps(page, `Visited by ${slug}’s link → not Amara’s`).waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await page.getByText('Live,').waitFor();
  expect(await rowOf(page, email).count()).toBe(0);
});

test('a visitor whom someone else brought may come by the link of Amara', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?via=someone-else`);
  await said(page, 'Someone else’s link brought you').waitFor();
  await page.getByRole('link', { name: 'Come by Amara’s link' }).click();
  await steps(page, 'click recorded').waitFor();
});

test('a visitor whose link names nobody becomes a customer all the same', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?ref=producthunt`);
  const email = await signUp(page);
  await said(page, 'Welcome to Northwind!').waitFor();
  await steps(page, `Signed up as ${email} → no affiliate has this link`).waitFor();
  await said(page, 'A customer without a referral').waitFor();
  await page.getByRole('button', { name: 'Play the first payment' }).waitFor();
});

test('a visitor who asks not to be tracked is not, and is told so', async () => {
  const page = await demo.newPage();
  await page.addInitScript(
    "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })",
  );
  await page.goto(demo.printedAddress());
  await said(page, 'Global Privacy Control').waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

test('a visitor whose browser blocks the tracking script is told so, and can sign up all the same', async () => {
  const page = await demo.newPage();
  await page.route('**/gr.js', (route) => route.abort());
  await page.goto(demo.printedAddress());
  await said(page, 'The tracking script does not answer').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → nobody brought you`).waitFor();
  await said(page, 'A customer without a referral').waitFor();
});

test.each<[string, (route: Route) => Promise<void>]>([
  ['blocked', (route) => route.abort()],
  ['answered with a failure', (route) => route.fulfill({ status: 503 })],
  // What the service says to a bot: all is well.
  ['ignored', (route) => route.fulfill({ status: 204 })],
])(
  'a visitor whose click is %s is told so, and is the customer of the affiliate all the same',
  async (_, answer) => {
    const page = await demo.newPage();
    await page.route('**/v2/tracking/click', answer);
    await page.goto(demo.printedAddress());
    await steps(page, 'Visited by amara-okafor’s link → click not recorded').waitFor();
    await said(page, 'The cookie still knows who brought you').waitFor();
    const email = await signUp(page);
    await steps(page, `${email} → converted`).waitFor();
    await ownRow(page).filter({ hasText: email }).waitFor();
    await said(page, 'Now play the first payment').waitFor();
    expect(await steps(page, '→').count()).toBe(2);
  },
);

test('a visitor with a phone finds the panel below the shop, and nothing beside the screen', async () => {
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
