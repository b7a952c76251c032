import { expect, test } from '@jest/globals';
import { demoPrograms } from '../../bin/local/demo-data.ts';
import { ownRow, press, rowOf, said, signUp, steps, useDemo } from '../support/demo-page.ts';

const demo = useDemo();

/** The page at the printed address. */
async function visit() {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  return page;
}

test("shows the whole story, and the advocate's panel shows each part of it", async () => {
  const page = await visit();
  await page.getByText('Recommended by Amara Okafor').waitFor();
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
  await ownRow(page).getByText('clicked').waitFor();

  await page.getByLabel('Office').check();
  const email = await signUp(page);
  await steps(page, `Signed up as ${email} → converted`).waitFor();
  await page.getByRole('heading', { name: 'Your Office subscription' }).waitFor();
  await rowOf(page, email).getByText('converted').waitFor();
  expect(await ownRow(page).textContent()).toContain(email);

  await press(page, 'Simulate a payment');
  await steps(page, 'Paid for a month → paid').waitFor();
  await rowOf(page, email).getByText('paid').waitFor();

  await press(page, 'Simulate a cancellation');
  await steps(page, 'Cancelled the subscription → churned').waitFor();
  await rowOf(page, email).getByText('churned').waitFor();

  expect(await steps(page, '→').count()).toBe(4);
  expect(demo.complaints).toEqual([]);
});

test('continues the story when the page is loaded again', async () => {
  const page = await visit();
  await steps(page, 'click recorded').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();

  await page.reload();
  await steps(page, `Came back as ${email} → converted`).waitFor();
  await said(page, 'Now simulate the first payment').waitFor();
  await press(page, 'Simulate a payment');
  await steps(page, 'Paid for a month → paid').waitFor();

  await page.reload();
  await steps(page, `Came back as ${email} → paid`).waitFor();
  await said(page, 'Now simulate the cancellation').waitFor();
  expect(await steps(page, '→').count()).toBe(1);
  await press(page, 'Simulate a cancellation');
  await steps(page, 'Cancelled the subscription → churned').waitFor();
  expect(demo.complaints).toEqual([]);
});

test('counts and draws all of her referrals, clicks included', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo`);
  const chart = page.getByRole('img', { name: 'Referrals per state' });
  await chart.waitFor();
  const totals = page.getByRole('list', { name: 'Referrals per state' }).getByRole('listitem');
  const texts = await totals.allTextContents();
  expect(texts.map((text) => text.replace(/\d+$/, ''))).toEqual([
    'clicked',
    'converted',
    'paid',
    'churned',
    'rejected',
  ]);
  const counts = texts.map((text) => Number(/\d+$/.exec(text)?.[0]));
  const [main] = demoPrograms();
  const brought = main?.referrals.filter(({ advocateSlug }) => advocateSlug === 'amara-okafor') ?? [];
  expect(counts.every((count) => count > 0)).toBe(true);
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(brought.length);
  const summary = await chart.locator('desc').textContent();
  expect(summary).toContain(`In all: ${counts[0]} clicked, ${counts[1]} converted, ${counts[2]} paid`);
});

test('shows in words that an email belongs to a customer already', async () => {
  const page = await visit();
  const email = await signUp(page);
  await rowOf(page, email).waitFor();
  await signUp(page, email);
  await said(page, 'This email belongs to a customer already').waitFor();
  await steps(page, `Signed up as ${email} → refused`).waitFor();
  await page.getByText('Try again, with another email').waitFor();
  expect(demo.complaints).toEqual([]);
});

test('shows that the service has stopped, and continues when it is back', async () => {
  const page = await visit();
  await steps(page, 'click recorded').waitFor();
  await demo.stop();
  await page.getByRole('alert').filter({ hasText: 'The service does not respond.' }).waitFor();
  const email = await signUp(page);
  await said(page, 'The service does not respond.').waitFor();
  await steps(page, `${email} → no response`).waitFor();

  await demo.startAgain();
  await page.getByRole('alert').waitFor({ state: 'hidden' });
  await signUp(page, email);
  await rowOf(page, email).getByText('converted').waitFor();
});

test('starts over with a new visitor, whose click is a new one', async () => {
  const page = await visit();
  const email = await signUp(page);
  await ownRow(page).filter({ hasText: email }).waitFor();
  await press(page, 'Start over as a new visitor');
  await steps(page, 'click recorded').waitFor();
  await ownRow(page).getByText('clicked').waitFor();
  expect(await ownRow(page).textContent()).not.toContain(email);
});
