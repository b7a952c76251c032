import { expect, test } from '@jest/globals';
import { advocateRow, button, hashOf, tab, told, useAdvocatePages } from '../support/browser/advocates.ts';
import { copyWith } from '../support/browser/chromium.ts';
import { dialog, field } from '../support/browser/dashboard-page.ts';
import { numberIn, rowsOf } from '../support/browser/portal-page.ts';
import { until } from '../support/until.ts';

const dashboard = useAdvocatePages();

test('one advocate is edited, gets a code, is signed out and erased, and its tabs say what it brought', async () => {
  const page = await dashboard.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  const token = await dashboard.aToken();
  const fields = { first_name: 'Jane', slug: 'jane', uid: 'partner-1', metadata: { tier: 'gold' } };
  await dashboard.advocateOf(token, fields);
  const read = () => dashboard.attributesOf(token, 'jane');
  const session = await dashboard.call<{ attributes: { token: string } }>('/v2/advocates/jane/tokens', {}, token);
  await dashboard.open(page, token, '#/advocates/jane');
  await button(page, 'Invite').click();
  await told(page, 'is on its way to').waitFor();
  await dashboard.customerOf(token, 'jane', 5000);
  type Statistics = { attributes: { total: { money: object[] } } };
  const counted = () => dashboard.call<Statistics>('/v2/statistics?range=lifetime', undefined, token);
  await until(async () => (await counted()).attributes.total.money.length > 0);
  await button(page, 'Refresh').click();
  await numberIn(page, 'Due').getByText('€10.00').waitFor();
  // Who earns something has been here.
  await button(page, 'Invite').waitFor({ state: 'detached' });
  await page.getByRole('tablist', { name: 'Numbers' }).waitFor();
  await rowsOf(page, 'Referrals').nth(1).filter({ hasText: 'Paying' }).waitFor();
  expect(await copyWith(button(page, 'Copy link').first())).toBe('https://beans.example/?via=jane');

  await button(page, 'Edit').click();
  await field(page, 'Advocate', 'Last name').fill('Doe');
  await field(page, 'Advocate', 'Commission').fill('101');
  await button(dialog(page, 'Advocate'), 'Save').click();
  await dialog(page, 'Advocate').getByRole('alert').filter({ hasText: 'from 0 to 100' }).waitFor();
  await field(page, 'Advocate', 'Commission').fill('12.5 %');
  await dashboard.call('/v2/advocates/jane', { company: 'Doe Inc' }, token, 'PATCH');
  await button(dialog(page, 'Advocate'), 'Save').click();
  await page.getByRole('heading', { name: 'Jane Doe' }).waitFor();
  expect(await read()).toMatchObject({ commission_percentage: 12.5, company: 'Doe Inc', uid: 'partner-1' });

  await tab(page, 'Entries').click();
  await rowsOf(page, 'Entries').filter({ hasText: 'Payment' }).filter({ hasText: '€10.00' }).waitFor();
  await tab(page, 'Links and codes').click();
  await button(page, 'Add code').click();
  await field(page, 'Add code', 'Code').fill('jane20');
  await button(dialog(page, 'Add code'), 'Save').click();
  await rowsOf(page, 'Codes').filter({ hasText: 'JANE20' }).filter({ hasText: 'Works' }).waitFor();
  await button(page, 'Turn off').click();
  await rowsOf(page, 'Codes').filter({ hasText: 'JANE20' }).filter({ hasText: 'Off' }).waitFor();
  await button(page, 'Undo').click();
  await rowsOf(page, 'Codes').filter({ hasText: 'Works' }).waitFor();

  await tab(page, 'Details').click();
  for (const text of ['partner-1', 'gold', '12.5%']) await page.getByText(text, { exact: true }).waitFor();
  await button(page, 'Change payout account').click();
  await dialog(page, 'Change payout account').getByLabel('Payout method').selectOption('PayPal');
  await field(page, 'Change payout account', 'Payout account').fill('jane@pay.example');
  await button(dialog(page, 'Change payout account'), 'Save').click();
  await page.getByText('PayPal: jane@pay.example').waitFor();
  await button(page, 'End sessions').click();
  await button(dialog(page, 'End sessions'), 'End sessions').click();
  await told(page, 'Jane Doe is signed out.').waitFor();
  // The service has not read this token before.
  const headers = { authorization: `Bearer ${session.attributes.token}` };
  expect((await fetch(`${dashboard.url()}/v2/affiliate`, { headers })).status).toBe(401);
  await page.getByRole('textbox', { name: 'Type erase to confirm' }).fill('erased');
  await button(page, 'Erase').click();
  await page.getByRole('alert').filter({ hasText: 'Type the word erase' }).waitFor();
  await page.getByRole('textbox', { name: 'Type erase to confirm' }).fill('erase');
  await page.keyboard.press('Enter');
  expect(await read()).toMatchObject({ first_name: 'Jane', active: true });
  await button(page, 'Erase').click();
  await told(page, 'The advocate is erased.').waitFor();
  await button(page, 'Edit').waitFor({ state: 'detached' });
  expect(await read()).toMatchObject({ email: null, first_name: null, uid: null, active: false });
  await page.getByRole('link', { name: 'All advocates' }).click();
  await advocateRow(page, 'Erased').waitFor();
  expect(await button(page, 'Actions for jane').count()).toBe(0);
});

test('a bonus whose response was lost is written once, and another currency is asked about first', async () => {
  const token = await dashboard.aToken();
  const slug = await dashboard.advocateOf(token, { first_name: 'Ada' });
  await dashboard.customerOf(token, slug, 5000);
  await dashboard.countedAll(token, 1);
  const page = await dashboard.newPage();
  await dashboard.open(page, token, `#/advocates/${slug}`);
  let tries = 0;
  await page.route('**/v2/adjustments', async (route) => {
    tries += 1;
    if (tries === 1) await route.fetch();
    await (tries === 1 ? route.abort() : route.continue());
  });
  const name = 'Add bonus or correction';
  const opens = async () => {
    await button(page, name).click();
    await dialog(page, name).locator('input').nth(1).and(page.locator(':valid')).waitFor();
  };
  await opens();
  const box = dialog(page, name);
  expect(await field(page, name, 'Currency').inputValue()).toBe('EUR');
  expect(await field(page, name, 'Amount').inputValue()).toBe('');
  await field(page, name, 'Amount').fill('-2.50');
  await box.getByText('Ada loses €2.50.').waitFor();
  await field(page, name, 'Note').fill('Counted twice');
  await button(box, 'Save').click();
  await box.getByText('It is not known whether this was recorded.').waitFor();
  await button(box, 'Save').click();
  await numberIn(page, 'Due').getByText('€7.50').waitFor();
  await opens();
  await field(page, name, 'Amount').fill('3');
  await field(page, name, 'Currency').fill('usd');
  await field(page, name, 'Note').fill('Welcome');
  await button(box, 'Save').click();
  await box.getByRole('checkbox', { name: 'This opens a second balance in USD.' }).check();
  await button(box, 'Save').click();
  await page.getByRole('group', { name: 'Due' }).getByText('$3.00').waitFor();
  await tab(page, 'Entries').click();
  await rowsOf(page, 'Entries').filter({ hasText: 'Welcome' }).waitFor();
  expect([tries, await rowsOf(page, 'Entries').filter({ hasText: 'Bonus or correction' }).count()]).toEqual([3, 2]);
  await button(page, 'Pay out').click();
  await page.getByRole('heading', { name: 'Payouts', exact: true }).waitFor();
  expect(hashOf(page)).toBe(`#/payouts?advocate=${slug}`);
});

/** The largest number of requests that the page had open at the same time. */
const MOST_TOGETHER = `(() => {
  const requests = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/v2/'));
  const openAt = (time) => requests.filter(({ startTime, responseEnd }) => startTime <= time && responseEnd > time);
  return Math.max(...requests.map(({ startTime }) => openAt(startTime).length));
})()`;

test('one advocate never needs more than 5 requests together, and is invited only while its link works', async () => {
  const token = await dashboard.aToken();
  await dashboard.call('/v2/groups/partners', { title: 'Partners', commission_percentage: 30 }, token, 'PUT');
  const slug = await dashboard.advocateOf(token, { first_name: 'Ada', group: 'partners' });
  const page = await dashboard.newPage();
  await dashboard.open(page, token);
  // A new page, whose view is the first one.
  await page.goto('about:blank');
  await page.goto(`${dashboard.url()}/dashboard#/advocates/${slug}?tab=links&range=12m`);
  const isRead = async () => {
    await page.getByText('A label appears once').waitFor();
    await page.getByText('Partners', { exact: true }).waitFor();
    await button(page, 'Invite').waitFor();
  };
  await isRead();
  const again = ['/v2/codes?', '/v2/groups', '/v2/referrals/counts?', '/v2/program/people'].map((path) =>
    page.waitForResponse((response) => response.url().includes(path)),
  );
  await button(page, 'Refresh').click();
  await Promise.all(again);
  expect(await page.evaluate(MOST_TOGETHER)).toBeLessThanOrEqual(5);
  await button(page, 'Actions for Ada').click();
  await page.getByRole('menuitem', { name: 'Pause link' }).click();
  await button(page, 'Invite').waitFor({ state: 'detached' });
});
