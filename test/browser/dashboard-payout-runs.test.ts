import { expect, test } from '@jest/globals';
import { field } from '../support/browser/dashboard-page.ts';
import {
  ADA,
  BOB,
  download,
  payout,
  record,
  review,
  row,
  select,
  status,
  usePayoutPages,
} from '../support/browser/payouts-page.ts';
import { rowsOf } from '../support/browser/portal-page.ts';

const dashboard = usePayoutPages();
const { opened, counted, earn, settlementsOf } = dashboard;
const RUNS = '**/v2/payout-runs';

test('a payout whose response was lost is sent again under the same run, and pays once', async () => {
  const { page, token, slug } = await opened(ADA);
  const sent: unknown[] = [];
  await page.route(RUNS, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    sent.push(route.request().postDataJSON());
    if (sent.length > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await select(page, 'Ada').check();
  await review(page);
  await record(page);
  await payout(page).getByText('It is not known whether this was recorded.').waitFor();
  expect(await field(page, 'Payout', 'Run').isDisabled()).toBe(true);
  await record(page);
  await row(page, 'Payout', 'Ada').getByText('Recorded before').waitFor();
  await status(payout(page), 'Total').getByText('Recorded before: $246.90 to 1 advocate.', { exact: true }).waitFor();
  expect(sent).toEqual([sent[0], sent[0]]);
  expect(await settlementsOf(token, slug)).toMatchObject([{ commission: -24_690 }]);
});

test('two tabs that record the same run at the same time pay an advocate once', async () => {
  const { page, token, slug } = await opened(ADA);
  const other = await dashboard.newPage();
  await dashboard.open(other, token, '#/payouts');
  await rowsOf(other, 'To pay').nth(1).waitFor();
  for (const tab of [page, other]) {
    await select(tab, 'Ada').check();
    await review(tab);
    await status(payout(tab), 'Total').getByText('$246.90 to 1 advocate').waitFor();
  }
  // Both have read what is due before either records it.
  let waiting = 0;
  const { promise: bothWait, resolve } = Promise.withResolvers<void>();
  for (const tab of [page, other]) {
    await tab.route(RUNS, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      waiting += 1;
      if (waiting === 2) resolve();
      await bothWait;
      await route.continue();
    });
  }
  await Promise.all([record(page), record(other)]);
  await Promise.all([page, other].map((tab) => status(payout(tab), 'Total').getByText('Recorded').waitFor()));
  expect(await settlementsOf(token, slug)).toMatchObject([{ commission: -24_690 }]);
});

test('a payout that another run makes after the last look at what is due is not made twice', async () => {
  const { page, token, slug } = await opened(ADA);
  await page.route(RUNS, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await dashboard.call('/v2/payout-runs', { run: 'faster', currency: 'usd', slugs: [slug] }, token);
    await route.continue();
  });
  await select(page, 'Ada').check();
  await review(page);
  await record(page);
  await row(page, 'Payout', 'Ada').getByText('Nothing is due any more').waitFor();
  await status(payout(page), 'Total').getByText('Nothing was recorded.').waitFor();
  expect(await settlementsOf(token, slug)).toMatchObject([{ settlement_id: `faster:usd:${slug}` }]);
});

test('an amount that changes after the last look at what is due is reported beside what was recorded', async () => {
  const { page, token, slug } = await opened(ADA);
  await page.route(RUNS, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await earn(token, slug, 10_000);
    await route.continue();
  });
  await select(page, 'Ada').check();
  await review(page);
  await record(page);
  await status(payout(page), 'Total').getByText('Recorded: $266.90 to 1 advocate.', { exact: true }).waitFor();
  await row(page, 'Payout', 'Ada').filter({ hasText: '$266.90' }).getByText('was $246.90').waitFor();
  expect(await payout(page).getByRole('alert').count()).toBe(0);
  expect(await settlementsOf(token, slug)).toMatchObject([{ commission: -26_690 }]);
});

test('an advocate who was paid before the service refused the rest is not reported as one to whom nothing is due', async () => {
  const { page, token, slugs } = await opened(ADA, BOB);
  const [ada = '', bob = ''] = slugs;
  const taken = { affiliate_slug: bob, settlement_id: `part:usd:${bob}`, amount: 100, currency: 'eur' };
  await dashboard.call('/v2/settlements', taken, token);
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v2/payout-runs')) sent.push(request.postDataJSON());
  });
  await select(page, 'Ada').check();
  await select(page, 'Bob').check();
  await review(page);
  await field(page, 'Payout', 'Run').fill('part');
  for (const _ of [1, 2]) {
    const refused = page.waitForResponse((response) => response.status() === 409);
    await record(page);
    await refused;
    for (const name of ['Ada', 'Bob']) await row(page, 'Payout', name).getByText('Not known yet').waitFor();
  }
  expect(sent).toEqual([sent[0], sent[0]]);
  expect(await settlementsOf(token, ada)).toMatchObject([{ commission: -24_690, settlement_id: `part:usd:${ada}` }]);
  expect(await settlementsOf(token, bob)).toMatchObject([{ commission: -100 }]);
});

test('a payout that was left after a lost response is in the history, with its files', async () => {
  const { page, token, slug } = await opened(ADA);
  await page.route(RUNS, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await select(page, 'Ada').check();
  await review(page);
  await field(page, 'Payout', 'Run').fill('lost');
  await record(page);
  await payout(page).getByText('It is not known whether this was recorded.').waitFor();
  await page.keyboard.press('Escape');
  await row(page, 'Payout history', 'lost').filter({ hasText: '$246.90' }).waitFor();
  await page.getByRole('button', { name: 'Files of lost' }).click();
  const file = await download(page, page.getByRole('menuitem', { name: 'Download PayPal file' }));
  expect(file).toContain('ada@pay.example,246.90,USD');
  expect(await settlementsOf(token, slug)).toHaveLength(1);
});

test('a due amount that has changed is shown, and needs another press', async () => {
  const { page, token, slugs } = await opened(ADA, BOB);
  const [ada = '', bob = ''] = slugs;
  await select(page, 'Ada').check();
  await select(page, 'Bob').check();
  await review(page);
  await earn(token, ada, 10_000);
  const other = { affiliate_slug: bob, settlement_id: 'other', amount: 24_690, currency: 'usd' };
  await dashboard.call('/v2/settlements', other, token);
  await record(page);
  await payout(page).getByRole('alert').getByText('What is due has changed').waitFor();
  await row(page, 'Payout', 'Ada').getByText('was $246.90').waitFor();
  await row(page, 'Payout', 'Bob').getByText('Nothing is due any more').waitFor();
  await status(payout(page), 'Total').getByText('$266.90 to 1 advocate').waitFor();
  expect(await settlementsOf(token, ada)).toEqual([]);
  await record(page);
  await status(payout(page), 'Total').getByText('Recorded: $266.90 to 1 advocate.').waitFor();
  expect(await settlementsOf(token, ada)).toMatchObject([{ commission: -26_690 }]);
  expect(await settlementsOf(token, bob)).toHaveLength(1);
});

test('a run that is repeated pays only advocates whom it has not paid, and says what it had recorded before', async () => {
  const { page, token, slugs } = await opened(ADA, BOB);
  const [ada = '', bob = ''] = slugs;
  await dashboard.call('/v2/payout-runs', { run: 'again', currency: 'usd', slugs: [ada] }, token);
  await earn(token, ada, 10_000);
  await counted(token, ada, { commissions: 26_690, settled: 24_690 });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await row(page, 'To pay', 'Ada').getByText('$20.00').waitFor();
  await row(page, 'Payout history', 'again').waitFor();
  await select(page, 'Ada').check();
  await select(page, 'Bob').check();
  await review(page);
  await field(page, 'Payout', 'Run').fill('again');
  await payout(page).getByText('This run exists.').waitFor();
  await record(page);
  await row(page, 'Payout', 'Ada').filter({ hasText: '$246.90' }).getByText('Recorded before').waitFor();
  await row(page, 'Payout', 'Bob').getByText('Recorded', { exact: true }).waitFor();
  expect(await status(payout(page), 'Total').textContent()).toBe(
    'Recorded: $246.90 to 1 advocate. Recorded before: $246.90 to 1 advocate.',
  );
  expect(await settlementsOf(token, ada)).toMatchObject([{ commission: -24_690 }]);
  expect(await settlementsOf(token, bob)).toMatchObject([{ commission: -24_690 }]);
});
