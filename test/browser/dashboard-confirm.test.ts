import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dialog, field, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { region, rowsOf } from '../support/browser/portal-page.ts';
import { startReceiver } from '../support/events/receiver.ts';

const dashboard = useDashboardPages();

async function opened(page: Page): Promise<string> {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'admin');
  await dashboard.open(page, token, '#/developers');
  return token;
}

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

test('a token is revoked only after a question, and the focus does not get lost', async () => {
  const page = await dashboard.newPage();
  const token = await opened(page);
  await dashboard.call('/v2/tokens', { name: 'shop', scopes: ['read'] }, token);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const row = rowsOf(page, 'Tokens').filter({ hasText: 'shop' });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog(page, 'Revoke').getByText('The token “shop” stops working within 30 seconds').waitFor();
  await page.keyboard.press('Escape');
  expect(await row.getByRole('button', { name: 'Revoke' }).evaluate((button) => button.matches(':focus'))).toBe(true);
  expect(await dashboard.call<object[]>('/v2/tokens', undefined, token)).toHaveLength(2);
  await row.getByRole('button', { name: 'Revoke' }).click();
  await confirm(page, 'Revoke');
  await row.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toContain('The token is revoked.');
  expect(await dashboard.call<object[]>('/v2/tokens', undefined, token)).toHaveLength(1);
});

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

test('Stripe is disconnected only after a question', async () => {
  const page = await dashboard.newPage();
  const token = await opened(page);
  await page.getByText('Not connected yet.').waitFor();
  const button = region(page, 'Stripe').getByRole('button', { name: 'Disconnect Stripe' });
  expect(await button.count()).toBe(0);
  const secret = { secret: 'whsec_only_for_this_test_0123456789' };
  await dashboard.call('/v2/integrations/stripe', secret, token, 'PUT');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await button.click();
  await dialog(page, 'Disconnect Stripe').getByText('payments, refunds and the end of subscriptions').waitFor();
  await confirm(page, 'Disconnect Stripe');
  await page.getByText('Not connected yet.').waitFor();
  await button.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Stripe is disconnected.');
  const connection = dashboard.call<{ attributes: object }>('/v2/integrations/stripe', undefined, token);
  expect((await connection).attributes).toMatchObject({ secrets: 0 });
  expect(dashboard.complaints).toEqual([]);
});
