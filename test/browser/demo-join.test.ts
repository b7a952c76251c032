import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  becomeAdvocate,
  dashboardOf,
  fillJoinForm,
  linkOf,
  message,
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

/** The emails of the newest advocates. */
const advocateEmails = async () =>
  (await demo.call<{ attributes: { email: string } }[]>('/v2/advocates?per_page=50')).map(
    ({ attributes }) => attributes.email,
  );
test('a visitor becomes an advocate, opens the link as a new visitor, and sees the referral', async () => {
  const page = await visit();
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => bodies.push(response.text().catch(() => '')));
  const { slug } = await becomeAdvocate(page);
  await dashboardOf(page, 'Ada Lovelace').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('advocate-title');
  await page.getByRole('table', { name: 'No referrals yet' }).waitFor();
  await message(page, 'This is your dashboard').waitFor();

  await page.getByRole('link', { name: 'Open link' }).click();
  await steps(page, 'Followed Ada’s link → click recorded').waitFor();
  expect(page.url()).toContain(`?via=${slug}`);
  const email = await signUp(page);
  await rowOf(page, email).getByText('converted').waitFor();
  await page.getByRole('table', { name: '1 referral' }).waitFor();
  const totals = page.getByRole('list', { name: 'Referrals per state' });
  await totals.getByText('converted').locator('..').getByText('1').waitFor();
  expect((await Promise.all(bodies)).join()).not.toContain(demo.programToken());
  expect(demo.complaints).toEqual([]);
});

test('an advocate changes its name with the keyboard, and a double click counts once', async () => {
  const page = await visit();
  const { slug } = await becomeAdvocate(page);
  await page.getByText('Change your name').press('Enter');
  const lastName = page.getByLabel('New last name');
  expect([await page.getByLabel('New first name').inputValue(), await lastName.inputValue()]).toEqual([
    'Ada',
    'Lovelace',
  ]);
  await lastName.fill('King');
  await page.getByRole('button', { name: 'Save' }).dblclick();
  await message(page, 'Your name is now Ada King.').waitFor();
  await dashboardOf(page, 'Ada King').waitFor();
  expect(await steps(page, 'Changed the name').count()).toBe(1);
  expect(new URL(await linkOf(page)).searchParams.get('via')).toBe(slug);
  await page.reload();
  await dashboardOf(page, 'Ada King').waitFor();
});

test('a change of name that fails can be repeated', async () => {
  const page = await visit();
  await becomeAdvocate(page);
  await page.route('**/demo/rename', (route) => route.abort());
  await page.getByText('Change your name').click();
  await page.getByLabel('New last name').fill('');
  await press(page, 'Save');
  await message(page, 'The service does not respond.').waitFor();
  await page.unroute('**/demo/rename');
  await press(page, 'Save');
  await message(page, 'Your name is now Ada.').waitFor();
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
  await dashboardOf(page, 'Ada Lovelace').waitFor();
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
  await dashboardOf(page, 'Ada Lovelace').waitFor();
  const emails = await advocateEmails();
  expect([emails.includes(email), emails.includes(second.email)]).toEqual([false, true]);
});

test('an email that the service refuses is explained', async () => {
  const page = await visit();
  await fillJoinForm(page);
  await page.getByLabel('Your email').fill('ada@localhost');
  await press(page, JOIN);
  await message(page, 'This name or this email is not valid. Check both.').waitFor();
  await steps(page, 'Joined as Ada → refused').waitFor();
  await dashboardOf(page, 'Amara Okafor').waitFor();
});
