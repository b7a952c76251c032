import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { demoPrograms } from '../../bin/local/demo/data.ts';
import { runAdmin } from '../support/admin.ts';
import { deliveries, press, rowOf, signUp, steps, useDemo } from '../support/browser/demo-page.ts';

const demo = useDemo();

/** Opens the demo site as a visitor whom Amara referred, and waits for the delivery of the click. */
async function visit(): Promise<Page> {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  await deliveries(page, 'referral.clicked').waitFor();
  return page;
}

/** Changes the state of a customer at the command line. */
async function setState(email: string, state: string): Promise<void> {
  const program = demoPrograms()[0]?.program.id ?? '';
  const command = ['referral', 'set-state', '--program', program, '--email', email, '--state', state];
  expect((await runAdmin(command, { DATA_DIR: demo.dataDir() })).stdout).toContain(state);
}

/** The badges of the visible deliveries, newest first. */
const badges = (page: Page) => page.locator('#deliveries li:not([hidden]) .badge').allTextContents();

test('each step from click to cancellation arrives at the shop as a verified event', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo`);
  await page.getByText('No deliveries since the start').waitFor();
  await page.getByRole('link', { name: 'Follow Amara’s link' }).click();
  await deliveries(page, 'referral.clicked').waitFor();
  expect(await page.getByText('No deliveries since the start').isVisible()).toBe(false);

  const email = await signUp(page);
  await deliveries(page, 'referral.converted').filter({ hasText: email }).waitFor();
  await press(page, 'Simulate a payment');
  await deliveries(page, 'referral.paid').filter({ hasText: email }).waitFor();
  await press(page, 'Simulate a cancellation');
  await deliveries(page, 'referral.churned').filter({ hasText: email }).waitFor();

  await page.getByRole('button', { name: 'Show all 4' }).click();
  expect(await badges(page)).toEqual(['referral.churned', 'referral.paid', 'referral.converted', 'referral.clicked']);
  const texts = await deliveries(page, 'verified').locator('summary').allTextContents();
  expect(texts).toEqual(Array(4).fill(expect.stringMatching(/ verified \d\d:\d\d:\d\d$/)));
  expect(demo.complaints).toEqual([]);
});

test('a state that is set at the command line also arrives at the shop, in both views', async () => {
  const page = await visit();
  const email = await signUp(page);
  await deliveries(page, 'referral.converted').waitFor();
  await page.getByText('Merchant’s view').click();
  await setState(email, 'rejected');
  const rejected = deliveries(page, 'referral.rejected');
  await rejected.filter({ hasText: email }).waitFor();
  expect(await rejected.textContent()).toContain('"by": "operator"');
  expect(demo.complaints).toEqual([]);
});

test('the keyboard opens the signed body, and it stays open with the focus when others arrive', async () => {
  const page = await visit();
  const click = deliveries(page, 'referral.clicked');
  await click.locator('summary').press('Enter');
  const body = click.locator('pre');
  await body.waitFor();
  const { type, data } = JSON.parse((await body.textContent()) ?? '');
  expect([type, data.state, data.affiliate_slug, data.email]).toEqual([
    'referral.clicked',
    'clicked',
    'amara-okafor',
    null,
  ]);
  expect(await click.textContent()).toMatch(/Changed [\d:]+, sent [\d:]+, arrived [\d:]+\.webhook-id: [\da-f-]+\.1/);

  const { call } = demo;
  const email = `${data.id}@shop.example`;
  await call('/v2/tracking/conversion', { email, gr_id: `amara-okafor.${data.id}` });
  for (const state of ['paid', 'churned', 'paid', 'churned', 'rejected']) {
    await call('/v2/tracking/state', { email, state });
  }
  // Deliveries arrive in any order, so the last event need not be among the three that are shown.
  await page.getByRole('button', { name: 'Show all 7' }).waitFor();
  expect(await body.isVisible()).toBe(true);
  expect(
    await page.evaluate("document.activeElement.closest('li') === document.querySelector('#deliveries').lastChild"),
  ).toBe(true);
});

test('the last three deliveries are shown, or all of them', async () => {
  const page = await visit();
  const email = await signUp(page);
  await deliveries(page, 'referral.converted').waitFor();
  for (const state of ['paid', 'churned', 'paid', 'churned']) {
    await demo.call('/v2/tracking/state', { email, state });
  }
  const all = page.getByRole('button', { name: 'Show all 6' });
  await all.waitFor();
  expect((await badges(page)).length).toBe(3);
  await all.press('Enter');
  expect((await badges(page)).length).toBe(6);
  await page.getByRole('button', { name: 'Show the last 3' }).press('Enter');
  expect((await badges(page)).length).toBe(3);
});

test('new deliveries are highlighted; earlier deliveries are not', async () => {
  const page = await visit();
  await page.reload();
  await deliveries(page, 'referral.clicked').waitFor();
  expect(await page.locator('#deliveries .fresh').count()).toBe(0);
  await signUp(page);
  await deliveries(page, 'referral.converted').waitFor();
  expect(await page.locator('#deliveries .fresh .badge').allTextContents()).toEqual(['referral.converted']);
});

test.each([
  ['beside the shop', 1280],
  ['on a phone', 390],
])('deliveries move nothing below them: %s', async (_, width) => {
  const page = await demo.newPage({ viewport: { width, height: 800 } });
  await page.goto(`${demo.url()}/demo`);
  await page.getByText('No deliveries since the start').waitFor();
  const heightOf = async () => (await page.getByRole('region', { name: 'Deliveries' }).boundingBox())?.height;
  const before = await heightOf();
  await page.goto(demo.printedAddress());
  const email = await signUp(page);
  await rowOf(page, email).waitFor();
  for (const state of ['paid', 'churned', 'paid', 'churned']) {
    await demo.call('/v2/tracking/state', { email, state });
  }
  await page.getByRole('button', { name: 'Show all 6' }).waitFor();
  expect(await heightOf()).toBe(before);
});

test('a delivery shows its customer in full, and nothing touches the edge of its highlight', async () => {
  const page = await visit();
  const email = 'buyer2@example.com';
  await signUp(page, email);
  await deliveries(page, 'referral.converted').waitFor();
  await demo.call('/v2/tracking/reassign', { email, affiliate_slug: 'lena-sato' });
  const moved = deliveries(page, 'referral.reassigned');
  await moved.locator('summary').click();
  await moved.locator('pre').waitFor();
  const layout = await moved.evaluate((item) => {
    const [customer, time] = [item.querySelector('.customer'), item.querySelector('time')];
    const [outer, inner] = [item, time].map((element) => element?.getBoundingClientRect());
    return {
      cut: Number(customer?.scrollWidth) - Number(customer?.clientWidth),
      padding: Number(outer?.right) - Number(inner?.right),
    };
  });
  expect(layout).toEqual({ cut: 0, padding: expect.any(Number) });
  expect(layout.padding).toBeGreaterThan(7);
});

test('deliveries continue after a restart of the service', async () => {
  const page = await visit();
  await demo.stop();
  await page.getByRole('alert').filter({ hasText: 'The service does not respond.' }).waitFor();
  expect(await deliveries(page, 'referral.clicked').count()).toBe(1);
  await demo.startAgain();
  await page.getByText('No deliveries since the start').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await deliveries(page, 'referral.converted').waitFor();
  expect(await badges(page)).toEqual(['referral.converted']);
});
