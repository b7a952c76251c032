import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  becomeAdvocate,
  fillJoinForm,
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

async function visit(): Promise<Page> {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  await steps(page, 'click recorded').waitFor();
  return page;
}

const pageOf = (page: Page, name: string) => portal(page).getByText(`Signed in as ${name}`);

/** The emails of the newest advocates. */
const advocateEmails = async () =>
  (await demo.call<{ attributes: { email: string } }[]>('/v2/advocates?per_page=50')).map(
    ({ attributes }) => attributes.email,
  );

test('a visitor becomes an advocate, follows the own link as a new visitor, and sees the referral', async () => {
  const page = await visit();
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
  const page = await visit();
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
  const page = await visit();
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

test('a double click joins once, and a reload in the middle leaves a page that works', async () => {
  const page = await visit();
  // This request never gets a response.
  await page.route('**/demo/join', () => undefined);
  const email = await fillJoinForm(page);
  await page.getByRole('button', { name: JOIN }).dblclick();
  await steps(page, 'Joined as Ada → waiting …').waitFor();
  expect(await steps(page, 'Joined as Ada').count()).toBe(1);
  expect(await page.getByRole('button', { name: JOIN }).isEnabled()).toBe(false);
  await page.reload();
  await page.unroute('**/demo/join');
  const second = await becomeAdvocate(page);
  const emails = await advocateEmails();
  expect([emails.includes(email), emails.includes(second)]).toEqual([false, true]);
});

test('an email that the service refuses is explained', async () => {
  const page = await visit();
  await fillJoinForm(page);
  await page.getByLabel('Your email').fill('ada@localhost');
  await press(page, JOIN);
  await message(page, 'This name or this email is not valid. Check both.').waitFor();
  await steps(page, 'Joined as Ada → refused').waitFor();
  await pageOf(page, 'Amara Okafor').waitFor();
});
