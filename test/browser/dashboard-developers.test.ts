import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { copyWith } from '../support/browser/chromium.ts';
import { dialog, field, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { region, rowsOf } from '../support/browser/portal-page.ts';
import { startReceiver } from '../support/events/receiver.ts';

const dashboard = useDashboardPages();

/** Starts a receiver, and returns the types of the events that arrived. */
async function aReceiver(): Promise<{ url: string; types: () => string[] }> {
  const { url, received } = await startReceiver((response) => response.writeHead(200).end());
  return { url, types: () => received.map(({ body }) => JSON.parse(body).type) };
}

const ALL = ['read', 'track', 'advocates', 'payouts', 'admin'];

async function opened(page: Page): Promise<string> {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), ...ALL);
  await dashboard.open(page, token, '#/developers');
  return token;
}

const press = (page: Page, table: string, row: string, name: string) =>
  rowsOf(page, table).filter({ hasText: row }).getByRole('button', { name, exact: true }).first().click();
const save = (page: Page, name: string) => dialog(page, name).getByRole('button', { name: 'Save' }).click();
const statusOf = async (token: string, path = '/v2/advocates') =>
  (await fetch(`${dashboard.url()}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;

test('the snippet contains the key of the program and the address of the service', async () => {
  const page = await dashboard.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  const token = await opened(page);
  type Program = { attributes: { public_key: string } };
  const { public_key } = (await dashboard.call<Program>('/v2/program', undefined, token)).attributes;
  expect(await copyWith(page.getByRole('button', { name: 'Copy snippet' }))).toContain(
    `<script async src="${dashboard.url()}/gr.js" data-pk="${public_key}"></script>`,
  );
});

test('a token is created, shown once, and revoked', async () => {
  const page = await dashboard.newPage();
  await opened(page);
  await rowsOf(page, 'Tokens').filter({ hasText: 'this page' }).waitFor();
  await page.getByRole('button', { name: 'Create token' }).click();
  await field(page, 'New token', 'Name').fill('<b>Shop</b>');
  const scope = (name: string) => dialog(page, 'New token').getByRole('checkbox', { name, exact: true });
  // What a shop's server needs.
  const isChosen = await Promise.all(ALL.map((name) => scope(name).isChecked()));
  expect(isChosen).toEqual([true, true, false, false, false]);
  await scope('read').uncheck();
  await scope('track').uncheck();
  await save(page, 'New token');
  await page.getByRole('alert').getByText('Select at least one scope.').waitFor();
  await scope('read').check();
  await save(page, 'New token');
  await field(page, 'New token', 'Token').waitFor();
  const created = await field(page, 'New token', 'Token').inputValue();
  expect([await statusOf(created), await statusOf(created, '/v2/tokens')]).toEqual([200, 403]);
  await page.keyboard.press('Escape');
  await rowsOf(page, 'Tokens').filter({ hasText: '<b>Shop</b>' }).getByText('Never').waitFor();
  expect(await page.content()).not.toContain(created);
  await press(page, 'Tokens', '<b>Shop</b>', 'Revoke');
  await dialog(page, 'Revoke').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The token is revoked.').waitFor();
  await rowsOf(page, 'Tokens').filter({ hasText: '<b>Shop</b>' }).waitFor({ state: 'detached' });
  expect(dashboard.complaints).toEqual([]);
});

test('a webhook is created, tested, sent its events again, disabled and enabled', async () => {
  const { url, types } = await aReceiver();
  const page = await dashboard.newPage();
  const token = await opened(page);
  await page.getByText('No webhooks yet.').waitFor();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await field(page, 'New webhook', 'URL').fill(url);
  await save(page, 'New webhook');
  await field(page, 'New webhook', 'Secret').waitFor();
  expect(await field(page, 'New webhook', 'Secret').inputValue()).toMatch(/^whsec_/);
  await page.keyboard.press('Escape');
  await press(page, 'Webhooks', url, 'Send test');
  await page.getByText('The receiver answered the test with status 200.').waitFor();
  expect(types()).toEqual(['webhook.test']);

  await dashboard.referralOf(token, await dashboard.advocateOf(token));
  await expectDelivery(page, 'referral.converted', 1);
  await press(page, 'Deliveries', 'referral.converted', 'Resend');
  await page.getByText('The event is queued again.').waitFor();
  await expectDelivery(page, 'referral.converted', 2);
  expect(types().filter((type) => type === 'referral.converted')).toHaveLength(2);

  await press(page, 'Webhooks', url, 'Disable');
  await page.getByText('The webhook is disabled.').waitFor();
  await press(page, 'Webhooks', url, 'Enable');
  await rowsOf(page, 'Webhooks').getByText('enabled', { exact: true }).waitFor();
  expect(dashboard.complaints).toEqual([]);
});

/** Refreshes until the table has a number of deliveries of an event: they are stored after the receiver's response. */
async function expectDelivery(page: Page, event: string, count: number): Promise<void> {
  const rows = rowsOf(page, 'Deliveries').filter({ hasText: event });
  for (;;) {
    // A refresh aborts what is still being read.
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    const response = page.waitForResponse((each) => each.url().includes('/deliveries'));
    await page.getByRole('button', { name: 'Refresh' }).click();
    if ((await (await response).json()).data.length >= count) break;
  }
  await rows.nth(count - 1).waitFor();
}

test('a webhook whose response was lost is created once, and its secret is shown', async () => {
  const { url } = await aReceiver();
  const page = await dashboard.newPage();
  const token = await opened(page);
  await loseNext(page, /\/v2\/webhooks$/, 'POST');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await field(page, 'New webhook', 'URL').fill(url);
  await save(page, 'New webhook');
  await dialog(page, 'New webhook').getByRole('alert').waitFor();
  await save(page, 'New webhook');
  await field(page, 'New webhook', 'Secret').waitFor();
  expect(await dashboard.call<object[]>('/v2/webhooks', undefined, token)).toHaveLength(1);
});

test('Stripe is connected, its secret is not shown again, and it is disconnected only after a question', async () => {
  const page = await dashboard.newPage();
  const token = await opened(page);
  const secret = 'whsec_only_for_this_test_0123456789';
  await page.getByText('Not connected yet.').waitFor();
  const box = page.getByRole('textbox', { name: 'Stripe signing secret', exact: true });
  await box.fill(secret);
  await page.getByRole('button', { name: 'Connect Stripe' }).click();
  await page.getByText('Connected with one signing secret.').waitFor();
  expect(await box.inputValue()).toBe('');
  await page.getByRole('combobox', { name: 'A full refund' }).selectOption('rejects the referral');
  await region(page, 'Stripe').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(await dashboard.call('/v2/integrations/stripe', undefined, token)).toMatchObject({
    attributes: { secrets: 1, on_refund: 'reject' },
  });

  const button = region(page, 'Stripe').getByRole('button', { name: 'Disconnect Stripe' });
  await button.click();
  await dialog(page, 'Disconnect Stripe').getByText('payments, refunds and the end of subscriptions').waitFor();
  await confirm(page, 'Disconnect Stripe');
  await page.getByText('Not connected yet.').waitFor();
  const connection = dashboard.call<{ attributes: object }>('/v2/integrations/stripe', undefined, token);
  expect((await connection).attributes).toMatchObject({ secrets: 0 });
  expect(dashboard.complaints).toEqual([]);
});

test('settings are saved, and only what was changed is sent', async () => {
  const page = await dashboard.newPage();
  const token = await opened(page);
  const setting = (name: string) => region(page, 'Settings').getByRole('textbox', { name, exact: true });
  await setting('Name').fill('Beans <i>& Tea</i>');
  await dashboard.call('/v2/program', { payable_after_days: 30 }, token, 'PATCH');
  await setting('Allowed origins').fill('https://beans.example https://tea.example');
  await page.getByRole('combobox', { name: 'Affiliates see email' }).selectOption('masked');
  await setting('Attribution days').fill('30');
  const patched = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('The settings are saved.').waitFor();
  expect(await setting('Payable after days').inputValue()).toBe('30');
  const changes = {
    name: 'Beans <i>& Tea</i>',
    attribution_days: 30,
    allowed_origins: ['https://beans.example', 'https://tea.example'],
    affiliates_see_email: 'masked',
  };
  const response = await patched;
  expect(response.request().postDataJSON()).toEqual(changes);
  expect((await response.json()).data.attributes).toMatchObject({ ...changes, payable_after_days: 30 });
});

const confirm = (page: Page, name: string) => dialog(page, name).getByRole('button', { name, exact: true }).click();

/** Lets the service carry out the next request of a kind, and loses its response. */
async function loseNext(page: Page, url: RegExp, method: string): Promise<void> {
  let isLost = false;
  await page.route(url, async (route) => {
    if (isLost || route.request().method() !== method) return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}

test('a token whose response was lost is revoked before another one is created', async () => {
  const page = await dashboard.newPage();
  const token = await opened(page);
  type Token = { id: string; attributes: { name: string | null } };
  const tokens = () => dashboard.call<Token[]>('/v2/tokens', undefined, token);
  await dashboard.call('/v2/tokens', { name: 'shop', scopes: ['read'] }, token);
  const before = (await tokens()).map(({ id }) => id);
  await loseNext(page, /\/v2\/tokens$/, 'POST');
  await page.getByRole('button', { name: 'Create token' }).click();
  await field(page, 'New token', 'Name').fill('shop');
  const save = dialog(page, 'New token').getByRole('button', { name: 'Save' });
  await save.click();
  await dialog(page, 'New token').getByText('If it was, nobody has seen it.').waitFor();
  const [orphan] = (await tokens()).filter(({ id }) => !before.includes(id));
  expect(orphan).toBeDefined();
  await save.click();
  await field(page, 'New token', 'Token').waitFor();
  const after = (await tokens()).filter(({ id }) => !before.includes(id));
  expect(after).toMatchObject([{ attributes: { name: 'shop' } }]);
  expect(after[0]?.id).not.toBe(orphan?.id);
  expect(await tokens()).toHaveLength(3);
});

test('a webhook is rotated and deleted only after a question, also if responses are lost', async () => {
  const page = await dashboard.newPage();
  const token = await opened(page);
  const { url } = await startReceiver((response) => response.writeHead(200).end());
  await dashboard.call('/v2/webhooks', { url }, token);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const press = (name: string) =>
    rowsOf(page, 'Webhooks').filter({ hasText: url }).getByRole('button', { name, exact: true }).click();
  await loseNext(page, /\/rotate$/, 'POST');
  await press('Rotate');
  await confirm(page, 'Rotate');
  await dialog(page, 'Rotate').getByText('rotating again ends the secret that your receiver has').waitFor();
  await confirm(page, 'Rotate');
  await field(page, 'New secret', 'Secret').waitFor();
  await page.keyboard.press('Escape');

  await loseNext(page, /\/v2\/webhooks\/[^/]+$/, 'DELETE');
  await press('Delete');
  await dialog(page, 'Delete').getByText(url).waitFor();
  await page.keyboard.press('Escape');
  expect(await dashboard.call<object[]>('/v2/webhooks', undefined, token)).toHaveLength(1);
  await press('Delete');
  await confirm(page, 'Delete');
  await dialog(page, 'Delete').getByRole('alert').waitFor();
  await confirm(page, 'Delete');
  await page.getByText('No webhooks yet.').waitFor();
  await dialog(page, 'Delete').waitFor({ state: 'detached' });
  expect(await dashboard.call<object[]>('/v2/webhooks', undefined, token)).toEqual([]);
});
