import { afterEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { violations } from '../support/browser/chromium.ts';
import { dialog, field, useDashboardPages, viewLink } from '../support/browser/dashboard-page.ts';
import { region, rowsOf } from '../support/browser/portal-page.ts';
import { until } from '../support/until.ts';

const service = useDashboardPages();
afterEach(() => expect(service.complaints).toEqual([]));

const ALL = ['read', 'track', 'advocates', 'payouts', 'admin'];
/** The sections with all kinds of fields. */
const SECTIONS = ['commission', 'portal', 'brand', 'applications', 'people', 'emails'];

/** Opens a section of a new program. Returns its token. */
async function opened(page: Page, section: string, scopes: readonly string[] = ALL): Promise<string> {
  const token = await service.tokenOf(await service.aProgram(), ...scopes);
  await service.open(page, token, `#/settings/${section}`);
  return token;
}

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const choice = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
const sections = (page: Page) => page.getByRole('navigation', { name: 'Settings' });
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved.' }).last();
const programOf = async (token: string) =>
  (await service.call<{ attributes: Record<string, unknown> }>('/v2/program', undefined, token)).attributes;

/** Presses "Save", and waits for the response. */
async function save(page: Page): Promise<void> {
  const response = page.waitForResponse((each) => /^(?:PATCH|PUT)$/.test(each.request().method()));
  await button(page, 'Save').click();
  await response;
}

/** The bodies of the requests that write to the API, from now on. */
function writesOf(page: Page): unknown[] {
  const writes: unknown[] = [];
  page.on('request', (request) => {
    if (/^(?:PATCH|PUT)$/.test(request.method())) writes.push(request.postDataJSON());
  });
  return writes;
}

test('only what was changed is sent, a repetition sends nothing, and a refusal stands at its field', async () => {
  const page = await service.newPage();
  const token = await opened(page, 'program');
  const writes = writesOf(page);
  await box(page, 'Name').fill('Beans <i>& Tea</i>');
  await service.call('/v2/program', { attribution_days: 30 }, token, 'PATCH');
  await box(page, 'Allowed origins').fill('https://beans.example\nhttps://tea.example');
  await choice(page, 'Link names').selectOption('Random');
  await choice(page, 'Emails for assistants').selectOption('Shown');
  await button(page, 'Save').click();
  await saved(page).waitFor();
  const changes = {
    name: 'Beans <i>& Tea</i>',
    slugs: 'random',
    allowed_origins: ['https://beans.example', 'https://tea.example'],
    assistants_see_email: 'full',
  };
  expect(writes).toEqual([changes]);
  expect(await programOf(token)).toMatchObject({ ...changes, attribution_days: 30 });
  expect(await box(page, 'Attribution window').inputValue()).toBe('30');
  await button(page, 'Save').click();
  expect(writes).toHaveLength(1);

  await box(page, 'Site URL').fill('ftp://beans.example');
  await button(page, 'Save').click();
  await page.getByText('Site URL must be an http or https address').waitFor();
  await box(page, 'Site URL').and(page.locator('[aria-invalid=true]:focus')).waitFor();
  await box(page, 'Site URL').fill('https://tea.example/');
  await box(page, 'Attribution window').fill('a month');
  await button(page, 'Save').click();
  await page.getByText('Attribution window must be a whole number').waitFor();
  expect(writes).toHaveLength(2);
});

test('changes that are not saved are lost only after a question', async () => {
  const page = await service.newPage();
  await opened(page, 'program');
  const asked: string[] = [];
  let agrees = false;
  page.on('dialog', (question) => {
    asked.push(question.type());
    return agrees ? question.accept() : question.dismiss();
  });
  await box(page, 'Name').fill('Not saved');
  for (const link of [sections(page).getByRole('link', { name: 'Payouts' }), viewLink(page, 'Overview')]) {
    const question = page.waitForEvent('dialog');
    await link.click();
    await question;
  }
  expect(await box(page, 'Name').inputValue()).toBe('Not saved');
  expect(asked).toEqual(['confirm', 'confirm']);
  const left = page.close({ runBeforeUnload: true });
  await page.waitForEvent('dialog');
  await left;
  expect(asked).toEqual(['confirm', 'confirm', 'beforeunload']);
  agrees = true;
  await sections(page).getByRole('link', { name: 'Payouts' }).click();
  await box(page, 'Minimum payout').waitFor();
  await sections(page).getByRole('link', { name: 'Program' }).click();
  expect(await box(page, 'Name').inputValue()).toBe('Beans & Co');
  expect(asked).toHaveLength(4);
});

test('the dialog of a group asks before it loses the commission that was typed', async () => {
  const page = await service.newPage();
  await opened(page, 'commission');
  let answer = false;
  let questions = 0;
  page.on('dialog', (question) => {
    questions += 1;
    void (answer ? question.accept() : question.dismiss());
  });
  await button(page, 'Add group').click();
  await dialog(page, 'Add group').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page, 'Add group').waitFor({ state: 'detached' });
  await button(page, 'Add group').click();
  await field(page, 'Add group', 'Percentage').fill('30');
  for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
  await dialog(page, 'Add group').getByRole('button', { name: 'Close' }).click();
  expect(await field(page, 'Add group', 'Percentage').inputValue()).toBe('30');
  expect(questions).toBeGreaterThanOrEqual(2);
  answer = true;
  await dialog(page, 'Add group').getByRole('button', { name: 'Close' }).click();
  await dialog(page, 'Add group').waitFor({ state: 'detached' });
});

test('rules are a sentence while they are typed, and replace the percentage of the program and of a group', async () => {
  const page = await service.newPage();
  const token = await opened(page, 'commission');
  const earns = () => page.getByRole('status', { name: 'Advocates earn' }).last();
  const rule = (position: number, name: string) =>
    page.getByRole('group', { name: `Rule ${position}` }).getByRole('textbox', { name, exact: true });
  await earns().getByText('20%.').waitFor();
  await button(page, 'Add rule').click();
  await rule(1, 'Commission').and(page.locator(':focus')).fill('20 EUR');
  await rule(1, 'First payments').fill('1');
  await earns().getByText('€20.00 for the first payment, then 20%.').waitFor();
  await rule(2, 'Commission').fill('10%');
  await rule(2, 'Months').fill('12');
  await earns().getByText('€20.00 for the first payment, then 10% for 12 months.').waitFor();
  await box(page, 'Hold period').fill('30');
  await choice(page, 'If link and code differ').selectOption('The code decides');
  await rule(2, 'Months').fill('5000');
  await button(page, 'Save').click();
  await page.getByText('Months must be a whole number from 1 to 1200').waitFor();
  await rule(2, 'Months').and(page.locator('[aria-invalid=true]:focus')).fill('12');
  await button(page, 'Save').click();
  await saved(page).waitFor();
  expect(await programOf(token)).toMatchObject({
    commission_percentage: null,
    commission_rules: [
      { amounts: { eur: 2000 }, payments: 1 },
      { percentage: 10, months: 12 },
    ],
    payable_after_days: 30,
    code_priority: 'code',
  });
  await page.getByRole('group', { name: 'Rule 1' }).getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('group', { name: 'Rule 1' }).getByRole('button', { name: 'Remove' }).click();
  await box(page, 'Percentage').fill('15');
  await earns().getByText('15%.').waitFor();
  await save(page);
  expect(await programOf(token)).toMatchObject({ commission_rules: null, commission_percentage: 15 });

  await button(page, 'Add group').click();
  await field(page, 'Add group', 'Name').fill('Gold Partners');
  await field(page, 'Add group', 'Percentage').fill('30');
  await field(page, 'Add group', 'Percentage').press('Enter');
  await dialog(page, 'Add group').getByRole('button', { name: 'Save' }).click();
  await rowsOf(page, 'Groups').filter({ hasText: 'Gold Partners' }).getByText('30%').waitFor();
  await button(page, 'Add group').click();
  await field(page, 'Add group', 'Name').fill('gold partners');
  await dialog(page, 'Add group').getByRole('button', { name: 'Save' }).click();
  await dialog(page, 'Add group').getByText('Name is taken by another group').waitFor();
  page.once('dialog', (question) => void question.accept());
  await page.keyboard.press('Escape');
  await rowsOf(page, 'Groups').getByRole('button', { name: 'Edit' }).click();
  await field(page, 'Edit group', 'Name').fill('Platinum');
  await dialog(page, 'Edit group').getByRole('button', { name: 'Save' }).click();
  await rowsOf(page, 'Groups').filter({ hasText: 'Platinum' }).getByText('30%').waitFor();
  const groups = await service.call<object[]>('/v2/groups', undefined, token);
  expect(groups).toMatchObject([{ id: 'gold-partners', attributes: { title: 'Platinum', commission_percentage: 30 } }]);
});

test('payouts: an amount has the only currency of the ledger, and the account that pays needs a scope of its own', async () => {
  const page = await service.newPage();
  const token = await service.tokenOf(await service.aProgram(), ...ALL);
  const affiliate_slug = await service.advocateOf(token);
  await service.open(page, token, '#/settings/payouts');
  await box(page, 'Minimum payout').fill('50');
  await button(page, 'Save').click();
  await page.getByText('Minimum payout must have a currency, such as 50 EUR').waitFor();
  const bonus = { affiliate_slug, adjustment_id: 'bonus', commission: 100, currency: 'jpy', note: 'Welcome' };
  await service.call('/v2/adjustments', bonus, token);
  const counted = async () =>
    (
      await (
        await page.request.get(`${service.url()}/v2/balances`, { headers: { authorization: `Bearer ${token}` } })
      ).json()
    ).meta.currencies.length > 0;
  await until(counted);
  const read = page.waitForResponse(/\/v2\/balances/);
  await button(page, 'Refresh').click();
  await read;
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await box(page, 'Payout day').fill('5');
  await box(page, 'Account holder').fill('Beans & Co');
  await box(page, 'IBAN').fill('DE00');
  await button(page, 'Save').click();
  await page.getByText(/^IBAN must be/).waitFor();
  await box(page, 'IBAN').fill('DE02 1203 0000 0000 2020 51');
  await save(page);
  const stored = { minimum_payout: { jpy: 50 }, payout_day: 5, payout_iban: 'DE02120300000000202051' };
  expect(await programOf(token)).toMatchObject(stored);
  await box(page, 'Minimum payout').fill('50 jpy, 20.50 EUR');
  await save(page);
  expect(await programOf(token)).toMatchObject({ minimum_payout: { eur: 2050, jpy: 50 } });
  expect(await box(page, 'Minimum payout').inputValue()).toBe('20.50 EUR, 50 JPY');

  const other = await service.newPage();
  await opened(other, 'payouts', ['read', 'admin']);
  await other.getByText('The bank account needs the scope “payouts”.').waitFor();
  expect(await box(other, 'IBAN').count()).toBe(0);
});

test('the portal section writes to three resources, each only if it was changed', async () => {
  const page = await service.newPage();
  const token = await opened(page, 'portal');
  const writes = writesOf(page);
  const resource = (name: string) =>
    page.getByRole('group', { name: 'Resource 1' }).getByRole('textbox', { name, exact: true });
  await button(page, 'Add resource').click();
  await resource('Title').and(page.locator(':focus')).fill('Pictures');
  await resource('Address').fill('javascript:alert(1)');
  await button(page, 'Save').click();
  await page.getByText('Address must be an http or https address').waitFor();
  await resource('Address').and(page.locator('[aria-invalid=true]:focus')).fill('https://beans.example/press');
  writes.length = 0;
  await choice(page, 'Customer emails').selectOption('Hidden');
  await box(page, 'Terms').fill('https://beans.example/terms');
  await button(page, 'Save').click();
  await saved(page).waitFor();
  const resources = [{ title: 'Pictures', url: 'https://beans.example/press', text: null }];
  expect(writes).toEqual([
    { affiliates_see_email: 'none' },
    { terms_url: 'https://beans.example/terms' },
    { resources },
  ]);
  type Resources = { attributes: object };
  const stored = await service.call<Resources>('/v2/program/resources', undefined, token);
  expect(stored.attributes).toEqual({ resources });
});

/** The smallest PNG: one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('a logo is checked, shown in both previews with the accent, and removed after a question', async () => {
  const page = await service.newPage();
  const token = await opened(page, 'brand');
  async function choose(buffer: Buffer): Promise<void> {
    const chooser = page.waitForEvent('filechooser');
    await button(page, 'Choose logo').click();
    await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  }
  const logos = region(page, 'Preview').getByRole('img', { name: 'Beans & Co' });
  await choose(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'));
  await page.getByRole('alert').getByText('The logo must be a PNG, JPEG or WebP image.').waitFor();
  await choose(Buffer.concat([PNG, Buffer.alloc(65_536)]));
  await page.getByRole('alert').getByText('The logo must have at most 64 KB.').waitFor();
  await choose(PNG);
  await logos.first().waitFor();
  expect(await logos.count()).toBe(2);
  expect(await page.evaluate("document.querySelector('[aria-label=Preview] img').decode()")).toBe(undefined);
  await box(page, 'Accent').fill('green');
  await button(page, 'Save').click();
  await page.getByText('Accent must be # and six hexadecimal digits').waitFor();
  await box(page, 'Accent').fill('#0B6E4F');
  await save(page);
  expect(await programOf(token)).toMatchObject({ accent: '#0b6e4f', logo_version: expect.any(String) });
  const colorOf = (sample: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('.sample:${sample} .sample-button')).backgroundColor`);
  expect(await colorOf('first-child')).toBe('rgb(11, 110, 79)');
  // In the dark, the accent is moved until it can be read.
  expect(await colorOf('last-child')).not.toBe('rgb(11, 110, 79)');
  await button(page, 'Remove logo').click();
  await dialog(page, 'Remove logo').getByText('Advocates then see the name').waitFor();
  await dialog(page, 'Remove logo').getByRole('button', { name: 'Remove logo' }).click();
  await logos.first().waitFor({ state: 'detached' });
  expect(await programOf(token)).toMatchObject({ logo_version: null });
});

test.each([
  [390, 844, 'dark'],
  [1280, 900, 'light'],
] as const)('at %i × %i, %s, every section fits, and axe finds no fault', async (width, height, colorScheme) => {
  const page = await service.newPage({ viewport: { width, height }, colorScheme, bypassCSP: true });
  const token = await service.tokenOf(await service.aProgram(), ...ALL);
  await service.call('/v2/members', { email: 'sam@beans.example', name: 'Sam Field', scopes: ALL }, token);
  await service.call('/v2/groups/gold', { title: 'Gold', commission_percentage: 30 }, token, 'PUT');
  const resources = [{ title: 'Pictures', url: 'https://beans.example/press', text: 'Take them.' }];
  await service.call('/v2/program/resources', { resources }, token, 'PUT');
  const rules = {
    commission_rules: [
      { amounts: { eur: 2000 }, payments: 1 },
      { percentage: 10, months: 12 },
    ],
  };
  await service.call('/v2/program', rules, token, 'PATCH');
  const question = { key: 'audience', label: 'Who reads you?', kind: 'choice', options: ['Few', 'Many'] };
  await service.call('/v2/program/people', { application_fields: [question] }, token, 'PATCH');
  await service.open(page, token, '#/settings');
  for (const section of SECTIONS) {
    await sections(page).locator(`a[href$=${section}]`).click();
    await page
      .locator('[aria-current=page]', { hasText: new RegExp(section, 'i') })
      .first()
      .waitFor();
    if (section === 'emails') await button(page, 'Payout recorded').click();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    expect({ section, found: await violations(page) }).toEqual({ section, found: [] });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
});
