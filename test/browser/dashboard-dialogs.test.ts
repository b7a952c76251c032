import { expect, test } from '@jest/globals';
import { dialog, field } from '../support/browser/dashboard-page.ts';
import { ADA, usePayoutPages } from '../support/browser/payouts-page.ts';

const dashboard = usePayoutPages();
const { earners, earn } = dashboard;

test('a dialog asks before it loses what was typed, however often Escape is pressed', async () => {
  const { token, slug } = await earners(ADA);
  const page = await dashboard.newPage();
  const questions: string[] = [];
  let answer = false;
  page.on('dialog', (question) => {
    questions.push(question.message());
    void (answer ? question.accept() : question.dismiss());
  });
  await dashboard.open(page, token, `#/advocates/${slug}`);
  const name = 'Add bonus or correction';
  const add = page.getByRole('button', { name });
  await add.click();
  await dialog(page, name).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page, name).waitFor({ state: 'detached' });
  await add.click();
  await field(page, name, 'Note').fill('Thanks');
  for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
  await dialog(page, name).getByRole('button', { name: 'Close' }).click();
  await dialog(page, name).waitFor();
  expect(await field(page, name, 'Note').inputValue()).toBe('Thanks');
  expect(questions.length).toBeGreaterThanOrEqual(2);
  expect(new Set(questions)).toEqual(new Set(['Leave without saving? Your changes are lost.']));
  answer = true;
  await page.keyboard.press('Escape');
  await dialog(page, name).waitFor({ state: 'detached' });
  expect(dashboard.complaints).toEqual([]);
});

test('a form with an amount waits for the currencies of the balances, and asks about one that it cannot know', async () => {
  const { token, slug } = await earners(ADA);
  const page = await dashboard.newPage();
  page.on('dialog', (question) => void question.accept());
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/v2/balances', async (route) => {
    await released;
    await route.fulfill({ status: 404, json: {} });
  });
  await dashboard.open(page, token, `#/advocates/${slug}`);
  const name = 'Add bonus or correction';
  const question = dialog(page, name).getByRole('checkbox', { name: 'This opens a second balance in EUR.' });
  const save = () => dialog(page, name).getByRole('button', { name: 'Save' }).click();
  const saveEarly = async () => {
    await page.getByRole('button', { name }).click();
    await field(page, name, 'Amount').fill('3');
    await field(page, name, 'Currency').fill('eur');
    await field(page, name, 'Note').fill('Thanks');
    await save();
    expect(await question.count()).toBe(0);
  };
  await saveEarly();
  await page.keyboard.press('Escape');
  await dialog(page, name).waitFor({ state: 'detached' });
  await saveEarly();
  release();
  await question.and(page.locator(':invalid:focus')).check();
  await page.unroute('**/v2/balances');
  await dialog(page, name).getByRole('button', { name: 'Try again' }).click();
  await dialog(page, name).getByRole('alert').waitFor({ state: 'detached' });
  // Only another press submits the form.
  await field(page, name, 'Amount').fill('4');
  await save();
  await dialog(page, name).waitFor({ state: 'detached' });
  await page.getByRole('group', { name: 'Due' }).getByText('€4.00').waitFor();
});

test('a second currency is asked about although the totals do not count the first payment yet, and the first is not', async () => {
  const { token } = await earners();
  const slug = await dashboard.advocateOf(token, ADA);
  const page = await dashboard.newPage();
  page.on('dialog', (question) => void question.accept());
  let before: object | undefined;
  await page.route('**/v2/balances', async (route) => {
    const response = await route.fetch();
    before ??= await response.json();
    const { 'x-request-id': id = '' } = response.headers();
    await route.fulfill({ headers: { 'x-request-id': id }, json: before });
  });
  await dashboard.open(page, token, `#/advocates/${slug}`);
  const name = 'Add bonus or correction';
  const currency = field(page, name, 'Currency');
  const question = dialog(page, name).getByRole('checkbox', { name: /^This opens a second balance/ });
  await page.getByRole('button', { name }).click();
  await currency.fill('eur');
  await question.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await earn(token, slug, 10_000);
  await page.getByRole('button', { name }).click();
  await currency.fill('usd');
  await question.waitFor({ state: 'detached' });
  await currency.fill('eur');
  await question.waitFor();
});

test('the dialog that withdraws a commission says how much of it refunds have left, and Enter in a field submits nothing', async () => {
  const { token, slug } = await earners(ADA);
  const email = 'hana@customer.example';
  const id = await dashboard.referralOf(token, slug, { email });
  await dashboard.call('/v2/payments', { id, payment_id: 'in_1', amount: 10_000, currency: 'usd' }, token);
  await dashboard.call('/v2/refunds', { payment_id: 'in_1', refund_id: 're_1', amount: 4000 }, token);
  const page = await dashboard.newPage();
  page.on('dialog', (question) => void question.accept());
  await dashboard.open(page, token, `#/referrals/${id}`);
  await page.getByRole('button', { name: 'Withdraw commission' }).click();
  await dialog(page, 'Withdraw commission').getByText('what is left of $20.00: $12.00.').waitFor();
  await field(page, 'Withdraw commission', 'Note').fill('A mistake');
  await field(page, 'Withdraw commission', 'Note').press('Enter');
  await dialog(page, 'Withdraw commission').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Erase' }).click();
  await field(page, 'Erase', 'Type erase to confirm').fill('erase');
  await field(page, 'Erase', 'Type erase to confirm').press('Enter');
  await dialog(page, 'Erase').getByRole('button', { name: 'Close' }).click();
  await dialog(page, 'Erase').waitFor({ state: 'detached' });
  const kinds = await dashboard.call<{ attributes: { kind: string } }[]>(
    '/v2/ledger?payment_id_eq=in_1',
    undefined,
    token,
  );
  expect(kinds.map(({ attributes }) => attributes.kind)).toEqual(['refund', 'payment']);
  const referral = await dashboard.call<{ attributes: { email: string } }>('/v2/referrals/lookup', { id }, token);
  expect(referral.attributes.email).toBe(email);
});
