import { afterEach, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { violations } from '../support/browser/chromium.ts';
import { useDashboardPages } from '../support/browser/dashboard-page.ts';
import { FOCUSED, fill, press, reach } from '../support/browser/keyboard.ts';
import { newAddress } from '../support/browser/portal-page.ts';
import { newId } from '../support/program.ts';

const service = useDashboardPages();
const { linkTo } = service;
afterEach(() => expect(service.complaints).toEqual([]));

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const sent = (page: Page) => page.getByRole('status').filter({ hasText: 'can apply, an email is on its way' });

const QUESTIONS = [
  { key: 'website', label: 'Your website', kind: 'url', required: true },
  { key: 'audience', label: 'Who reads you?', kind: 'choice', required: true, options: ['Few people', 'Many people'] },
  { key: 'why', label: 'Why?', kind: 'long' },
];
const ANSWERS = { website: 'https://mira.example', audience: 'Many people' };
/** A PNG with one pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
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
  const body = { pk, email: newAddress(), answers: ANSWERS, ...fields };
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

test('somebody applies, confirms by the link, is approved, signs in and sees the link', async () => {
  const demo = await service.call<{ id: string; attributes: { name: string } }>('/v2/program');
  const { token, pk, account } = await open({ apply_text: 'Earn 20%.\nFor a year.', ...TERMS }, demo.id);
  const title = `Become an advocate of ${demo.attributes.name}`;
  const email = newAddress();
  const page = await service.newPage();
  const requests = requestsOf(page);
  await page.goto(`${account}#program=${pk}`);
  await tab(page, 'Sign in').and(page.locator('[aria-selected=true]')).waitFor();
  await button(page, 'Send sign-in link').waitFor();
  await tab(page, 'Apply').click();
  await heading(page, title).waitFor();
  expect(requests).toEqual([`GET /v2/apply/${pk}`]);
  expect(await page.getByText('Earn 20%.').textContent()).toBe('Earn 20%.\nFor a year.');
  expect(await page.evaluate("getComputedStyle(document.querySelector('form p')).whiteSpace")).toBe('pre-wrap');
  expect(await page.getByRole('link', { name: 'Terms' }).getAttribute('href')).toBe(TERMS.terms_url);
  await box(page, 'Email').fill(email);
  await box(page, 'First name (optional)').fill('Mira');
  await box(page, 'Last name (optional)').fill('Novak');
  await box(page, 'Your website').fill('ftp://mira.example');
  await box(page, 'Why? (optional)').fill('I like coffee.\nA lot.');
  await button(page, 'Send application').click();
  await page.getByLabel('Who reads you?').selectOption('Many people');
  await button(page, 'Send application').click();
  // Nothing is sent without an answer that is required, and without the terms.
  expect(requests).toHaveLength(1);
  expect(await page.getByLabel('I accept the terms').isChecked()).toBe(false);
  await page.getByLabel('I accept the terms').check();
  await button(page, 'Send application').click();
  await page.getByText('Your website must be a web address such as https://example.com').waitFor();
  expect(await box(page, 'Your website').getAttribute('aria-invalid')).toBe('true');
  await box(page, 'Your website').fill('https://mira.example');
  await button(page, 'Send application').click();
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

  type Found = { id: string; attributes: { email: string } };
  const waiting = await service.call<Found[]>('/v2/applications?state_eq=pending', undefined, token);
  const slug = `mira-${newId().slice(-12)}`;
  const found = waiting.find(({ attributes }) => attributes.email === email)?.id;
  await service.call(`/v2/applications/${found}/approve`, { slug, commission_percentage: 25 }, token);
  await page.goto(await linkTo(email, 'confirm'));
  await page.getByText('Sign in to see your link.').waitFor();
  expect(await box(page, 'Email').inputValue()).toBe(email);
  await button(page, 'Send sign-in link').click();
  await page.goto(await linkTo(email, 'code'));
  await button(page, 'Continue as Mira Novak').click();
  await box(page, 'Your link').waitFor();
  expect(await box(page, 'Your link').inputValue()).toContain(slug);
  await page.getByText('You earn 25% of each payment').waitFor();
});

test('markup in every text stands as text on the form and the page of the link', async () => {
  const markup = (word: string) => `<img src=x onerror=alert(1)> <a href="https://evil.example">${word}</a>`;
  const label = markup('question');
  const { pk, account } = await open({
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
    expect(await on.locator('img:not(.logo), a[href*=evil], [onerror]').count()).toBe(0);
  };
  await page.goto(`${account}#program=${pk}`);
  await tab(page, 'Apply').click();
  await shows(page, markup('text'), `${label} (optional)`);
  const names = { first_name: markup('name'), last_name: 'Novak' };
  await page.goto(await linkOf(pk, { ...names, answers: { a: markup('answer'), b: url } }));
  const texts = [`${markup('name')} Novak`, label, markup('answer'), url];
  await shows(page, ...texts);
  await button(page, 'Confirm the application').click();
  await page.getByText('Your application is confirmed, and').waitFor();
});

test.each([
  [320, 'dark'],
  [1280, 'light'],
] as const)('at %i px, %s, the keyboard suffices, and axe finds no fault', async (width, colorScheme) => {
  const options: BrowserContextOptions = { viewport: { width, height: 800 }, colorScheme, bypassCSP: true };
  const { pk, account } = await open(TERMS);
  const email = newAddress();
  const page = await service.newPage(options);
  const isClean = async (on: Page) => {
    expect(await violations(on)).toEqual([]);
    expect(await on.evaluate('document.documentElement.scrollWidth')).toBe(width);
  };
  await page.goto(`${account}#program=${pk}`);
  await reach(page, 'Sign in');
  await page.keyboard.press('ArrowRight');
  await heading(page, 'Become an advocate of Beans & Co').waitFor();
  await isClean(page);
  const reached: unknown[] = [];
  do {
    await page.keyboard.press('Tab');
    reached.push(await page.evaluate(FOCUSED));
  } while (reached.at(-1) !== 'Send application');
  expect(reached).toEqual([
    ...['Email', 'First name (optional)', 'Last name (optional)', 'Your website'],
    ...['Who reads you?Choose …Few peopleMany people', 'Why? (optional)'],
    ...['Terms of the program (opens in a new tab)', 'I accept the terms', 'Send application'],
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
});

test('the form shows refusals beside it, an ended link offers the form again, and a closed program offers no form', async () => {
  const { pk, token, account } = await open({ application_fields: [] });
  const body = { email: newAddress(), answers: {} };
  const ended = await linkOf(pk, body);
  await service.call('/v2/applications', { pk, ...body });
  const page = await service.newPage();
  await page.goto(`${account}#program=${pk}`);
  await tab(page, 'Apply').click();
  await box(page, 'Email').fill(newAddress());
  const tooMany = { 'x-error-code': 'too_many_applications', 'retry-after': '3600' };
  const refused = { status: 429, headers: tooMany, json: { error: 'Too many people apply.' } };
  const traps: string[] = [];
  const setTrap = (text: string) => page.evaluate(`document.querySelector('[name=leave_empty]').value = '${text}'`);
  await setTrap('by a robot');
  await page.route('**/v2/applications', (route) => {
    traps.push(route.request().postDataJSON().leave_empty);
    return route.fulfill(refused);
  });
  await button(page, 'Send application').click();
  await alert(page, 'Too many people apply.').waitFor();
  expect(traps).toEqual(['by a robot']);
  await setTrap('');
  await page.unroute('**/v2/applications');
  // The program asks something else since the page was opened.
  await open({}, (await service.call<{ id: string }>('/v2/program', undefined, token)).id);
  await button(page, 'Send application').click();
  await alert(page, 'The program has changed its form.').waitFor();
  await box(page, 'Your website').fill('https://mira.example');
  await page.getByLabel('Who reads you?').selectOption('Few people');
  await button(page, 'Send application').click();
  await sent(page).waitFor();
  await page.goto(ended);
  await alert(page, 'This link no longer works').waitFor();
  await button(page, 'Apply again').click();
  await box(page, 'Your website').waitFor();

  await service.call('/v2/program/people', { applications: 'closed' }, token, 'PATCH');
  await page.goto('about:blank');
  const closed = page.waitForResponse(`**/v2/apply/${pk}`);
  await page.goto(`${account}#program=${pk}`);
  expect((await closed).status()).toBe(403);
  await box(page, 'Email').waitFor();
  expect(await page.getByRole('tab').count()).toBe(0);
});

test('signing in shows name, logo and color of a program that takes applications', async () => {
  const { token, pk, account } = await open();
  await service.call('/v2/program/logo', { image: PICTURE }, token, 'PUT');
  await service.call('/v2/program', { accent: '#0b6e4f' }, token, 'PATCH');
  const page = await service.newPage();
  await page.goto(`${account}#program=${pk}`);
  await heading(page, 'Sign in to Beans & Co').waitFor();
  await page.locator(`img[src^="v2/logo/${pk}?v="]`).waitFor();
  expect(await page.evaluate('document.documentElement.style.getPropertyValue("--accent")')).toContain('#0b6e4f');
});

test('signing in says that nothing answers, or that the service fails, and recovers', async () => {
  const { pk, account } = await open();
  const page = await service.newPage();
  const path = `**/v2/apply/${pk}`;
  await page.route(path, (route) => route.fulfill({ status: 500, json: { error: 'Out of order.' } }));
  await page.goto(`${account}#program=${pk}`);
  await alert(page, 'Out of order.').waitFor();
  await box(page, 'Email').waitFor();
  await page.unroute(path);
  await page.route(path, (route) => route.abort());
  await button(page, 'Try again').click();
  await alert(page, 'No connection').waitFor();
  await page.unroute(path);
  await button(page, 'Try again').click();
  await tab(page, 'Apply').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});
