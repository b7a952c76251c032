import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { copyWith } from '../support/browser/chromium.ts';
import { useDashboardPages } from '../support/browser/dashboard-page.ts';
import { numberIn, numberOf, region, rowsOf } from '../support/browser/portal-page.ts';
import { newId } from '../support/program.ts';

const service = useDashboardPages();
afterEach(() => expect(service.complaints).toEqual([]));

const DAY = 86_400_000;
const shortDay = (time: number) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(time);
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });

/** A program with settings, and an advocate of it whose customers pay. */
async function programWith(settings: object, account: object = {}) {
  const program = await service.tokenOf(await service.aProgram(), 'read', 'track', 'advocates', 'payouts', 'admin');
  await service.call('/v2/program', settings, program, 'PATCH');
  const slug = await service.advocateOf(program, { first_name: 'Ada', ...account });
  type Token = { attributes: { token: string } };
  const created = await service.call<Token>(`/v2/advocates/${slug}/tokens`, {}, program);
  const id = await service.referralOf(program, slug);
  return {
    token: created.attributes.token,
    /** The commission is 20%. */
    pay: (amount: number, paid_at: number = Date.now()) => {
      const payment = { id, payment_id: newId(), amount, currency: 'eur', paid_at: Math.floor(paid_at / 1000) };
      return service.call('/v2/payments', payment, program);
    },
    settle: (payout: object) => {
      const settlement = { affiliate_slug: slug, settlement_id: newId(), currency: 'eur', ...payout };
      return service.call('/v2/settlements', settlement, program);
    },
    /** Corrects the balance in dollars. */
    correct: (commission: number) => {
      const correction = {
        affiliate_slug: slug,
        adjustment_id: newId(),
        commission,
        currency: 'usd',
        note: 'Mistaken',
      };
      return service.call('/v2/adjustments', correction, program);
    },
  };
}

async function opened(token: string): Promise<Page> {
  const page = await service.newPage({ timezoneId: 'UTC' });
  await service.openPortal(page, token);
  await numberIn(page, 'Next payout').waitFor();
  return page;
}

test('a new advocate gets the link, what it earns, and three ways to share it, until somebody follows it', async () => {
  const { slug, token } = await service.anAdvocate({ commission_percentage: 25 });
  const page = await service.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  await service.openPortal(page, token);
  await page.getByText('You earn 25% of each payment for 12 months.').waitFor();
  const link = `https://northwind.example/?via=${slug}`;
  const mail = await page.getByRole('link', { name: 'Email a friend' }).getAttribute('href');
  expect(decodeURIComponent(mail ?? '')).toContain(link);
  expect(await copyWith(page.getByRole('button', { name: 'Copy text' }))).toContain(link);
  await page.getByRole('button', { name: 'Show the code' }).click();
  await page.getByRole('img', { name: 'QR code of your link' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await group(page, 'Next payout').count()).toBe(0);
  await service.click(slug);
  await service.counted(token, { clicks: 1 });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await numberOf(page, 'Clicks').getByText('1', { exact: true }).waitFor();
});

test('what is on hold has the day on which its first part is due, and does not count as the next payout', async () => {
  const { pay, token } = await programWith({ payable_after_days: 30 });
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  await pay(10_000, today - 40 * DAY);
  await pay(5000);
  const page = await opened(token);
  expect(await numberIn(page, 'Next payout').textContent()).toBe('€20.00');
  expect(await numberIn(page, 'On hold').textContent()).toBe('€10.00');
  await group(page, 'On hold')
    .getByText(`first part due ${shortDay(today + 30 * DAY)}, for the payout after that`)
    .waitFor();
});

test('a payment that is recorded late is on hold from the day on which it happened', async () => {
  const { pay, token } = await programWith({ payable_after_days: 30, payout_day: 5 });
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  await pay(5000);
  await pay(5000, today - 25 * DAY);
  const page = await opened(token);
  const due = new Date(today + 5 * DAY);
  const payout = Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + (due.getUTCDate() > 5 ? 1 : 0), 5);
  await group(page, 'On hold')
    .getByText(`first part due ${shortDay(due.getTime())}, for the payout of ${shortDay(payout)}`)
    .waitFor();
});

test('a range without visitors has one sentence and one action, which is another one for 12 months', async () => {
  const { slug, token } = await service.anAdvocate();
  for (const [commission, eur] of [
    [100, 100],
    [-100, 0],
  ] as const) {
    const correction = { affiliate_slug: slug, adjustment_id: newId(), commission, currency: 'eur', note: 'Mistaken' };
    await service.call('/v2/adjustments', correction);
    await service.counted(token, {}, { eur });
  }
  const page = await opened(token);
  const numbers = page.getByRole('region', { name: 'Numbers' });
  await numbers.getByText('Nobody has followed your link in this range.').waitFor();
  await numbers.getByRole('button', { name: 'Show 12 months' }).click();
  await numbers.getByRole('link', { name: 'Share your link' }).waitFor();
  expect(await numbers.getByRole('figure').count()).toBe(0);
});

test('a device that can share has a button for it', async () => {
  const { token, slug } = await service.anAdvocate();
  const page = await service.newPage();
  await page.addInitScript('navigator.share = async ({ url }) => { globalThis.shared = url; }');
  await service.openPortal(page, token);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.waitForFunction(`globalThis.shared === 'https://northwind.example/?via=${slug}'`);
});

test('the next payout has its date, and says that the account is missing or the amount is below the minimum', async () => {
  const settings = { payout_day: 5, minimum_payout: { eur: 5000 } };
  const poor = await programWith(settings, { payout_method: 'paypal', payout_account: 'ada@pay.example' });
  await poor.pay(20_000);
  const date = new Date();
  const months = date.getUTCMonth() + (date.getUTCDate() > 5 ? 1 : 0);
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    Date.UTC(date.getUTCFullYear(), months, 5),
  );
  const below = await opened(poor.token);
  await group(below, 'Next payout').getByText('Below the minimum of €50.00').waitFor();
  await group(below, 'Next payout').getByText(`on ${day}`).waitFor();
  const rich = await programWith(settings);
  await rich.pay(30_000);
  await group(await opened(rich.token), 'Next payout')
    .getByText('A payout account is missing')
    .waitFor();
});

test('an amount that is below zero in one currency does not hide what another one lacks', async () => {
  const { pay, correct, token } = await programWith({ minimum_payout: { eur: 5000 } });
  await pay(20_000);
  await correct(-100);
  await group(await opened(token), 'Next payout')
    .getByText('Below the minimum of €50.00')
    .waitFor();
});

test('the next payout leads to the customers behind it', async () => {
  const { pay, token } = await programWith({});
  await pay(20_000);
  const page = await opened(token);
  await group(page, 'Next payout').getByRole('link', { name: 'Customers behind €40.00' }).click();
  await page.getByRole('button', { name: 'Customers behind €40.00' }).waitFor();
});

test('payouts have a column for references only if one has a reference', async () => {
  const { pay, settle, token } = await programWith({});
  await pay(20_000);
  await settle({ amount: 1000 });
  const page = await service.newPage();
  await service.openPortal(page, token, 'earnings');
  await rowsOf(page, 'Payouts').nth(1).waitFor();
  const heading = page.getByRole('columnheader', { name: 'Reference' });
  expect(await heading.count()).toBe(0);
  await settle({ amount: 500, reference: 'Transfer 7' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await heading.waitFor();
});

test('a customer who came without a label or a code came over the link itself', async () => {
  const { slug, token } = await service.anAdvocate();
  const uid = await service.signUp(await service.click(slug));
  const page = await service.newPage();
  await service.openPortal(page, token, 'referrals');
  await rowsOf(page, 'Referrals').filter({ hasText: uid }).getByText('Your link', { exact: true }).waitFor();
});

test.each([
  [3, 'The 3rd of each month'],
  [12, 'The 12th of each month'],
])('the terms say the payout day %i as %j', async (payout_day, sentence) => {
  const { token } = await programWith({ payout_day });
  const page = await service.newPage();
  await service.openPortal(page, token, 'account');
  await region(page, 'Terms').getByText(sentence).waitFor();
});

test('a customer who pays signed up on the day of the sign-up, not of the visit or the payment', async () => {
  const program = await service.aProgram();
  const merchant = await service.tokenOf(program, 'read', 'advocates');
  const slug = await service.advocateOf(merchant);
  const times = ['2025-01-02', '2025-01-05', '2025-02-01'].map((day) => `${day}T12:00:00Z`);
  const file = join(service.folder(), `${slug}.csv`);
  await writeFile(
    file,
    `advocate_slug,email,state,created_at,converted_at,state_set_at\n${slug},ann@shop.example,paid,${times}\n`,
  );
  await service.admin('referral', 'import', '--program', program, '--file', file);
  type Token = { attributes: { token: string } };
  const { attributes } = await service.call<Token>(`/v2/advocates/${slug}/tokens`, {}, merchant);
  const page = await service.newPage({ timezoneId: 'UTC' });
  await service.openPortal(page, attributes.token, 'referrals');
  await rowsOf(page, 'Referrals').filter({ hasText: 'ann@shop.example' }).getByText('Jan 5, 2025').waitFor();
});

test('a window of its own has the accent of the program', async () => {
  const { token, pay } = await programWith({ accent: '#0a7d5a' });
  await pay(1000);
  const page = await opened(token);
  await page.getByText('Beans & Co', { exact: true }).waitFor();
  await page.waitForFunction("document.documentElement.style.getPropertyValue('--accent').includes('#0a7d5a')");
});

test('on a phone, the first screen has the link, the next payout and two numbers, and each list begins in sight', async () => {
  const { slug, token } = await service.anAdvocate({ commission_percentage: 20 });
  for (let count = 0; count < 6; count += 1) {
    await service.pay(await service.signUp(await service.click(slug, `label-${count}`)), 5000);
  }
  await service.counted(token, { clicks: 6, paying: 6 });
  const page = await service.newPage({ viewport: { width: 390, height: 844 } });
  await service.openPortal(page, token);
  await rowsOf(page, 'Latest referrals').nth(4).waitFor();
  await rowsOf(page, 'Best links').nth(4).waitFor();
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(1800);
  const bar = (await page.getByRole('navigation', { name: 'Main' }).boundingBox())?.y ?? 0;
  for (const shown of [
    page.getByRole('button', { name: 'Copy link' }),
    numberIn(page, 'Next payout'),
    ...['Earned in total', 'Paid in total'].map((name) => numberIn(page, name)),
    ...['Earned', 'Clicks'].map((name) => numberOf(page, name)),
  ]) {
    const { y = 844, height = 0 } = (await shown.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(bar);
  }
  // The advocate's own part of a link that is wider than its field is in sight.
  expect(
    await page
      .getByRole('textbox', { name: 'Your link' })
      .evaluate((field) => [getComputedStyle(field).direction, field.scrollLeft]),
  ).toEqual(['rtl', 0]);
  for (const list of ['Links', 'Referrals']) {
    await page.getByRole('link', { name: list, exact: true }).click();
    await rowsOf(page, list).nth(6).waitFor();
    const row = await rowsOf(page, list).nth(1).boundingBox();
    expect(row?.y).toBeLessThanOrEqual(260);
    expect(row?.height).toBeGreaterThanOrEqual(48);
    expect(row?.height).toBeLessThanOrEqual(68);
  }
  await page.getByRole('combobox', { name: 'State' }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'State' }).selectOption('Cancelled');
  await page.getByText('No referrals match the filters.').waitFor();
});

test('an entry of a customer who moved to another advocate says so', async () => {
  const [{ slug, token }, other] = [
    await service.anAdvocate({ commission_percentage: 20 }),
    await service.anAdvocate(),
  ];
  const uid = await service.signUp(await service.click(slug));
  await service.pay(uid, 5000);
  await service.call('/v2/tracking/reassign', { uid, affiliate_slug: other.slug });
  const page = await service.newPage();
  await service.openPortal(page, token, 'earnings');
  await region(page, 'Statements').getByRole('table').getByRole('button').click();
  await rowsOf(page, 'Entries').getByText('– (moved to another advocate, or too long ago)').waitFor();
});

test('a range with too many visitors to count says why its links are left out, and is no error', async () => {
  const { slug, token } = await service.anAdvocate();
  await service.click(slug);
  await service.counted(token, { clicks: 1 });
  const page = await service.newPage();
  await page.route('**/v2/affiliate/referrals/counts?*', (route) =>
    route.fulfill({ status: 400, headers: { 'x-error-code': 'range_too_large' }, json: { error: 'Too many.' } }),
  );
  await service.openPortal(page, token);
  const reason = 'The range has too many visitors to list them by link.';
  await region(page, 'Best links').getByText(reason).waitFor();
  await page.getByRole('link', { name: 'Links', exact: true }).click();
  await region(page, 'Links').getByText(reason).waitFor();
  await page.getByRole('button', { name: 'New link' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a page that an account of another site opens says who can change the name and the payout account', async () => {
  const { token } = await service.anAdvocate();
  const page = await service.newPage();
  await service.openPortal(page, token, 'account');
  const { name } = (await service.call<{ attributes: { name: string } }>('/v2/program')).attributes;
  await region(page, 'You').getByText(`${name} keeps these. Ask them to change something.`).waitFor();
});
