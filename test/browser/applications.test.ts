import { afterEach, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { violations } from '../support/browser/chromium.ts';
import { dialog, field, useDashboardPages, viewLink } from '../support/browser/dashboard-page.ts';
import { FOCUSED, fill, press, reach } from '../support/browser/keyboard.ts';
import { numberIn, rowsOf } from '../support/browser/portal-page.ts';
import { newId } from '../support/program.ts';

const service = useDashboardPages();
const { linkTo } = service;
afterEach(() => expect(service.complaints).toEqual([]));

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const sent = (page: Page) => page.getByRole('status').filter({ hasText: 'can apply, an email is on its way' });
const rowOf = (page: Page, text: string) => rowsOf(page, 'Applications').filter({ hasText: text });
const anAddress = () => `${newId()}@partners.example`;

const QUESTIONS = [
  { key: 'website', label: 'Your website', kind: 'url', required: true },
  { key: 'audience', label: 'Who reads you?', kind: 'choice', required: true, options: ['Few people', 'Many people'] },
  { key: 'why', label: 'Why?', kind: 'long' },
];
const ANSWERS = { website: 'https://mira.example', audience: 'Many people' };
const TERMS = { terms_url: 'https://beans.example/terms', terms_version: '2' };

/** A program that takes applications, by default a new one. Returns its public key and a token of the merchant. */
async function open(settings: object = {}, program?: string) {
  const id = program ?? (await service.aProgram());
  const token = await service.tokenOf(id, 'read', 'advocates', 'admin');
  const body = { applications: 'review', application_fields: QUESTIONS, ...settings };
  await service.call('/v2/program/people', body, token, 'PATCH');
  return { id, token, pk: `pk_${id.replaceAll('-', '')}`, account: `${service.url()}/account` };
}

/** Applies without a page. Returns the link of the email. */
async function linkOf(pk: string, fields: object = {}): Promise<string> {
  const body = { pk, email: anAddress(), answers: ANSWERS, ...fields };
  await service.call('/v2/applications', body);
  return linkTo(body.email, 'confirm');
}

/** The requests of a page to the API about applications, from now on. */
function requestsOf(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const path = /\/v2\/(?:apply|applications)\S*/.exec(request.url())?.[0];
    if (path !== undefined) requests.push(`${request.method()} ${path}`);
  });
  return requests;
}

test('somebody applies, confirms by the link, is approved in the dashboard, signs in and sees the link', async () => {
  const demo = await service.call<{ id: string; attributes: { name: string } }>('/v2/program');
  const { token, pk, account } = await open({ apply_text: 'Earn 20%.\nFor a year.', ...TERMS }, demo.id);
  const title = `Become an advocate of ${demo.attributes.name}`;
  const email = anAddress();
  const page = await service.newPage();
  const requests = requestsOf(page);
  await page.goto(`${account}#program=${pk}`);
  await button(page, 'Become an advocate').click();
  await page.locator('h1:focus', { hasText: title }).waitFor();
  await button(page, 'Sign in instead').click();
  await page.locator('h1:focus', { hasText: 'Sign in to your account' }).waitFor();
  await button(page, 'Become an advocate').click();
  expect(requests).toEqual([`GET /v2/apply/${pk}`]);
  expect(await page.getByText('Earn 20%.').textContent()).toBe('Earn 20%.\nFor a year.');
  expect(await page.evaluate("getComputedStyle(document.querySelector('form p')).whiteSpace")).toBe('pre-wrap');
  expect(await page.getByRole('link', { name: 'Terms' }).getAttribute('href')).toBe(TERMS.terms_url);
  await box(page, 'Email').fill(email);
  await box(page, 'First name (optional)').fill('Mira');
  await box(page, 'Last name (optional)').fill('Novak');
  await box(page, 'Your website').fill('ftp://mira.example');
  await box(page, 'Why? (optional)').fill('I like coffee.\nA lot.');
  await button(page, 'Apply').click();
  await page.getByLabel('Who reads you?').selectOption('Many people');
  await button(page, 'Apply').click();
  // Nothing is sent without an answer that is required, and without the terms.
  expect(requests).toHaveLength(1);
  await page.getByLabel('I accept the terms').check();
  await button(page, 'Apply').click();
  await page.getByText('Your website must be a web address such as https://example.com').waitFor();
  expect(await box(page, 'Your website').getAttribute('aria-invalid')).toBe('true');
  await box(page, 'Your website').fill('https://mira.example');
  await button(page, 'Apply').click();
  await sent(page).waitFor();

  requests.length = 0;
  await page.goto(await linkTo(email, 'confirm'));
  await button(page, 'Confirm the application').waitFor();
  for (const text of ['Mira Novak', email, 'https://mira.example', 'Many people', 'I like coffee.\nA lot.']) {
    await page.getByRole('definition').filter({ hasText: text }).waitFor();
  }
  expect([page.url(), requests]).toEqual([account, ['POST /v2/applications/lookup']]);
  await button(page, 'Confirm the application').click();
  await page.getByText(`${demo.attributes.name} decides about it. If it is approved, you get an email.`).waitFor();
  await page.goto(await linkTo(email, 'confirm'));
  await page.getByText('Your application is confirmed, and').waitFor();

  const merchant = await service.newPage();
  await service.open(merchant, token);
  await viewLink(merchant, 'Applications').click();
  await rowOf(merchant, 'Mira Novak').getByText('email confirmed', { exact: true }).waitFor();
  await rowOf(merchant, email).getByRole('button', { name: 'Approve' }).click();
  const slug = `mira-${newId().slice(-12)}`;
  await field(merchant, 'Approve the application', 'Slug').fill(slug);
  await field(merchant, 'Approve the application', 'Commission').fill('25%');
  await dialog(merchant, 'Approve the application').getByRole('button', { name: 'Approve' }).click();
  await merchant.getByText(`The advocate is ${slug}.`).waitFor();
  await rowOf(merchant, email).waitFor({ state: 'detached' });
  await merchant.getByLabel('State').selectOption('Approved');
  await rowOf(merchant, email).getByText(`Advocate: ${slug}`).waitFor();

  await page.goto(await linkTo(email, 'confirm'));
  await page.getByText('Sign in to see your link.').waitFor();
  expect(await box(page, 'Email').inputValue()).toBe(email);
  await button(page, 'Send me a link').click();
  await page.goto(await linkTo(email, 'code'));
  await button(page, 'Continue as Mira Novak').click();
  await numberIn(page, 'Clicks').waitFor();
  expect(await box(page, 'Your link').inputValue()).toContain(slug);
  await page.getByText('25% of each payment').waitFor();
});

test('markup in every text stands as text on the form, the page of the link and the dashboard', async () => {
  const markup = (word: string) => `<img src=x onerror=alert(1)> <a href="https://evil.example">${word}</a>`;
  const label = markup('question');
  const { pk, token, account } = await open({
    ...{ apply_text: markup('text') },
    application_fields: [
      { key: 'a', label, kind: 'text' },
      { key: 'b', label: 'Address', kind: 'url' },
    ],
  });
  const url = 'https://evil.example/<script>alert(1)</script>';
  const page = await service.newPage();
  /** Waits until each text is shown, and checks that none of them is anything else. */
  const shows = async (on: Page, ...texts: readonly string[]) => {
    for (const text of texts) await on.getByText(text, { exact: true }).first().waitFor();
    expect(await on.locator('img, a[href*=evil], [onerror]').count()).toBe(0);
  };
  await page.goto(`${account}#program=${pk}`);
  await button(page, 'Become an advocate').click();
  await shows(page, markup('text'), `${label} (optional)`);
  const names = { first_name: markup('name'), last_name: 'Novak' };
  await page.goto(await linkOf(pk, { ...names, answers: { a: markup('answer'), b: url } }));
  const texts = [`${markup('name')} Novak`, label, markup('answer'), url];
  await shows(page, ...texts);
  await button(page, 'Confirm the application').click();
  await page.getByText('Your application is confirmed, and').waitFor();
  const merchant = await service.newPage();
  await service.open(merchant, token, '#/applications');
  await shows(merchant, ...texts);
  await button(merchant, 'Decline').click();
  await shows(merchant, texts[0] ?? '');
  const decline = dialog(merchant, 'Decline the application');
  await decline.getByLabel('Note').fill(markup('note'));
  await decline.getByRole('checkbox', { name: 'Send an email' }).check();
  await decline.getByRole('button', { name: 'Decline' }).click();
  await merchant.getByText('Declined: ').waitFor();
  await merchant.getByText('No applications wait.').waitFor();
  await merchant.getByLabel('State').selectOption('Declined');
  await shows(merchant, ...texts, markup('note'));
});

test.each([
  [320, 'dark'],
  [1280, 'light'],
] as const)('at %i px, %s, the keyboard suffices, and axe finds no fault', async (width, colorScheme) => {
  const options: BrowserContextOptions = { viewport: { width, height: 800 }, colorScheme, bypassCSP: true };
  const { pk, token, account } = await open(TERMS);
  const email = anAddress();
  const page = await service.newPage(options);
  const isClean = async (on: Page) => {
    expect(await violations(on)).toEqual([]);
    expect(await on.evaluate('document.documentElement.scrollWidth')).toBe(width);
  };
  await page.goto(`${account}#program=${pk}`);
  await press(page, 'Become an advocate');
  await page.locator('h1:focus').waitFor();
  await isClean(page);
  const reached: unknown[] = [];
  do {
    await page.keyboard.press('Tab');
    reached.push(await page.evaluate(FOCUSED));
  } while (reached.at(-1) !== 'Sign in instead');
  expect(reached).toEqual([
    ...['Email', 'First name (optional)', 'Last name (optional)', 'Your website'],
    ...['Who reads you?Choose …Few peopleMany people', 'Why? (optional)'],
    ...['Terms of the program (opens in a new tab)', 'I accept the terms', 'Apply', 'Sign in instead'],
  ]);
  await fill(page, 'Email', email);
  await fill(page, 'Your website', 'https://mira.example');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Many');
  await reach(page, 'I accept the terms');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await sent(page).and(page.locator(':focus')).waitFor();
  await isClean(page);
  await page.goto(await linkTo(email, 'confirm'));
  await button(page, 'Confirm the application').waitFor();
  await isClean(page);
  await press(page, 'Confirm the application');
  await page.locator('[role=status]:focus', { hasText: 'Your application is confirmed, and' }).waitFor();
  await isClean(page);

  const merchant = await service.newPage(options);
  await service.open(merchant, token);
  await press(merchant, 'Applications');
  await rowOf(merchant, email).waitFor();
  await isClean(merchant);
  for (const name of ['Decline', 'Approve']) {
    await press(merchant, name);
    await dialog(merchant, `${name} the application`).waitFor();
    await isClean(merchant);
    await merchant.keyboard.press(name === 'Decline' ? 'Escape' : 'Tab');
  }
  await reach(merchant, 'Commission');
  await merchant.keyboard.press('Enter');
  await merchant.locator('[role=status]:focus', { hasText: 'Approved: ' }).waitFor();
});

test('refusals are told beside the form, an ended link offers it again, and without the function the view says so', async () => {
  const { pk, token, account } = await open({ application_fields: [] });
  const body = { email: anAddress(), answers: {} };
  const ended = await linkOf(pk, body);
  await service.call('/v2/applications', { pk, ...body });
  const page = await service.newPage();
  await page.goto(`${account}#program=${pk}`);
  await button(page, 'Become an advocate').click();
  await box(page, 'Email').fill(anAddress());
  const tooMany = { 'x-error-code': 'too_many_applications', 'retry-after': '3600' };
  const refused = { status: 429, headers: tooMany, json: { error: 'Too many people apply.' } };
  const traps: string[] = [];
  const setTrap = (text: string) => page.evaluate(`document.querySelector('[name=leave_empty]').value = '${text}'`);
  await setTrap('by a robot');
  await page.route('**/v2/applications', (route) => {
    traps.push(route.request().postDataJSON().leave_empty);
    return route.fulfill(refused);
  });
  await button(page, 'Apply').click();
  await alert(page, 'Too many people apply.').waitFor();
  expect(traps).toEqual(['by a robot']);
  await setTrap('');
  await page.unroute('**/v2/applications');
  // The program asks something else since the page was opened.
  await open({}, (await service.call<{ id: string }>('/v2/program', undefined, token)).id);
  await button(page, 'Apply').click();
  await alert(page, 'The program has changed its form.').waitFor();
  await box(page, 'Your website').fill('https://mira.example');
  await page.getByLabel('Who reads you?').selectOption('Few people');
  await button(page, 'Apply').click();
  await sent(page).waitFor();
  await page.goto(ended);
  await alert(page, 'This link no longer works').waitFor();
  await button(page, 'Become an advocate').click();
  await box(page, 'Your website').waitFor();

  await service.call('/v2/program/people', { applications: 'closed' }, token, 'PATCH');
  await page.goto('about:blank');
  const closed = page.waitForResponse(`**/v2/apply/${pk}`);
  await page.goto(`${account}#program=${pk}`);
  expect((await closed).status()).toBe(403);
  await box(page, 'Email').waitFor();
  expect(await button(page, 'Become an advocate').count()).toBe(0);

  const merchant = await service.newPage();
  const missing = { status: 404, json: { message: 'Not Found' } };
  await merchant.route('**/v2/applications?*', (route) => route.fulfill(missing));
  await service.open(merchant, token, '#/applications');
  await merchant.getByText('Deploy it with emails=on.').waitFor();
  await viewLink(merchant, 'Advocates').click();
  await heading(merchant, 'Advocates').waitFor();
  const reader = await service.newPage();
  await service.open(reader, await service.tokenOf(await service.aProgram(), 'read'), '#/applications');
  await reader.getByText('Applications need the scope “advocates”.').waitFor();
  expect(await viewLink(reader, 'Applications').count()).toBe(0);
});
