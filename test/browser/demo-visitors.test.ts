import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import {
  becomeAdvocate,
  fillJoinForm,
  hold,
  message,
  portal,
  press,
  rowOf,
  signUp,
  steps,
  useDemo,
} from '../support/browser/demo-page.ts';

const demo = useDemo();
const JOIN = 'Become an advocate';

const pageOf = (page: Page, name: string) => portal(page).getByText(`Signed in as ${name}`);

/** The emails of the newest advocates. */
const advocateEmails = async () =>
  (await demo.read<{ attributes: { email: string } }[]>('/v2/advocates?per_page=50')).map(
    ({ attributes }) => attributes.email,
  );

test('a visitor becomes an advocate, follows the own link as a new visitor, and sees the referral', async () => {
  const page = await demo.visit();
  await pageOf(page, 'Amara Okafor').waitFor();
  await becomeAdvocate(page);
  await pageOf(page, 'Ada Lovelace').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('joined');
  expect(page.frames().filter((frame) => /rt[ap]_/.test(frame.url()))).toEqual([]);
  await page.getByRole('link', { name: 'Follow Ada’s link' }).click();
  await steps(page, 'Followed Ada’s link → click recorded').waitFor();
  expect(page.url()).toMatch(/\?via=ada-lovelace/);
  const email = await signUp(page);
  await rowOf(portal(page), email).getByText('converted').waitFor();
  expect(demo.complaints).toEqual([]);
});

test('the new advocate stays signed in after a reload and the back button, until it signs out', async () => {
  const page = await demo.visit();
  await becomeAdvocate(page);
  await page.reload();
  await pageOf(page, 'Ada Lovelace').waitFor();
  await page.goto(`${demo.url()}/`);
  await page.goBack();
  await pageOf(page, 'Ada Lovelace').waitFor();
  expect(await page.getByRole('button', { name: JOIN }).isVisible()).toBe(false);
  await press(page, 'Sign out as an advocate');
  await page.getByRole('button', { name: JOIN }).waitFor();
  await pageOf(page, 'Amara Okafor').waitFor();
  expect(demo.complaints).toEqual([]);
});

test('a join whose response is lost can be repeated and creates one advocate', async () => {
  const page = await demo.visit();
  let isLost = true;
  await page.route('**/demo/join', async (route) => {
    const response = await route.fetch();
    await (isLost ? route.abort() : route.fulfill({ response }));
  });
  const email = await fillJoinForm(page);
  await press(page, JOIN);
  await message(page, 'The service does not respond.').waitFor();
  isLost = false;
  await press(page, JOIN);
  await pageOf(page, 'Ada Lovelace').waitFor();
  expect((await advocateEmails()).filter((each) => each === email)).toHaveLength(1);
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
  expect(await page.getByLabel('Email', { exact: true }).isVisible()).toBe(false);
  await press(page, 'Start over as a new visitor');
  await page.getByLabel('Email', { exact: true }).waitFor();
});

test('an email that the service refuses is explained in a sentence', async () => {
  const page = await demo.visit();
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
  await rowOf(portal(page), email).waitFor();
  await message(page, 'Now simulate the first payment').waitFor();
  expect(await steps(page, '→').count()).toBe(2);
});

test('a click is shown as waiting until its response arrives, and the visitor can sign up before', async () => {
  const page = await demo.newPage();
  const { held, release } = await hold(page, '**/v2/tracking/click');
  await page.goto(demo.printedAddress());
  await held;
  await steps(page, 'Followed Amara’s link → waiting …').waitFor();
  await message(page, 'Waiting for the response of the service').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  release();
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
  await message(page, 'Now simulate the first payment').waitFor();
});
