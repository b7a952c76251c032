import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { copyWith, violations } from '../support/browser/chromium.ts';
import { useDashboardPages } from '../support/browser/dashboard-page.ts';
import { region, rowsOf } from '../support/browser/portal-page.ts';
import { runProgram } from '../support/documents/run-program.ts';
import { startReceiver } from '../support/events/receiver.ts';
import { until } from '../support/until.ts';

const dashboard = useDashboardPages();
const ALL = ['read', 'track', 'advocates', 'payouts', 'admin'];

/** A token of a program without a commission, and the page of its shop, whose HTML a test sets. */
async function aNewProgram() {
  const shop = { html: '' };
  const { port } = await startReceiver((response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(shop.html);
  });
  const args = ['--name', 'Beans & Co', '--site-url', `http://shop.test:${port}`, '--commission-percentage', '0'];
  const { id } = await dashboard.admin<{ id: string }>('program', 'create', ...args);
  const token = await dashboard.tokenOf(id, ...ALL);
  await dashboard.call('/v2/program', { commission_percentage: null }, token, 'PATCH');
  return { token, shop };
}

const step = (page: Page, name: string) => region(page, 'Getting started').getByRole('button', { name, exact: true });
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const check = (page: Page, name: string) => page.getByRole('status', { name, exact: true });
const isDone = (page: Page, name: string) =>
  region(page, 'Getting started').getByRole('button', { name, exact: true, description: 'Done' }).waitFor();

/** Chooses a language, and runs the program that the page shows. Returns its output. */
async function runSample(page: Page, language: string, command: string): Promise<string> {
  await page.getByRole('tablist', { name: 'Language' }).getByRole('tab', { name: language, exact: true }).click();
  const content = await copyWith(page.getByRole('button', { name: 'Copy code' }).first());
  const { PATH = '' } = process.env;
  const ended = await runProgram({
    command,
    file: language === 'JavaScript' ? 'sample.mjs' : 'sample',
    content,
    environment: { PATH },
  });
  if (ended.status !== 0) throw new Error(`${ended.printed}${ended.logged}`);
  return ended.printed;
}

/** The other languages, if their interpreters are installed: `SAMPLES=all`, which CI sets, selects all. */
const INSTALLED = (
  [
    ['Python', 'python3'],
    ['PHP', 'php'],
    ['Ruby', '/usr/bin/ruby'],
  ] as const
).filter(([, command]) => process.env['SAMPLES'] === 'all' || spawnSync(command, ['--version']).status === 0);

test('a new merchant completes the six steps with the real script and the shown programs, without leaving the page', async () => {
  const { token, shop } = await aNewProgram();
  const page = await dashboard.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  await dashboard.open(page, token);
  await region(page, 'Getting started').waitFor();
  expect(await page.getByRole('region').count()).toBe(1);

  await box(page, 'Percentage').fill('20');
  await page.getByText('A customer pays €50.00: the advocate earns €10.00.').waitFor();
  await box(page, 'Hold period').fill('14');
  await press(page, 'Save');
  await isDone(page, 'Set the commission');
  await page.getByText('Payments earn advocates nothing').waitFor({ state: 'detached' });
  // The pressed button is gone.
  await page.locator('button:focus', { hasText: 'Invite the first advocate' }).waitFor();

  await box(page, 'Email').fill('ada@partners.example');
  await box(page, 'First name').fill('Ada');
  await press(page, 'Send invitation');
  await isDone(page, 'Invite the first advocate');
  await dashboard.linkTo('ada@partners.example', 'program');

  await step(page, 'Install the script').click();
  expect(await step(page, 'Invite the first advocate').getAttribute('aria-expanded')).toBe('false');
  await check(page, 'Script check').getByText('No visit has arrived yet.').waitFor();
  shop.html = `<!doctype html><title>Shop</title>${await copyWith(page.getByRole('button', { name: 'Copy script' }))}`;
  const opened = page.context().waitForEvent('page');
  await press(page, 'Test the script');
  const visit = await opened;
  await visit.waitForLoadState();
  expect(visit.url()).toMatch(/^http:\/\/shop\.test:\d+\/\?via=ada$/);
  await check(page, 'Script check').getByText('The script works: the visit arrived').waitFor();
  await isDone(page, 'Install the script');
  await region(page, 'Numbers').waitFor();

  await step(page, 'Report sign-ups').click();
  await press(page, 'Create server token');
  await page.getByText('The code contains your new token.').waitFor();
  expect(await runSample(page, 'JavaScript', process.execPath)).toContain('"state":"converted"');
  await check(page, 'Sign-up check').getByText('customer-1@example.com signed up, credited to ada').waitFor();
  await isDone(page, 'Report sign-ups');

  await step(page, 'Report payments').click();
  await page.getByText('Not connected yet.').waitFor();
  expect(await runSample(page, 'curl', 'sh')).toContain('"commission":1000');
  // A repeated report of the same payment succeeds.
  for (const [language, command] of INSTALLED) {
    expect(await runSample(page, language, command)).toContain('"commission":1000');
  }
  await check(page, 'Payment check').getByText('customer-1@example.com paid €50.00: ada earned €10.00.').waitFor();
  await isDone(page, 'Report payments');

  await step(page, 'Show advocates their page').click();
  expect(await box(page, 'Sign-in link').inputValue()).toMatch(/\/account#program=pk_/);
  await press(page, 'Advocates can open it');
  await press(page, 'Close');
  await region(page, 'Getting started').waitFor({ state: 'detached' });
  await region(page, 'Latest changes')
    .getByText('Ada’s referral customer-1@example.com started paying: €50.00')
    .waitFor();
  expect(await page.evaluate('JSON.stringify([{ ...localStorage }, location.href])')).not.toContain('rtp_');
  expect(dashboard.complaints).toEqual([]);

  await page.reload();
  await region(page, 'Numbers').waitFor();
  expect(await region(page, 'Getting started').count()).toBe(0);
});

test('without emails, the invitation is a text to copy, and connected Stripe waits for its first payment', async () => {
  const { token } = await aNewProgram();
  const page = await dashboard.newPage();
  // What the gateway of a deployment without emails answers.
  await page.route(/\/v2\/(applications|advocates\/[^/]+\/invite)/, (route) =>
    route.fulfill({ status: 404, json: { message: 'Not Found' } }),
  );
  await dashboard.open(page, token);
  await step(page, 'Invite the first advocate').click();
  await box(page, 'Email').fill('ada@partners.example');
  await box(page, 'First name').fill('Ada');
  await press(page, 'Add advocate');
  await isDone(page, 'Invite the first advocate');
  expect(await box(page, 'Text to send').inputValue()).toMatch(/^Hi Ada,.*http:\/\/shop\.test:\d+\/\?via=ada\n$/s);

  await step(page, 'Report payments').click();
  await box(page, 'Stripe signing secret').fill('whsec_only_for_this_test_0123456789');
  await press(page, 'Connect Stripe');
  await page.getByText('Connected with one signing secret.').waitFor();
  await region(page, 'Getting started')
    .getByRole('button', { name: 'Report payments', exact: true, description: 'Waiting' })
    .waitFor();

  await step(page, 'Show advocates their page').click();
  await page.getByText('<referral-portal token-url="/my/referral-token">').waitFor();
  expect(await box(page, 'Sign-in link').count()).toBe(0);
  expect(dashboard.complaints).toEqual([]);
});

test('a script that is not on the page is told with its likely causes, and the check is the only polling', async () => {
  const { token } = await aNewProgram();
  await dashboard.call('/v2/program', { commission_percentage: 10 }, token, 'PATCH');
  await dashboard.advocateOf(token, { slug: 'ada' });
  const page = await dashboard.newPage();
  await page.clock.install();
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v2/')) requests.push(request.url());
  });
  await dashboard.open(page, token);
  // The first step that is open.
  await check(page, 'Script check').getByText('No visit has arrived yet.').waitFor();
  const before = requests.length;
  await page.clock.runFor(60_000);
  // A first request may be late.
  expect(requests.filter((url, index) => index >= before && requests.indexOf(url) < index)).toEqual([]);
  await press(page, 'Test the script');
  await check(page, 'Script check').getByText('Waiting for the visit').waitFor();
  await page.clock.runFor(31_000);
  await check(page, 'Script check').getByText('The page waits for consent').waitFor();
  await page.clock.runFor(300_000);
  await page.getByRole('button', { name: 'Check again' }).waitFor();
});

test('each thing that needs attention is one line with its action', async () => {
  const { token } = await aNewProgram();
  await dashboard.call('/v2/program', { commission_percentage: 50 }, token, 'PATCH');
  const slug = await dashboard.advocateOf(token, { email: 'ada@partners.example', first_name: 'Ada' });
  const id = await dashboard.referralOf(token, slug, { email: 'ada+shop@partners.example' });
  await dashboard.call('/v2/payments', { id, payment_id: 'in_1', amount: 4900, currency: 'eur' }, token);
  const { url } = await startReceiver((response) => response.writeHead(410).end());
  const webhook = await dashboard.call<{ id: string }>('/v2/webhooks', { url }, token);
  await dashboard.call(`/v2/referrals/lookup`, { id }, token);
  await dashboard.referralOf(token, slug);
  const state = () =>
    dashboard.call<{ attributes: { enabled: boolean } }>(`/v2/webhooks/${webhook.id}`, undefined, token);
  await until(async () => !(await state()).attributes.enabled);
  await until(async () => (await dashboard.call<unknown[]>('/v2/balances', undefined, token)).length > 0);
  const page = await dashboard.newPage();
  await dashboard.open(page, token);
  const line = (text: string) => region(page, 'Needs attention').getByRole('listitem').filter({ hasText: text });
  await line(`The webhook to ${url} is disabled.`).getByRole('link', { name: 'Open webhooks' }).waitFor();
  await line('1 advocate is owed money without a payout account.').getByRole('link', { name: 'See payouts' }).waitFor();
  await page.getByRole('group', { name: 'Owed' }).getByText('€24.50', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Pay out' }).getAttribute('href')).toBe('#/payouts');
  await line('1 possible self-referral in the last 30 days.').getByRole('link', { name: 'Review' }).click();
  await rowsOf(page, 'Referrals').filter({ hasText: 'ada+shop@partners.example' }).waitFor();
});

test('a count says so if there are rows that it has not read', async () => {
  const { token } = await aNewProgram();
  const slug = await dashboard.advocateOf(token, { email: 'ada@partners.example' });
  await dashboard.referralOf(token, slug, { email: 'ada+1@partners.example' });
  const id = await dashboard.referralOf(token, slug, { email: 'ada+2@partners.example' });
  const page = await dashboard.newPage();
  // A page of one row, instead of many rows.
  await page.route('**/v2/referrals?*flag_eq*', (route) =>
    route.continue({ url: route.request().url().replace('per_page=50', 'per_page=1') }),
  );
  await dashboard.open(page, token);
  const line = (text: string) => region(page, 'Needs attention').getByText(text, { exact: true });
  await line('At least 1 possible self-referral in the last 30 days.').waitFor();
  await dashboard.call('/v2/tracking/state', { id, state: 'rejected' }, token);
  await press(page, 'Refresh');
  await line('There may be possible self-referrals in the last 30 days.').waitFor();
});

test('no bar says that payments earn nothing while a group or an advocate has a commission', async () => {
  const { token } = await aNewProgram();
  const slug = await dashboard.advocateOf(token, { commission_percentage: 10 });
  const page = await dashboard.newPage();
  const bar = page.getByText('Payments earn advocates nothing: no commission is set.');
  await dashboard.open(page, token);
  await step(page, 'Set the commission').waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  expect(await bar.count()).toBe(0);
  await dashboard.call(`/v2/advocates/${slug}`, { commission_percentage: null }, token, 'PATCH');
  await press(page, 'Refresh');
  await bar.waitFor();
  await dashboard.call('/v2/groups/partners', { title: 'Partners', commission_percentage: 30 }, token, 'PUT');
  await press(page, 'Refresh');
  await bar.waitFor({ state: 'detached' });
});

/** A token of the demo's program, which has everything. */
async function demoToken(): Promise<string> {
  return dashboard.tokenOf((await dashboard.call<{ id: string }>('/v2/program')).id, ...ALL);
}

test.each([
  ['30d', 7],
  ['12m', 8],
])('the overview with the range %s sends %i requests together, and one after them', async (range, together) => {
  const page = await dashboard.newPage();
  await dashboard.open(page, await demoToken());
  await region(page, 'Numbers').waitFor();
  await page.goto('about:blank');
  const asked: string[] = [];
  const askedAtFirst: number[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v2/')) asked.push(request.url());
  });
  page.on('response', (response) => {
    if (response.url().includes('/v2/')) askedAtFirst.push(asked.length);
  });
  await page.goto(`${dashboard.url()}/dashboard#/overview?range=${range}`);
  await region(page, 'Latest changes').waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  expect([askedAtFirst[0], asked.length]).toEqual([together, together + 1]);
});

test('the first numbers of a program with payments wait for no other answer', async () => {
  const token = await demoToken();
  const page = await dashboard.newPage();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/v2\/(?!statistics\?)/, async (route) => {
    // The form reads the program of a token before it takes it.
    if (await page.getByRole('button', { name: 'Account' }).isVisible()) await released;
    await route.continue();
  });
  await dashboard.open(page, token);
  await page.getByRole('tab', { name: 'Clicks', description: /^\d/ }).waitFor();
  release();
  await page.getByRole('group', { name: 'Owed' }).getByText(/^€/).waitFor();
});

test('Owed says how much is due and on hold, and who may not pay sees no "Pay out"', async () => {
  const { id } = await dashboard.call<{ id: string }>('/v2/program');
  const page = await dashboard.newPage();
  await dashboard.open(page, await dashboard.tokenOf(id, 'read'));
  const owed = page.getByRole('group', { name: 'Owed' });
  const amount = async (line: RegExp) => {
    const text = await owed.getByText(line).first().textContent();
    return Math.round(Number(text?.replace(/[^\d.]/g, '')) * 100);
  };
  expect(await amount(/^Due now: €/)).toBeGreaterThan(0);
  expect((await amount(/^Due now: /)) + (await amount(/^On hold: /))).toBe(await amount(/^€/));
  await region(page, 'Latest changes').waitFor();
  expect(await page.getByRole('link', { name: 'Pay out' }).count()).toBe(0);
});

test('signing out asks before unsaved changes are lost', async () => {
  const page = await dashboard.newPage();
  await dashboard.open(page, await demoToken(), '#/settings/program');
  await box(page, 'Name').fill('Northwind Tea');
  await press(page, 'Account');
  const answers = [false, true];
  page.on('dialog', (question) => void (answers.shift() ? question.accept() : question.dismiss()));
  await press(page, 'Sign out');
  expect(await box(page, 'Name').inputValue()).toBe('Northwind Tea');
  await press(page, 'Sign out');
  await page.getByRole('textbox', { name: 'Program token' }).waitFor();
});

test('the overview and getting started break no accessibility rule, light or dark, wide or on a phone', async () => {
  const { token } = await aNewProgram();
  await dashboard.advocateOf(token, { email: 'ada@partners.example', first_name: 'Ada' });
  const page = await dashboard.newPage({ bypassCSP: true, reducedMotion: 'reduce' });
  const faults: string[] = [];
  const audit = async (state: string) => {
    for (const width of [1280, 390]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        const found = await violations(page);
        if ((await page.evaluate('document.documentElement.scrollWidth')) !== width) found.push('too wide');
        faults.push(...found.map((fault) => `${state}, ${width} px, ${colorScheme}: ${fault}`));
      }
    }
  };
  await dashboard.open(page, token);
  await audit('Set the commission');
  for (const name of ['Install the script', 'Report sign-ups', 'Report payments']) {
    await step(page, name).click();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await audit(name);
  }
  await page.evaluate('sessionStorage.clear()');
  await dashboard.open(page, await demoToken());
  await region(page, 'Numbers').waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await audit('Overview');
  expect(faults).toEqual([]);
});
