import { expect, test } from '@jest/globals';
import type { Route } from 'playwright-core';
import { demoPrograms } from '../../bin/local/demo/data.ts';
import { message, ownRow, press, rowOf, signUp, steps, useDemo } from '../support/browser/demo-page.ts';

const demo = useDemo();

/** Evaluates to what does not stay together: an email's domain, a name, a source and its route, a step and its time, the totals. */
const BROKEN = `(() => {
  const range = new Range();
  const topOf = (element) => element.getBoundingClientRect().top;
  const broken = (selector, isBroken) => [...document.querySelectorAll(selector)].filter(isBroken).map(({ outerHTML }) => outerHTML);
  const totals = [...document.querySelectorAll('#totals li')].map((total) => total.getBoundingClientRect());
  const columns = new Set(totals.map(({ left }) => left)).size;
  return [
    ...broken('.person', (cell) => [...cell.childNodes].some((node) => {
      const at = node.nodeValue?.indexOf('@') ?? -1;
      if (at < 0) return false;
      range.setStart(node, at);
      range.setEnd(node, node.nodeValue.length);
      return range.getClientRects().length > 1;
    })),
    ...broken('.for-advocate .source', (source) => topOf(source.querySelector('code')) > topOf(source) + 9),
    ...broken('.for-advocate h2', (title) => title.offsetHeight > 30),
    ...broken('.steps li', (step) => topOf(step.querySelector('time')) > topOf(step) + 9),
    ...(columns === 1 || columns === totals.length ? [] : [columns + ' columns of totals']),
  ];
})()`;

test('a visitor without a referral sees that, and can follow the link', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo`);
  await message(page, 'without an advocate’s link').waitFor();
  const email = await signUp(page);
  await steps(page, `Signed up as ${email} → not referred`).waitFor();
  await press(page, 'Simulate a payment');
  await message(page, 'No advocate referred this customer').waitFor();
  await page.getByRole('link', { name: 'Follow Amara’s link' }).click();
  await steps(page, 'click recorded').waitFor();
});

test('a visitor referred by another advocate is not in Amara’s dashboard', async () => {
  const [main] = demoPrograms();
  const slug = main?.advocates[1]?.slug;
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?via=${slug}`);
  await steps(page, `Followed ${slug}’s link → click recorded`).waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await message(page, 'Another advocate has a new customer').waitFor();
  await page.getByText('Live,').waitFor();
  expect(await rowOf(page, email).count()).toBe(0);
});

test('a visitor with an unknown link can follow Amara’s link', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?via=someone-else`);
  await message(page, 'No advocate has this link').waitFor();
  expect(await page.getByText('Recommended by').isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Follow Amara’s link' }).click();
  await steps(page, 'click recorded').waitFor();
});

test.each([
  ['amara-okafor', 'Recommended by Amara Okafor', 'The cookie still names Amara as your advocate'],
  ['bjorn-sato', 'Recommended by bjorn-sato', 'Another advocate referred you'],
])('a visitor of %s who then follows an unknown link sees that the advocate stays', async (slug, greeting, hint) => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?via=${slug}`);
  await steps(page, 'click recorded').waitFor();
  await page.goto(`${demo.url()}/demo?via=nobody`);
  await steps(page, 'Followed nobody’s link → no advocate has this link').waitFor();
  await message(page, `No advocate has this link. ${hint}`).waitFor();
  await page.getByText(greeting).waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
});

test('a customer who comes back by an unknown link is recognized', async () => {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  const tab = await page.context().newPage();
  await tab.goto(`${demo.url()}/demo?via=nobody`);
  await steps(tab, `Came back as ${email} → converted`).waitFor();
  await message(tab, 'Now simulate the first payment').waitFor();
  expect(await tab.getByLabel('Email', { exact: true }).isVisible()).toBe(false);
});

test('a customer without a referral sees the subscription instead of the form after a reload, until it starts over', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo`);
  await page.getByLabel('Explorer').check();
  const email = await signUp(page);
  await steps(page, `${email} → not referred`).waitFor();
  await press(page, 'Simulate a payment');
  await message(page, 'No advocate referred this customer').waitFor();
  await page.reload();
  await steps(page, `Came back as ${email} → paid`).waitFor();
  await message(page, 'This customer has no referral').waitFor();
  await page.getByRole('heading', { name: 'Your Explorer subscription' }).waitFor();
  await page.route('**/gr.js', (route) => route.abort());
  await page.reload();
  await steps(page, `Came back as ${email} → paid`).waitFor();
  expect(await page.getByLabel('Email', { exact: true }).isVisible()).toBe(false);
  await page.unroute('**/gr.js');
  await page.reload();
  await message(page, 'This customer has no referral').waitFor();
  await press(page, 'Start over as a new visitor');
  await page.getByLabel('Email', { exact: true }).waitFor();
});

test('a visitor with an unknown link can sign up', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?ref=producthunt`);
  const email = await signUp(page);
  await message(page, 'Welcome to Northwind!').waitFor();
  await steps(page, `Signed up as ${email} → not referred`).waitFor();
  await message(page, 'This customer has no referral').waitFor();
  await page.getByRole('button', { name: 'Simulate a payment' }).waitFor();
});

test('an email that the service refuses is explained in a sentence', async () => {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  await steps(page, 'click recorded').waitFor();
  await signUp(page, 'ada@localhost');
  await steps(page, 'Signed up as ada@localhost → refused').waitFor();
  expect(await message(page, 'must be').textContent()).toBe('Email must be an email address such as name@example.com.');
});

test('a visitor with Global Privacy Control is not tracked, and sees that', async () => {
  const page = await demo.newPage();
  await page.addInitScript("Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })");
  await page.goto(demo.printedAddress());
  await message(page, 'Global Privacy Control').waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

test('a visitor whose browser blocks the tracking script sees that, and can sign up', async () => {
  const page = await demo.newPage();
  await page.route('**/gr.js', (route) => route.abort());
  await page.goto(demo.printedAddress());
  await message(page, 'The tracking script did not load').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → not referred`).waitFor();
  await message(page, 'This customer has no referral').waitFor();
});

test.each<[string, (route: Route) => Promise<void>]>([
  ['not recorded', (route) => route.abort()],
  ['not recorded', (route) => route.fulfill({ status: 503 })],
  ['not recorded', (route) => route.fulfill({ status: 429 })],
  // The service responds to bots like this.
  ['ignored', (route) => route.fulfill({ status: 204, headers: { 'x-click': 'ignored' } })],
])('a visitor whose click is %s sees that, and is still attributed to the advocate', async (result, respond) => {
  const page = await demo.newPage();
  await page.route('**/v2/tracking/click', respond);
  await page.goto(demo.printedAddress());
  await steps(page, `Followed Amara’s link → click ${result}`).waitFor();
  await message(page, 'The cookie still names Amara as your advocate').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await ownRow(page).filter({ hasText: email }).waitFor();
  await message(page, 'Now simulate the first payment').waitFor();
  expect(await steps(page, '→').count()).toBe(2);
});

test('on a phone the panel is below the shop, and nothing is wider than the screen', async () => {
  const page = await demo.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(demo.printedAddress());
  await page.getByRole('link', { name: 'Amara’s dashboard' }).click();
  await page.getByRole('img', { name: 'Referrals per state' }).waitFor();
  await ownRow(page).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test.each([
  { width: 1280, isBeside: true },
  { width: 1024, isBeside: true },
  { width: 390, isBeside: false },
])('the panel fits into a window of $width pixels, and no text overflows', async ({ width, isBeside }) => {
  const page = await demo.newPage({ viewport: { width, height: 720 } });
  await page.goto(demo.printedAddress());
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await rowOf(page, email).waitFor();
  const panel = await page.getByRole('complementary').boundingBox();
  expect([panel !== null, Number(panel?.x) > 0]).toEqual([true, isBeside]);
  const tooWide = `[...document.querySelectorAll('body, li, .badge, .steps, .card, .row, table, td, button')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ outerHTML }) => outerHTML)`;
  expect(await page.evaluate(tooWide)).toEqual([]);
  expect(await page.evaluate(BROKEN)).toEqual([]);
  await page.getByText('Merchant’s view').click();
  await press(page, 'Look up');
  await page.getByRole('list', { name: 'History' }).waitFor();
  expect(await page.evaluate(tooWide)).toEqual([]);
});
