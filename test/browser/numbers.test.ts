import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { violations } from '../support/browser/chromium.ts';
import { useDashboardPages } from '../support/browser/dashboard-page.ts';
import { numberOf, region, rowsOf } from '../support/browser/portal-page.ts';
import { until } from '../support/until.ts';

const dashboard = useDashboardPages();
const DAY = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const euros = (amount: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'eur' }).format(amount / 100);

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const choose = (page: Page, name: string, option: string) =>
  page.getByRole('combobox', { name, exact: true }).selectOption(option);
const chart = (page: Page) => region(page, 'Numbers').getByRole('slider');

/** A token of the demo, whose program has numbers of 14 months. */
async function demoToken(): Promise<string> {
  return dashboard.tokenOf((await dashboard.call<{ id: string }>('/v2/program')).id, 'read');
}

interface Group {
  readonly key: string;
  readonly clicks: number;
  readonly money: readonly { readonly currency: string; readonly revenue: number }[];
}

async function groupsOf(token: string, from: string, to: string): Promise<readonly Group[]> {
  type Statistics = { attributes: { groups: readonly Group[] } };
  const path = `/v2/statistics?from=${from}&to=${to}&group_by=day`;
  return (await dashboard.call<Statistics>(path, undefined, token)).attributes.groups;
}

const revenueOf = (groups: readonly Group[]) =>
  groups.flatMap(({ money }) => money).reduce((sum, { revenue }) => sum + revenue, 0);
const clicksOf = (groups: readonly Group[]) => groups.reduce((sum, { clicks }) => sum + clicks, 0);

function changeOf(now: number, before: number): string {
  return new Intl.NumberFormat('en-US', { style: 'percent', signDisplay: 'exceptZero' }).format(now / before - 1);
}

test('the numbers are the tabs of their chart, described by the number in full and the change without today', async () => {
  const page = await dashboard.newPage({ bypassCSP: true });
  const response = page.waitForResponse('**/v2/statistics?*');
  await dashboard.open(page, await demoToken());
  const { groups }: { groups: readonly Group[] } = (await (await response).json()).data.attributes;
  const [shown, before] = [groups.slice(0, 30), groups.slice(31)];
  const revenue = changeOf(revenueOf(shown.slice(1)), revenueOf(before));
  await tab(page, 'Revenue')
    .and(page.getByRole('tab', { selected: true }))
    .waitFor();
  await page.getByRole('tab', { description: `${euros(revenueOf(shown))} ${revenue}` }).waitFor();
  const clicks = changeOf(clicksOf(shown.slice(1)), clicksOf(before));
  await page.getByRole('tab', { description: `${clicksOf(shown)} ${clicks}` }).waitFor();

  // The arrow keys choose a number, then a day.
  await tab(page, 'Revenue').press('ArrowLeft');
  await tab(page, 'Paying')
    .and(page.getByRole('tab', { selected: true }))
    .waitFor();
  await tab(page, 'Paying').press('Home');
  await page.keyboard.press('Tab');
  await chart(page).press('Home');
  const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
  const saidOf = (at: Group | undefined) =>
    `${days.format(Date.parse(at?.key ?? ''))}: ${euros(at ? revenueOf([at]) : 0)}`;
  expect(await chart(page).getAttribute('aria-valuetext')).toBe(`${saidOf(groups[29])}; ${saidOf(groups[59])}`);
  expect(await chart(page).locator('.tip p').count()).toBe(2);
  await chart(page).press('Escape');
  await chart(page).locator('.tip').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Show as table' }).click();
  expect(await rowsOf(page, 'Chart').count()).toBe(31);
  expect(await violations(page)).toEqual([]);
  expect(dashboard.complaints).toEqual([]);
});

test('12 months are read by two requests together, and a custom range when its days are valid', async () => {
  const token = await demoToken();
  const page = await dashboard.newPage();
  await dashboard.open(page, token);
  await numberOf(page, 'Clicks').getByText(/\d/).waitFor();
  const held: (() => Promise<void>)[] = [];
  const queries: string[] = [];
  await page.route('**/v2/statistics?*', async (route) => {
    queries.push(new URL(route.request().url()).search);
    held.push(() => route.continue());
    // Neither of the two waits for the other one.
    if (held.length >= 2) await Promise.all(held.splice(0).map((release) => release()));
  });
  await choose(page, 'Range', '12 months');
  await page.getByRole('button', { name: 'Show as table' }).click();
  // Until both have arrived, the table has the days of the last range.
  await page.getByRole('columnheader', { name: 'Month', exact: true }).waitFor();
  expect([queries.length, await rowsOf(page, 'Chart').count()]).toEqual([2, 13]);

  await page.unroute('**/v2/statistics?*');
  await choose(page, 'Range', 'Custom');
  const now = Date.now();
  await page.getByLabel('From', { exact: true }).fill(dayOf(now - 400 * DAY));
  await page.getByText('Choose at most 400 days').waitFor();
  await page.getByLabel('To', { exact: true }).fill(dayOf(now - 2 * DAY));
  await page.getByLabel('From', { exact: true }).fill(dayOf(now - 21 * DAY));
  await choose(page, 'By', 'Week');
  // The first block has the days that 7 do not divide.
  await rowsOf(page, 'Chart').last().getByText('(6 days)').waitFor();
  expect(await rowsOf(page, 'Chart').count()).toBe(4);
  const [path, query = ''] = new URL(page.url()).hash.split('?');
  expect([path, Object.fromEntries(new URLSearchParams(query))]).toEqual([
    '#/overview',
    { range: 'custom', from: dayOf(now - 21 * DAY), to: dayOf(now - 2 * DAY), by: 'week' },
  ]);
  await page.reload();
  await numberOf(page, 'Clicks').getByText(/\d/).waitFor();
  expect(await page.getByRole('combobox', { name: 'By' }).inputValue()).toBe('week');
});

test('the currency with the largest revenue is shown, and the others stand in one line', async () => {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates');
  const slug = await dashboard.advocateOf(token);
  const id = await dashboard.referralOf(token, slug);
  for (const [amount, currency] of [
    [9000, 'eur'],
    [20_000, 'jpy'],
    [10_000, 'usd'],
  ]) {
    await dashboard.call('/v2/payments', { id, payment_id: `in_${currency}`, amount, currency }, token);
  }
  const revenue = async () => revenueOf(await groupsOf(token, dayOf(Date.now()), dayOf(Date.now())));
  await until(async () => (await revenue()) >= 39_000);
  const page = await dashboard.newPage();
  await dashboard.open(page, token);
  await numberOf(page, 'Revenue').getByText('¥20,000', { exact: true }).waitFor();
  await region(page, 'Numbers').getByText('Also: $100.00, €90.00').waitFor();
  await choose(page, 'Currency', 'USD');
  await numberOf(page, 'Revenue').getByText('$100.00', { exact: true }).waitFor();
  await tab(page, 'Clicks').click();
  await region(page, 'Numbers').getByText('Also:').waitFor({ state: 'detached' });
});

test('without data there are no axes, but a sentence and one action', async () => {
  const page = await dashboard.newPage();
  await dashboard.open(page, await demoToken(), '#/overview?range=custom&from=2020-01-01&to=2020-01-31');
  await region(page, 'Numbers').getByText('Nothing').waitFor();
  expect(await page.getByRole('figure').count()).toBe(0);
  expect(await region(page, 'Numbers').getByRole('link').count()).toBe(1);
});

test.each([
  [1280, 900],
  [390, 844],
])('nothing moves when the numbers arrive in a window of %i by %i', async (width, height) => {
  const page = await dashboard.newPage({ viewport: { width, height } });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/v2/statistics?*', async (route) => {
    await released;
    await route.continue();
  });
  /** The height of the card, and where each tab and what follows them are in it. */
  const places = () =>
    region(page, 'Numbers').evaluate((card) => {
      const { top, height: whole } = card.getBoundingClientRect();
      const parts = [...card.querySelectorAll('[role=tab], [role=tabpanel]')].map((part) =>
        part.getBoundingClientRect(),
      );
      return [whole, ...parts.flatMap((part) => [part.x, part.y - top])].map(Math.round);
    });
  await dashboard.open(page, await demoToken());
  await numberOf(page, 'Clicks').getByText('…').waitFor();
  const before = await places();
  release();
  await numberOf(page, 'Clicks').getByText(/\d/).waitFor();
  expect(await places()).toEqual(before);
});

/** Adds up how far parts of the page move: https://wicg.github.io/layout-instability/. */
const OBSERVE = `window.shift = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) shift += value;
}).observe({ type: 'layout-shift', buffered: true });`;
const MOST = 0.02;
/** Until the page has drawn what it shows. */
const DRAWN = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Opens a page whose answers arrive one by one, each drawn alone. `next` takes the oldest or the newest request. */
async function openSlowly(page: Page, address: string, next: 'shift' | 'pop'): Promise<void> {
  const waiting: Route[] = [];
  await page.route('**/v2/**', (route) => void waiting.push(route));
  await page.goto(`${dashboard.url()}${address}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (;;) {
    await page.evaluate(DRAWN);
    const route = waiting[next]();
    if (route) {
      const ended = page.waitForEvent('requestfinished', (request) => request === route.request());
      await Promise.all([ended, route.continue()]);
    } else if ((await page.locator('.bone').count()) === 0) return;
  }
}

async function demoAdvocate(): Promise<string> {
  type Token = { attributes: { token: string } };
  return (await dashboard.call<Token>('/v2/advocates/amara-okafor/tokens', { expires_in: 3600 })).attributes.token;
}

/** A token of a program without a commission. */
async function unpaidToken(): Promise<string> {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'advocates', 'admin');
  await dashboard.call('/v2/program', { commission_percentage: null }, token, 'PATCH');
  return token;
}

test.each([
  ['Overview', '/dashboard', demoToken],
  ['Advocates without a commission', '/dashboard#/advocates', unpaidToken],
  ['Home', '/portal', demoAdvocate],
])('nothing moves in %s, whichever answer arrives first, in any window', async (_, address, tokenOf) => {
  const token = await tokenOf();
  const shifts: unknown[] = [];
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    for (const next of ['shift', 'pop'] as const) {
      const page = await dashboard.newPage({ viewport });
      await (address === '/portal' ? dashboard.openPortal(page, token) : dashboard.open(page, token));
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await page.goto('about:blank');
      await page.addInitScript(OBSERVE);
      await openSlowly(page, address, next);
      shifts.push(await page.evaluate('shift'));
      await page.close();
    }
  }
  expect(shifts.filter((shift) => Number(shift) > MOST)).toEqual([]);
});
