import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { EVENT_TYPES } from '../../functions/webhooks/rules/event.ts';
import { copyWith, violations } from '../support/browser/chromium.ts';
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

async function opened(page: Page, section: string): Promise<string> {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), ...ALL);
  await dashboard.open(page, token, `#/developers/${section}`);
  return token;
}

const press = (page: Page, table: string, row: string, name: string) =>
  rowsOf(page, table).filter({ hasText: row }).getByRole('button', { name, exact: true }).first().click();
const save = (page: Page, name: string) => dialog(page, name).getByRole('button', { name: 'Save' }).click();
const statusOf = async (token: string, path = '/v2/advocates') =>
  (await fetch(`${dashboard.url()}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;

test('the script has the key of the program, and each section is a link of the navigation', async () => {
  const page = await dashboard.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  const token = await opened(page, 'webhooks');
  await page.getByText('No webhooks yet.').waitFor();
  await page.getByRole('navigation', { name: 'Developers' }).getByRole('link', { name: 'Script' }).click();
  type Program = { attributes: { public_key: string } };
  const { public_key } = (await dashboard.call<Program>('/v2/program', undefined, token)).attributes;
  expect(await copyWith(page.getByRole('button', { name: 'Copy script' }))).toContain(
    `<script async src="${dashboard.url()}/gr.js" data-pk="${public_key}"></script>`,
  );
});

test('a token is created, shown once, and revoked', async () => {
  const page = await dashboard.newPage();
  await opened(page, 'tokens');
  await rowsOf(page, 'Tokens').filter({ hasText: 'this page' }).waitFor();
  await page.getByRole('button', { name: 'Create token' }).click();
  await field(page, 'New token', 'Name').fill('<b>Shop</b>');
  await field(page, 'New token', 'Name').press('Enter');
  const scope = (name: string) => dialog(page, 'New token').getByRole('checkbox', { name, exact: true });
  // What a shop's server needs.
  const isChosen = await Promise.all(ALL.map((name) => scope(name).isChecked()));
  expect(isChosen).toEqual([true, true, false, false, false]);
  await scope('read').uncheck();
  await scope('track').uncheck();
  await save(page, 'New token');
  await page.getByRole('alert').getByText('Scopes need at least one choice').waitFor();
  await scope('read').check();
  await save(page, 'New token');
  await field(page, 'New token', 'Token').waitFor();
  const created = await field(page, 'New token', 'Token').inputValue();
  expect([await statusOf(created), await statusOf(created, '/v2/tokens')]).toEqual([200, 403]);
  await page.keyboard.press('Escape');
  await rowsOf(page, 'Tokens')
    .filter({ hasText: '<b>Shop</b>' })
    .getByText('see everything', { exact: true })
    .waitFor();
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
  const token = await opened(page, 'webhooks');
  await page.getByText('No webhooks yet.').waitFor();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await field(page, 'New webhook', 'URL').fill(url);
  await field(page, 'New webhook', 'URL').press('Enter');
  await save(page, 'New webhook');
  await field(page, 'New webhook', 'Secret').waitFor();
  expect(await field(page, 'New webhook', 'Secret').inputValue()).toMatch(/^whsec_/);
  await page.keyboard.press('Escape');
  await press(page, 'Webhooks', url, 'Send test');
  await page.getByText('The receiver answered the test with status 200.').waitFor();
  expect(types()).toEqual(['webhook.test']);

  await dashboard.referralOf(token, await dashboard.advocateOf(token));
  await expectDelivery(page, url, 1);
  await press(page, 'Deliveries', 'referral.converted', 'Resend');
  await page.getByText('The event is queued again.').waitFor();
  await expectDelivery(page, url, 2);
  expect(types().filter((type) => type === 'referral.converted')).toHaveLength(2);

  await press(page, 'Webhooks', url, 'Disable');
  await page.getByText('The webhook is disabled.').waitFor();
  await rowsOf(page, 'Webhooks').getByText('Disabled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await rowsOf(page, 'Webhooks').getByText('Enabled', { exact: true }).waitFor();
  expect(dashboard.complaints).toEqual([]);
});

test('what is typed before the first frame of a form stays', async () => {
  const page = await dashboard.newPage();
  await opened(page, 'webhooks');
  const url = 'https://shop.example/hook';
  await page.getByRole('button', { name: 'Add webhook' }).focus();
  await page.evaluate(`(async () => {
    document.activeElement.click();
    // The next task, which is earlier than the next frame in most cases.
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(0);
    });
    const input = document.querySelector('dialog input');
    input.value = '${url}';
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  })()`);
  expect(await field(page, 'New webhook', 'URL').inputValue()).toBe(url);
});

test('a webhook subscribes to every event of the API, and each press reads its deliveries once', async () => {
  const [first, second] = [await aReceiver(), await aReceiver()];
  const page = await dashboard.newPage();
  const token = await opened(page, 'webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await field(page, 'New webhook', 'URL').fill(first.url);
  const events = dialog(page, 'New webhook').getByRole('group', { name: 'Events' }).getByRole('checkbox');
  for (const event of await events.all()) await event.check();
  await save(page, 'New webhook');
  await field(page, 'New webhook', 'Secret').waitFor();
  await page.keyboard.press('Escape');
  type Webhook = { attributes: { events: readonly string[] } };
  const [stored] = await dashboard.call<Webhook[]>('/v2/webhooks', undefined, token);
  expect(stored?.attributes.events).toEqual(EVENT_TYPES);

  await dashboard.call('/v2/webhooks', { url: second.url }, token);
  await page.reload();
  await page.getByText('No deliveries in the last 7 days.').waitFor();
  const readings: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/deliveries')) readings.push(request.url());
  });
  const read = async (row: string, name: string) => {
    readings.length = 0;
    const response = page.waitForResponse((each) => each.url().includes('/deliveries'));
    await press(page, 'Webhooks', row, name);
    await response;
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    return readings.length;
  };
  for (const { url } of [first, second]) expect(await read(url, 'Show deliveries')).toBe(1);
  for (const { url } of [second, first]) expect(await read(url, 'Send test')).toBe(1);
});

/** Presses "Show deliveries" until the table has a number of conversions: they are stored after the receiver's response. */
async function expectDelivery(page: Page, url: string, count: number): Promise<void> {
  const rows = rowsOf(page, 'Deliveries').filter({ hasText: 'referral.converted' });
  for (;;) {
    const response = page.waitForResponse((each) => each.url().includes('/deliveries'));
    await press(page, 'Webhooks', url, 'Show deliveries');
    const { data } = await (await response).json();
    if (
      data.filter((each: { attributes: { event: string } }) => each.attributes.event === 'referral.converted').length >=
      count
    )
      break;
  }
  await rows.nth(count - 1).waitFor();
}

test('a webhook whose response was lost is created once, and its secret is shown', async () => {
  const { url } = await aReceiver();
  const page = await dashboard.newPage();
  const token = await opened(page, 'webhooks');
  await loseNext(page, /\/v2\/webhooks$/, 'POST');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await field(page, 'New webhook', 'URL').fill(url);
  await save(page, 'New webhook');
  await dialog(page, 'New webhook').getByRole('alert').waitFor();
  await save(page, 'New webhook');
  await field(page, 'New webhook', 'Secret').waitFor();
  expect(await dashboard.call<object[]>('/v2/webhooks', undefined, token)).toHaveLength(1);
});

test('connected Stripe is one line, its secret is replaced and never shown, and it is disconnected only after a question', async () => {
  const page = await dashboard.newPage();
  const token = await opened(page, 'stripe');
  const secret = 'whsec_only_for_this_test_0123456789';
  await page.getByText('Not connected yet.').waitFor();
  const box = page.getByRole('textbox', { name: 'Stripe signing secret', exact: true });
  await box.fill(secret);
  await page.getByRole('button', { name: 'Connect Stripe', exact: true }).click();
  await page.getByText('Connected with one signing secret.').waitFor();
  expect(await box.count()).toBe(0);
  await page.getByRole('button', { name: 'Replace secret' }).click();
  await box.fill(`${secret}_2`);
  await page.getByRole('button', { name: 'Connect Stripe', exact: true }).click();
  await page.getByText('Connected with 2 signing secrets.').waitFor();
  await box.waitFor({ state: 'detached' });
  expect(await page.getByRole('combobox').count()).toBe(0);
  await page.getByRole('button', { name: 'Refunds' }).click();
  await page.getByRole('combobox', { name: 'A full refund' }).selectOption('rejects the referral');
  await region(page, 'Stripe').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(await dashboard.call('/v2/integrations/stripe', undefined, token)).toMatchObject({
    attributes: { secrets: 2, on_refund: 'reject' },
  });

  await region(page, 'Stripe').getByRole('button', { name: 'Disconnect Stripe' }).click();
  await dialog(page, 'Disconnect Stripe').getByText('payments, refunds and the end of subscriptions').waitFor();
  await confirm(page, 'Disconnect Stripe');
  await page.getByText('Not connected yet.').waitFor();
  const connection = dashboard.call<{ attributes: object }>('/v2/integrations/stripe', undefined, token);
  expect((await connection).attributes).toMatchObject({ secrets: 0 });
  expect(dashboard.complaints).toEqual([]);
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
  const token = await opened(page, 'tokens');
  type Token = { id: string; attributes: { name: string | null } };
  const tokens = () => dashboard.call<Token[]>('/v2/tokens', undefined, token);
  await dashboard.call('/v2/tokens', { name: 'shop', scopes: ['read'] }, token);
  const before = (await tokens()).map(({ id }) => id);
  await loseNext(page, /\/v2\/tokens$/, 'POST');
  await page.getByRole('button', { name: 'Create token' }).click();
  await field(page, 'New token', 'Name').fill('shop');
  const save = dialog(page, 'New token').getByRole('button', { name: 'Save' });
  await save.click();
  await dialog(page, 'New token').getByText('nobody has seen it.').waitFor();
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
  const token = await opened(page, 'webhooks');
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

test('a customer is explained in words, with what happened and when, and why it is not of another advocate', async () => {
  const page = await dashboard.newPage();
  const token = await opened(page, 'explain');
  const jane = await dashboard.advocateOf(token, { slug: 'jane' });
  await dashboard.advocateOf(token, { slug: 'hana' });
  await dashboard.call('/v2/codes/JANE20', { affiliate_slug: jane }, token, 'PUT');
  const customer = { email: 'ana@shop.example', uid: 'customer-1' };
  await dashboard.call('/v2/tracking/conversion', { code: 'jane20', ...customer }, token);
  await dashboard.call('/v2/payments', { uid: 'customer-1', payment_id: 'in_1', amount: 900, currency: 'eur' }, token);
  await page.getByRole('textbox', { name: 'Value' }).fill('ana@shop.example');
  await page.getByRole('button', { name: 'Explain' }).click();
  await page.getByText('Credited to jane', { exact: true }).waitFor();
  const steps = page.getByRole('listitem').filter({ hasText: /, \d{4}, / });
  await steps.filter({ hasText: 'signed up, credited to jane by the code JANE20' }).waitFor();
  await steps.filter({ hasText: 'paid, with a commission for jane' }).waitFor();
  await page.getByRole('button', { name: 'Why not another advocate?' }).click();
  await page.getByRole('textbox', { name: 'Advocate' }).fill('hana');
  await page.getByRole('button', { name: 'Explain' }).last().click();
  await page.getByText('Move the referral if that is wrong.').waitFor();

  await page.getByRole('combobox', { name: 'Find by' }).selectOption('Your id');
  await page.getByRole('textbox', { name: 'Value' }).fill('nobody');
  await page.getByRole('button', { name: 'Explain' }).first().click();
  await page.getByText('Nothing arrived in the last 30 days').waitFor();
  await page.getByRole('combobox', { name: 'Find by' }).selectOption('Referral id');
  await page.getByRole('button', { name: 'Explain' }).first().click();
  await page.getByText('id must be').waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  expect(dashboard.complaints).toEqual([]);
});

test('no section of the developers breaks an accessibility rule, light or dark, wide or on a phone', async () => {
  const page = await dashboard.newPage({ bypassCSP: true, reducedMotion: 'reduce' });
  const token = await opened(page, 'script');
  const { url } = await aReceiver();
  await dashboard.call('/v2/webhooks', { url }, token);
  await dashboard.advocateOf(token);
  const faults: string[] = [];
  for (const section of ['script', 'server-code', 'stripe', 'webhooks', 'tokens', 'explain', 'documentation']) {
    await page.evaluate(`location.hash = '#/developers/${section}'`);
    await page.locator(`[aria-current=page][href$="/${section}"]`).waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    for (const [width, colorScheme] of [
      [1280, 'dark'],
      [390, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      const found = await violations(page);
      if ((await page.evaluate('document.documentElement.scrollWidth')) !== width) found.push('too wide');
      faults.push(...found.map((fault) => `${section}, ${width} px: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
});
