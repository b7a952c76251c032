import { expect, test } from '@jest/globals';
import { demoPrograms } from '../../bin/local/demo/data.ts';
import { message, ownRow, press, rowOf, signUp, steps, useDemo } from '../support/browser/demo-page.ts';

const demo = useDemo();

/** Opens the demo site at the printed address. */
async function visit() {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  return page;
}

test('the demo site shows every step from click to cancellation in the activity log and the dashboard', async () => {
  const page = await visit();
  await page.getByText('Recommended by Amara Okafor').waitFor();
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
  await ownRow(page).getByText('clicked').waitFor();

  await page.getByLabel('Office').check();
  const email = await signUp(page);
  await steps(page, `Signed up as ${email} → converted`).waitFor();
  const title = page.getByRole('heading', { name: 'Your Office subscription' });
  await title.waitFor();
  expect([await page.evaluate('document.activeElement.id'), await page.locator('#sign-up').isVisible()]).toEqual([
    'plans-title',
    false,
  ]);
  await rowOf(page, email).getByText('converted').waitFor();
  expect(await ownRow(page).textContent()).toContain(email);

  await press(page, 'Simulate a payment');
  await steps(page, 'Paid for a month → paid').waitFor();
  await rowOf(page, email).getByText('paid').waitFor();

  await press(page, 'Simulate a cancellation');
  await steps(page, 'Canceled the subscription → churned').waitFor();
  await rowOf(page, email).getByText('churned').waitFor();

  expect(await steps(page, '→').count()).toBe(4);
  expect(demo.complaints).toEqual([]);
});

test('the demo site continues after a reload', async () => {
  const page = await visit();
  await steps(page, 'click recorded').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();

  await page.reload();
  await steps(page, `Came back as ${email} → converted`).waitFor();
  await message(page, 'Now simulate the first payment').waitFor();
  await press(page, 'Simulate a payment');
  await steps(page, 'Paid for a month → paid').waitFor();

  await page.reload();
  await steps(page, `Came back as ${email} → paid`).waitFor();
  await message(page, 'Now simulate the cancellation').waitFor();
  expect(await steps(page, '→').count()).toBe(1);
  expect(await page.locator('#sign-up').isVisible()).toBe(false);
  await press(page, 'Simulate a cancellation');
  await steps(page, 'Canceled the subscription → churned').waitFor();
  expect(demo.complaints).toEqual([]);
});

test('the demo site counts and charts all referrals of the advocate, including clicks', async () => {
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
  const referred = main?.referrals.filter(({ advocateSlug }) => advocateSlug === 'amara-okafor') ?? [];
  expect(counts.every((count) => count > 0)).toBe(true);
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(referred.length);
  const summary = await chart.locator('desc').textContent();
  expect(summary).toContain(`In total: ${counts[0]} clicked, ${counts[1]} converted, ${counts[2]} paid`);
});

test('the demo site explains that an email already belongs to a customer', async () => {
  const page = await visit();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await press(page, 'Start over as a new visitor');
  await steps(page, 'click recorded').waitFor();
  await signUp(page, email);
  await message(page, 'This email already belongs to a customer').waitFor();
  await steps(page, `Signed up as ${email} → refused`).waitFor();
  await page.getByText('Try again, with another email').waitFor();
  expect(demo.complaints).toEqual([]);
});

test('the demo site shows that the service is down, and recovers when it is back', async () => {
  const page = await visit();
  await steps(page, 'click recorded').waitFor();
  await demo.stop();
  await page.getByRole('alert').filter({ hasText: 'The service does not respond.' }).waitFor();
  const email = await signUp(page);
  await message(page, 'The service does not respond.').waitFor();
  await steps(page, `${email} → no response`).waitFor();

  await demo.startAgain();
  await page.getByRole('alert').waitFor({ state: 'hidden' });
  await signUp(page, email);
  await rowOf(page, email).getByText('converted').waitFor();
});

test('the demo site starts over as a new visitor with a new click', async () => {
  const page = await visit();
  const email = await signUp(page);
  await ownRow(page).filter({ hasText: email }).waitFor();
  await press(page, 'Start over as a new visitor');
  await steps(page, 'click recorded').waitFor();
  await ownRow(page).getByText('clicked').waitFor();
  expect(await ownRow(page).textContent()).not.toContain(email);
});
