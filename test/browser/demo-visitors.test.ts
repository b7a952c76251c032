import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import {
  becomeAdvocate,
  fillJoinForm,
  message,
  openReferrals,
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
  await openReferrals(portal(page));
  await rowOf(portal(page), email).getByText('Signed up').waitFor();
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

test('a visitor who follows an unknown link after a known one sees that the advocate stays', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?via=bjorn-sato`);
  await steps(page, 'click recorded').waitFor();
  await page.goto(`${demo.url()}/demo?via=nobody`);
  await steps(page, 'Followed nobody’s link → no advocate has this link').waitFor();
  await message(page, 'No advocate has this link. Another advocate referred you').waitFor();
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
  await press(page, 'Start over as a new visitor');
  await page.getByLabel('Email', { exact: true }).waitFor();
});

test('a visitor without a link types a promotion code, and its advocate sees the referral', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo`);
  await page.getByLabel('Promotion code').fill('hana11');
  const email = await signUp(page);
  await message(page, 'Invalid promotion code.').waitFor();
  await page.getByLabel('Promotion code').fill('amara10');
  await signUp(page, email);
  await steps(page, `${email} → converted`).waitFor();
  await message(page, 'The advocate of this code has a new customer.').waitFor();
  await openReferrals(portal(page));
  await rowOf(portal(page), email).waitFor();
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
  await openReferrals(portal(page));
  await rowOf(portal(page), email).waitFor();
});
