import { afterEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { copyWith } from '../support/browser/chromium.ts';
import { dialog, field, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { region, rowsOf } from '../support/browser/portal-page.ts';
import { newId } from '../support/program.ts';

const service = useDashboardPages();
afterEach(() => expect(service.complaints).toEqual([]));

const ALL = ['read', 'track', 'advocates', 'payouts', 'admin'];
/** The sections that every deployment has. */
const OF_PROGRAM = ['Program', 'Commission', 'Payouts', 'Portal', 'Brand'];

/** Opens a section of a new program. Returns its token and its public key. */
async function opened(page: Page, section: string, scopes: readonly string[] = ALL) {
  const program = await service.aProgram();
  const token = await service.tokenOf(program, ...scopes);
  await service.open(page, token, `#/settings/${section}`);
  return { token, pk: `pk_${program.replaceAll('-', '')}` };
}

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const choice = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
const checkbox = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });
const sections = (page: Page) => page.getByRole('navigation', { name: 'Settings' });
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved.' }).last();

test('the form for applications is edited, and its link opens it', async () => {
  const page = await service.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  const { token, pk } = await opened(page, 'applications');
  await choice(page, 'Applications').selectOption('You approve each one');
  await box(page, 'Text above the form').fill('Earn 20%.\nFor a year.');
  const question = (position: number) => page.getByRole('group', { name: `Question ${position}`, exact: true });
  await button(page, 'Add question').click();
  await question(1).getByRole('textbox', { name: 'Question' }).fill('Your website');
  await question(1).getByRole('combobox', { name: 'Answer' }).selectOption('Web address');
  await question(1).getByRole('checkbox', { name: 'Required' }).check();
  await button(page, 'Add question').click();
  await question(2).getByRole('textbox', { name: 'Question' }).fill('Wer liest „dich“?');
  await question(2).getByRole('combobox', { name: 'Answer' }).selectOption('Choice');
  await question(2).getByRole('textbox', { name: 'Options, one on each line' }).fill('Few people\nMany people\n');
  await question(2).getByRole('button', { name: 'Move up' }).click();
  await button(page, 'Save').click();
  await saved(page).waitFor();
  type Form = { attributes: object };
  const form = await service.call<Form>(`/v2/apply/${pk}`, undefined, token);
  const [few, many] = ['Few people', 'Many people'];
  expect(form.attributes).toMatchObject({
    apply_text: 'Earn 20%.\nFor a year.',
    application_fields: [
      { key: 'wer_liest_dich', label: 'Wer liest „dich“?', kind: 'choice', required: false, options: [few, many] },
      { key: 'your_website', label: 'Your website', kind: 'url', required: true, options: [] },
    ],
  });
  // A question keeps the name of its answers.
  await question(1).getByRole('textbox', { name: 'Question' }).fill('Who reads you?');
  const changed = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await button(page, 'Save').click();
  expect((await changed).request().postDataJSON().application_fields[0]).toMatchObject({ key: 'wer_liest_dich' });
  const link = await copyWith(button(page, 'Copy application link'));
  expect(link).toBe(`${service.url()}/account#program=${pk}`);
});

test('a member is invited by email, gets other scopes, and is removed after a question that names the person', async () => {
  const page = await service.newPage();
  const { token } = await opened(page, 'people');
  const owner = `${newId()}@beans.example`;
  await service.call('/v2/members', { email: owner, name: 'Olga Owner', scopes: ALL }, token);
  await button(page, 'Invite member').click();
  const email = `${newId()}@beans.example`;
  await field(page, 'Invite member', 'Email').fill(email);
  await field(page, 'Invite member', 'Name').fill('Sam Field');
  await checkbox(page, 'See everything but tokens').uncheck();
  await dialog(page, 'Invite member').getByRole('button', { name: 'Save' }).click();
  await dialog(page, 'Invite member').getByText('Scopes need at least one choice').waitFor();
  await checkbox(page, 'See everything but tokens').check();
  await checkbox(page, 'Pay out, add bonuses and corrections').check();
  await dialog(page, 'Invite member').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').getByText(`${email} gets an email`).waitFor();
  await rowsOf(page, 'Members').filter({ hasText: email }).getByText('see everything, pay out').waitFor();
  await service.linkTo(email, 'program');

  const act = async (action: string) => {
    await button(page, 'Actions for Sam Field').click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await act('Change scopes');
  await checkbox(page, 'Pay out, add bonuses and corrections').uncheck();
  await dialog(page, 'Change scopes').getByRole('button', { name: 'Save' }).click();
  await rowsOf(page, 'Members').filter({ hasText: 'Sam Field' }).getByText('see everything', { exact: true }).waitFor();
  await act('Remove member');
  await dialog(page, 'Remove member').getByText('Sam Field is signed out within 30 seconds').waitFor();
  await dialog(page, 'Remove member').getByRole('button', { name: 'Remove member' }).click();
  await rowsOf(page, 'Members').filter({ hasText: 'Sam Field' }).waitFor({ state: 'detached' });
  await button(page, 'Actions for Olga Owner').click();
  await page.getByRole('menuitem', { name: 'Remove member' }).click();
  await dialog(page, 'Remove member').getByRole('button', { name: 'Remove member' }).click();
  await dialog(page, 'Remove member').getByRole('alert').waitFor();
  expect(await service.call<object[]>('/v2/members', undefined, token)).toHaveLength(1);
});

test('each email has a preview with its paragraph, and some are switched off', async () => {
  const page = await service.newPage();
  const { token } = await opened(page, 'emails');
  await box(page, 'Postal address').fill('Beans & Co, 1 High Street');
  await checkbox(page, 'Payout recorded').uncheck();
  await button(page, 'Payout recorded').click();
  await region(page, 'Email preview').getByText('Your payout from Beans').waitFor();
  await box(page, 'Paragraph').fill('Thank you, {name}!');
  await button(page, 'Save').click();
  await page.getByText('Paragraph must contain braces only in the placeholders').first().waitFor();
  await box(page, 'Paragraph').fill('Thank you for recommending {program}!');
  await button(page, 'Save').click();
  await region(page, 'Email preview').getByText('Thank you for recommending Beans').waitFor();
  await region(page, 'Email preview').getByText('1 High Street').waitFor();
  type People = { attributes: object };
  expect((await service.call<People>('/v2/program/people', undefined, token)).attributes).toMatchObject({
    postal_address: 'Beans & Co, 1 High Street',
    emails_off: ['settled'],
    email_texts: { settled: 'Thank you for recommending {program}!' },
    reply_to: null,
  });
});

test('a deployment without emails leaves out three sections, and says which setting adds them', async () => {
  const page = await service.newPage();
  const missing = { status: 404, json: { message: 'Not Found' } };
  await page.route('**/v2/program/people', (route) => route.fulfill(missing));
  await opened(page, 'people');
  await page.getByText('Applications, People and Emails need a deployment with emails=on.').waitFor();
  const names = await sections(page).getByRole('link').allTextContents();
  expect(names).toEqual(OF_PROGRAM);
  await box(page, 'Site URL').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a token without the scope sees the settings, is told which scope is missing, and changes nothing', async () => {
  const page = await service.newPage();
  await opened(page, 'program', ['read', 'payouts']);
  await page.getByText('Changes need the scope “admin”.').waitFor();
  expect(await box(page, 'Name').inputValue()).toBe('Beans & Co');
  expect(await box(page, 'Name').isDisabled()).toBe(true);
  expect(await button(page, 'Save').count()).toBe(0);
  // Nothing in them could be read.
  expect(await sections(page).getByRole('link').allTextContents()).toEqual(OF_PROGRAM);
  for (const name of OF_PROGRAM) {
    await sections(page).getByRole('link', { name }).click();
    await sections(page).locator('[aria-current=page]', { hasText: name }).waitFor();
    const buttons = page.getByRole('button', { name: /^(?:Add|Choose|Invite)/ }).or(button(page, 'Save'));
    // The scope payouts changes the account that pays.
    expect(await buttons.count()).toBe(name === 'Payouts' ? 1 : 0);
    await page.getByText('Changes need the scope “admin”.').waitFor();
  }
});
