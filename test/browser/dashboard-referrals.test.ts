import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dialog, field } from '../support/browser/dashboard-page.ts';
import { region, rowsOf } from '../support/browser/portal-page.ts';
import { closed, drawer, pressIn, row, useReferralPages } from '../support/browser/referrals.ts';

const dashboard = useReferralPages();

async function change(page: Page, name: string): Promise<void> {
  await pressIn(page, 'Referral', 'Change');
  await page.getByRole('menuitem', { name, exact: true }).click();
}

async function setState(page: Page, state: string): Promise<void> {
  await change(page, 'Change state');
  const group = dialog(page, 'Change state').getByRole('radiogroup', { name: 'New state' });
  await group.getByRole('radio', { name: state, exact: true }).check();
  await pressIn(page, 'Change state', 'Save');
}

test('a referral is rejected, restored, paid, moved and erased, and its commission is withdrawn', async () => {
  const { token, ada, bob } = await dashboard.twoAdvocates();
  const id = await dashboard.referralOf(token, ada, { email: 'ana@shop.example', metadata: { plan: 'pro' } });
  const page = await dashboard.opened(token, `#/referrals/${id}`);
  await drawer(page).getByText('pro', { exact: true }).waitFor();
  await drawer(page).getByText('20% of each payment').waitFor();
  await change(page, 'Change state');
  expect(await dialog(page, 'Change state').getByRole('radio', { checked: true }).count()).toBe(0);
  await pressIn(page, 'Change state', 'Close');
  await setState(page, 'Rejected');
  await row(page, 'History', 'Rejected').waitFor();
  await setState(page, 'Cancelled');
  await dialog(page, 'Change state').getByRole('alert').waitFor();
  await pressIn(page, 'Change state', 'Close');
  await setState(page, 'Signed up');
  await row(page, 'History', 'Signed up').waitFor();

  await change(page, 'Record payment');
  expect(await field(page, 'Record payment', 'Currency').inputValue()).toBe('');
  await field(page, 'Record payment', 'Payment id').fill('in_1');
  await field(page, 'Record payment', 'Amount').fill('1000');
  await field(page, 'Record payment', 'Currency').fill('JPY');
  await pressIn(page, 'Record payment', 'Save');
  await closed(page, 'Record payment');
  await row(page, 'Entries', 'in_1').filter({ hasText: '¥200' }).filter({ hasText: '20%' }).waitFor();
  await pressIn(page, 'Referral', 'Withdraw commission');
  await dialog(page, 'Withdraw commission').getByText('what is left of ¥200').waitFor();
  await field(page, 'Withdraw commission', 'Note').fill('The card was stolen');
  await pressIn(page, 'Withdraw commission', 'Withdraw commission');
  await closed(page, 'Withdraw commission');
  await row(page, 'Entries', 'The card was stolen').filter({ hasText: '-¥200' }).waitFor();
  expect(await drawer(page).getByRole('button', { name: 'Withdraw commission' }).count()).toBe(0);

  await change(page, 'Move');
  await field(page, 'Move', 'New advocate').fill('bo');
  await dialog(page, 'Move').getByRole('option').filter({ hasText: 'Bob' }).click();
  await pressIn(page, 'Move', 'Save');
  await closed(page, 'Move');
  await row(page, 'History', `Moved from ${ada} to ${bob}`).waitFor();
  await row(page, 'Entries', `for ${ada}`).nth(1).waitFor();

  await change(page, 'Erase');
  await field(page, 'Erase', 'Type erase to confirm').fill('erased');
  await pressIn(page, 'Erase', 'Erase');
  await dialog(page, 'Erase').getByRole('alert').waitFor();
  await field(page, 'Erase', 'Type erase to confirm').fill('erase');
  await pressIn(page, 'Erase', 'Erase');
  await row(page, 'History', 'The customer was erased').waitFor();
  await pressIn(page, 'Referral', 'Close');
  await row(page, 'Referrals', 'Erased').waitFor();
  expect(new URL(page.url()).hash).toBe('#/referrals');
  expect(dashboard.complaints).toEqual([]);
});

test('a referral, a payment and a withdrawal whose responses are lost are written once', async () => {
  const { token, ada } = await dashboard.twoAdvocates();
  const page = await dashboard.opened(token);
  const lost: string[] = [];
  await page.route(/\/v2\/(?:tracking\/conversion|payments|payments\/void)$/, async (route) => {
    const url = route.request().url();
    if (lost.includes(url)) return route.continue();
    lost.push(url);
    await route.fetch();
    await route.abort();
  });
  const saveTwice = async (name: string, save = 'Save') => {
    await pressIn(page, name, save);
    await dialog(page, name).getByRole('alert').waitFor();
    await pressIn(page, name, save);
    await closed(page, name);
  };
  await page.getByRole('button', { name: 'Add referral' }).click();
  await field(page, 'New referral', 'Advocate').fill(ada);
  await field(page, 'New referral', 'Your id').fill('1001');
  await saveTwice('New referral');
  await change(page, 'Record payment');
  await field(page, 'Record payment', 'Payment id').fill('in_1');
  await field(page, 'Record payment', 'Amount').fill('10');
  await field(page, 'Record payment', 'Currency').fill('usd');
  await saveTwice('Record payment');
  await row(page, 'Entries', '$2.00').waitFor();
  await pressIn(page, 'Referral', 'Withdraw commission');
  await field(page, 'Withdraw commission', 'Note').fill('A mistake');
  await saveTwice('Withdraw commission', 'Withdraw commission');
  await row(page, 'Entries', 'A mistake').waitFor();
  expect(await rowsOf(page, 'Entries').count()).toBe(3);
  expect(await dashboard.call<object[]>('/v2/referrals', undefined, token)).toHaveLength(1);
  expect(lost).toHaveLength(3);
});

test('a referral says why it is of this advocate, and why not of another one', async () => {
  const { token, ada, bob } = await dashboard.twoAdvocates();
  await dashboard.call('/v2/codes/BOB10', { affiliate_slug: bob }, token, 'PUT');
  const customer = { affiliate_slug: ada, code: 'BOB10', email: 'ana@shop.example' };
  const { id } = await dashboard.call<{ id: string }>('/v2/tracking/conversion', customer, token);
  const page = await dashboard.opened(token, `#/referrals/${id}`);
  const why = region(page, 'Why this advocate');
  await why.getByText(`Credited to ${ada}`, { exact: true }).waitFor();
  await why.getByText(/: signed up, credited to ada/).waitFor();
  await why.getByText(`The code BOB10 of this customer was of ${bob}. Your server named the advocate.`).waitFor();
  await why.getByRole('button', { name: 'Why not another advocate?' }).click();
  await why.getByRole('textbox').fill(bob);
  await why.getByRole('button', { name: 'Explain' }).click();
  await why.getByText('Move the referral if that is wrong.').waitFor();
});

test('ids, notes and fields full of code are shown as text', async () => {
  const hostile = ['<img src=x onerror="document.title=1">', '=HYPERLINK("https://evil.example")', '😀'.repeat(60)];
  const { token } = await dashboard.twoAdvocates();
  const slug = await dashboard.advocateOf(token, { first_name: hostile[0] });
  for (const [index, text] of hostile.entries()) {
    await dashboard.referralOf(token, slug, { uid: text, sub_id: text, metadata: { [`f${index}`]: text } });
  }
  const page = await dashboard.opened(token);
  for (const text of hostile) await page.getByRole('link', { name: text, exact: true }).waitFor();
  await page.getByRole('link', { name: hostile[0] ?? '', exact: true }).click();
  await drawer(page).getByRole('heading', { name: 'Your fields' }).waitFor();
  await drawer(page).getByText('f0', { exact: true }).waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.title()).toBe('Referrals – Beans & Co');
  expect(dashboard.complaints).toEqual([]);
});
