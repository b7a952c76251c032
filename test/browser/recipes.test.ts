import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useChromium } from '../support/browser/chromium.ts';
import { referredBy, useShop } from '../support/browser/shop.ts';
import { codeBlocks, sectionOf } from '../support/documents/documents.ts';

const chromium = useChromium();
const shop = useShop();
const RECIPES = 'docs/recipes.md';

/** Returns the first HTML sample of docs/recipes.md and docs/payments.md that contains a text. */
function recipe(text: string): string {
  const samples = [RECIPES, 'docs/payments.md'].flatMap((document) => codeBlocks(document, 'html'));
  const found = samples.find((code) => code.includes(text));
  if (!found) throw new Error(`The documents have no sample with ${text}.`);
  return found;
}

let page: Page;
beforeEach(async () => {
  page = await chromium.newPage();
  // Stripe and Calendly are not called. Only the addresses matter.
  await page.route(/^https:/, (route) => route.fulfill({ body: '' }));
});

const referred = (slug = 'jane') => referredBy(slug, page, shop);

test.each(['jane', 'mary_ann'])(
  'a payment link carries the gr_id of %s in the form that Stripe accepts',
  async (slug) => {
    shop.setContent({
      body: `<a href="https://buy.stripe.com/test_1?prefilled_email=a%40b.test"><b>Pay</b></a>${recipe('buy.stripe.com')}`,
    });
    const grId = await referred(slug);
    await page.getByText('Pay').click();
    await page.waitForURL('https://buy.stripe.com/**');
    const { searchParams } = new URL(page.url());
    expect([...searchParams]).toEqual([
      ['prefilled_email', 'a@b.test'],
      ['client_reference_id', grId.replace('.', '_')],
    ]);
    const reference = searchParams.get('client_reference_id');
    expect(reference).toMatch(/^[A-Za-z0-9_-]{1,200}$/);
    expect(await shop.reportConversion({ gr_id: reference, email: `${slug}-refers@example.com` })).toBe(201);
    expect(await shop.stored(grId)).toMatchObject({ advocateSlug: slug, state: 'converted' });
  },
);

test('a link to Calendly carries the gr_id', async () => {
  shop.setContent({ body: `<a href="https://calendly.com/acme/demo">Book</a>${recipe('calendly.com')}` });
  const grId = await referred();
  await page.getByText('Book').press('Enter');
  await page.waitForURL(`https://calendly.com/acme/demo?utm_content=${grId}`);
});

test('a pricing table carries the gr_id, and is shown once', async () => {
  shop.setContent({ body: recipe('stripe-pricing-table') });
  // The recipe shows the table after a second, without the gr_id if the script is late.
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  const grId = await referred();
  await page.evaluate('showPricing()');
  const tables = page.locator('stripe-pricing-table');
  expect(await tables.count()).toBe(1);
  expect(await tables.getAttribute('client-reference-id')).toBe(grId.replace('.', '_'));
});

test('a HubSpot form gets the gr_id in its hidden field', async () => {
  // HubSpot's own code: it is not loaded here.
  const hubspot = `<script>
const fields = {};
const HubSpotFormsV4 = { getFormFromEvent: () => ({ setFieldValue: (name, value) => { fields[name] = value; } }) };
dispatchEvent(new CustomEvent('hs-form-event:on-ready'));
</script>`;
  shop.setContent({ body: `${recipe('HubSpotFormsV4')}${hubspot}` });
  expect({ '0-1/gr_id': await referred() }).toEqual(await page.evaluate('fields'));
});

test('a single-page app gets the gr_id at submit, and also submits without the script', async () => {
  const [sample = ''] = sectionOf(RECIPES, 'Single-page apps').match(/(?<=```js\n).*?(?=```)/s) ?? [];
  shop.setContent({ body: `<script>${sample}</script>` });
  const submit = async () => {
    const request = page.waitForRequest('**/sign-up');
    await page.evaluate("submit({ email: 'a@b.test' })");
    return (await request).postDataJSON();
  };
  const grId = await referred();
  expect(await submit()).toEqual({ email: 'a@b.test', gr_id: grId });
  await page.route('**/gr.js', (route) => route.abort());
  await page.goto(shop.url('shop.test'));
  expect(await submit()).toEqual({ email: 'a@b.test', gr_id: null });
});

test.each([
  ['a coupon field', 'coupon', 'john'],
  ['a vanity page', "'jane-doe'", 'jane-doe'],
])('%s follows the slug', async (_, text, slug) => {
  shop.setContent({ body: recipe(text) });
  await page.route('**/v2/tracking/click', (route) => route.abort());
  await page.goto(shop.url('shop.test'));
  if (text === 'coupon') {
    await page.getByRole('textbox').fill(' John ');
    await page.getByRole('textbox').press('Enter');
  }
  await page.waitForFunction(`document.cookie.startsWith('gr_id=${slug}.')`);
});
