import { expect, test } from '@jest/globals';
import { demoPrograms } from '../../bin/local/demo-data.ts';
import { ownRow, press, rowOf, said, signUp, steps, useDemo } from '../support/demo-page.ts';

const demo = useDemo();

/** The page, come to by the printed address. */
async function visit() {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  return page;
}

test("tells the whole story, and the affiliate's panel shows each part of it", async () => {
  const page = await visit();
  await page.getByText('Recommended by amara-okafor').waitFor();
  await steps(page, 'Visited by amara-okafor’s link → click recorded').waitFor();
  await ownRow(page).getByText('clicked').waitFor();

  await page.getByLabel('Office').check();
  const email = await signUp(page);
  await steps(page, `Signed up as ${email} → converted`).waitFor();
  await page.getByRole('heading', { name: 'Your Office subscription' }).waitFor();
  await rowOf(page, email).getByText('converted').waitFor();
  expect(await ownRow(page).textContent()).toContain(email);

  await press(page, 'Play the first payment');
  await steps(page, 'Paid the first month → paid').waitFor();
  await rowOf(page, email).getByText('paid').waitFor();

  await press(page, 'Play the cancellation');
  await steps(page, 'Cancelled the subscription → churned').waitFor();
  await rowOf(page, email).getByText('churned').waitFor();

  expect(await steps(page, '→').count()).toBe(4);
  expect(demo.complaints).toEqual([]);
});

test('goes on with the story when the page is loaded again', async () => {
  const page = await visit();
  await steps(page, 'click recorded').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();

  await page.reload();
  await steps(page, `Came back as ${email} → converted`).waitFor();
  await said(page, 'Now play the first payment').waitFor();
  await press(page, 'Play the first payment');
  await steps(page, 'Paid the first month → paid').waitFor();

  await page.reload();
  await steps(page, `Came back as ${email} → paid`).waitFor();
  await said(page, 'Now play the cancellation').waitFor();
  expect(await steps(page, '→').count()).toBe(1);
  await press(page, 'Play the cancellation');
  await steps(page, 'Cancelled the subscription → churned').waitFor();
  expect(demo.complaints).toEqual([]);
});

test('counts and draws all of her referrals, clicks too', async () => {
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

test('says in words that an e-mail is a customer already', async () => {
  const page = await visit();
  const email = await signUp(page);
  await rowOf(page, email).waitFor();
  await signUp(page, email);
  await said(page, 'This e-mail is already a customer').waitFor();
  await steps(page, `Signed up as ${email} → refused`).waitFor();
  expect(demo.complaints).toEqual([]);
});

test('says so where the service stopped, and goes on when it is back', async () => {
  const page = await visit();
  await steps(page, 'click recorded').waitFor();
  await demo.stop();
  await page.getByRole('alert').filter({ hasText: 'The service does not answer.' }).waitFor();
  const email = await signUp(page);
  await said(page, 'The service does not answer.').waitFor();
  await steps(page, `${email} → no answer`).waitFor();

  await demo.startAgain();
  await page.getByRole('alert').waitFor({ state: 'hidden' });
  await signUp(page, email);
  await rowOf(page, email).getByText('converted').waitFor();
});

test('makes someone new of the visitor, whose click is another one', async () => {
  const page = await visit();
  const email = await signUp(page);
  await ownRow(page).filter({ hasText: email }).waitFor();
  await press(page, 'Start again as someone new');
  await steps(page, 'click recorded').waitFor();
  await ownRow(page).getByText('clicked').waitFor();
  expect(await ownRow(page).textContent()).not.toContain(email);
});
