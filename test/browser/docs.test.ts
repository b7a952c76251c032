import { describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { LANGUAGES } from '../../web/local/samples.ts';
import { violations } from '../support/browser/chromium.ts';
import { useDemo } from '../support/browser/demo-page.ts';

/** Known violations of Swagger UI itself. */
const OF_SWAGGER_UI = [
  // The button of an operation contains a link.
  /^nested-interactive: .*\.opblock-summary-control$/,
  // The choices of an example and of a parameter's value have no name, nor has the body of a request.
  /^select-name: .*(?:\.examples-select-element|\.parameters-col_description > select)$/,
  /^label: textarea$/,
  // The keyboard cannot scroll code.
  /^scrollable-region-focusable: .*\.(?:microlight|curl|body-param__example)$/,
  // The headings of a webhook skip a level.
  /^heading-order: .*\.opblock-title$/,
  // The responses of each operation are a landmark without a name.
  /^landmark-unique: #\w+_responses$/,
];

const demo = useDemo();
const day: BrowserContextOptions = { colorScheme: 'light', viewport: { width: 1280, height: 800 } };
const night: BrowserContextOptions = { ...day, colorScheme: 'dark' };
const phone: BrowserContextOptions = { ...day, viewport: { width: 320, height: 640 } };

async function visit(path: string, options: BrowserContextOptions = day): Promise<Page> {
  // The page's Content-Security-Policy would block the script of the check.
  const page = await demo.newPage({ ...options, bypassCSP: true });
  await page.goto(`${demo.url()}${path}`);
  return page;
}

const operation = (page: Page, id: string) => page.locator(`#operations-${id}`);

describe.each([
  ['by day', day],
  ['by night', night],
  ['on a phone', phone],
])('%s', (_, options) => {
  test('/docs breaks only the accessibility rules that Swagger UI breaks, and cuts nothing off', async () => {
    const page = await visit('/docs', options);
    for (const id of ['Tracking-trackConversionV2', 'Referrals-listReferralsV2', 'webhooks-receiveReferralEvent']) {
      const block = operation(page, id);
      await block.locator('.opblock-summary-control').click();
      await block.locator('.fold button').first().click();
      if (id.startsWith('webhooks')) continue;
      await block.getByRole('button', { name: 'Execute' }).click();
      await block.locator('.download-contents').waitFor();
    }
    const found = await violations(page);
    expect(found.filter((one) => !OF_SWAGGER_UI.some((known) => known.test(one)))).toEqual([]);
    expect(OF_SWAGGER_UI.filter((known) => !found.some((one) => known.test(one)))).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
    const hidden = "[...document.querySelectorAll('.opblock-body')].map((body) => body.scrollWidth - body.clientWidth)";
    expect(await page.evaluate(hidden)).toEqual([0, 0, 0]);
    expect(demo.complaints).toEqual([]);
  });

  test('/docs has no button that covers a command or a response', async () => {
    const page = await visit('/docs#/Tracking/trackConversionV2', options);
    const block = operation(page, 'Tracking-trackConversionV2');
    await block.getByRole('button', { name: 'Execute' }).click();
    await block.locator('.download-contents').waitFor();
    const overlaps = `[...document.querySelectorAll('.live-responses-table, .responses-inner .curl-command')].flatMap((part) =>
      [...part.querySelectorAll('.download-contents, .copy-to-clipboard')].map((button) => {
        const [own, code] = [button, button.parentElement.querySelector('pre')].map((each) => each.getBoundingClientRect());
        return own.top < code.bottom && own.bottom > code.top;
      }))`;
    expect(await page.evaluate(overlaps)).toEqual([false, false, false]);
  });

  test('/docs is dark exactly if the color scheme is', async () => {
    const page = await visit('/docs', options);
    await operation(page, 'Advocates-listAdvocates').waitFor();
    const isDark = await page.evaluate("document.documentElement.classList.contains('dark-mode')");
    expect(isDark).toBe(options.colorScheme === 'dark');
  });
});

test('/docs opens only the successful responses of an operation, and the others by a button', async () => {
  const page = await visit('/docs#/Tracking/trackConversionV2');
  const block = operation(page, 'Tracking-trackConversionV2');
  await block.locator('.fold').first().waitFor();
  const open = () => block.locator('tr.response').evaluateAll((rows) => rows.map((row) => row.dataset['code']));
  expect(await open()).toEqual(['201', '204']);
  const conflict = block.getByRole('button', { name: '409 referral_exists' });
  expect(await conflict.getAttribute('aria-expanded')).toBe('false');
  await conflict.click();
  await block.getByText('"Referral already exists"').waitFor();
  expect(await open()).toEqual(['201', '204', '409']);
  await conflict.click();
  expect(await open()).toEqual(['201', '204']);
});

describe('the samples of /docs', () => {
  test('the samples of /docs are in the language that was chosen last, for every operation', async () => {
    const page = await visit('/docs#/Referrals/listReferrals');
    const [first, second] = ['Referrals-listReferrals', 'Advocates-getAdvocate'].map((id) => operation(page, id));
    const starts = { curl: 'curl ', JavaScript: 'const response', Python: 'from urllib', PHP: '<?php' };
    await second?.locator('.opblock-summary-control').click();
    for (const language of LANGUAGES) {
      await first?.getByRole('button', { name: language, exact: true }).click();
      for (const block of [first, second]) {
        expect(await block?.locator('.samples pre').textContent()).toContain(starts[language]);
        expect(await block?.locator('[aria-pressed=true]').textContent()).toBe(language);
      }
    }
  });

  test('the samples of /docs are copied, with the token of the demo that the operation requires', async () => {
    const page = await visit('/docs#/Referrals/listReferrals', {
      ...day,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'Copy the sample in curl' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await page.locator('.samples pre').textContent());
    expect(copied).toContain(`Bearer ${demo.affiliateToken()}`);
  });

  test('the samples of /docs are missing for requests that only another service can send', async () => {
    const page = await visit('/docs#/webhooks/receiveReferralEvent');
    await operation(page, 'webhooks-receiveReferralEvent').locator('.fold').first().waitFor();
    await operation(page, 'Tracking-receiveStripeEvent').locator('.opblock-summary-control').click();
    await operation(page, 'Tracking-receiveStripeEvent').locator('.fold').first().waitFor();
    expect(await page.locator('.samples').count()).toBe(0);
  });
});

test('/docs shows the operations first and the prose, folded, below them', async () => {
  const page = await visit('/docs');
  const last = operation(page, 'Referrals-listReferrals');
  await last.waitFor();
  const prose = page.locator('#about');
  const [operationBox, proseBox] = [await last.boundingBox(), await prose.boundingBox()];
  expect(proseBox?.y).toBeGreaterThan(operationBox?.y ?? Number.POSITIVE_INFINITY);
  const table = prose.getByRole('table').first();
  expect(await table.isVisible()).toBe(false);
  await prose.locator('summary').first().click();
  await table.waitFor();
});

test.each([
  ['Advocates', 'listAdvocates', 'List advocates'],
  ['Referrals', 'listReferrals', 'List referrals'],
])('/docs leads to an operation of %s and executes it with the token of the demo', async (tag, id, name) => {
  const page = await visit('/docs');
  const block = operation(page, `${tag}-${id}`);
  await block.waitFor();
  const link = page
    .getByRole('navigation', { name: 'Operations' })
    .getByRole('link', { name: `get ${name}`, exact: true });
  await link.click();
  expect(await link.getAttribute('aria-current')).toBe('true');
  await block.getByRole('button', { name: 'Execute' }).click();
  await block.locator('.live-responses-table').getByText('"data"').waitFor();
  expect(demo.complaints).toEqual([]);
});

test('/docs leads to the events that webhooks receive, and offers nothing to execute there', async () => {
  const page = await visit('/docs');
  const menu = page.getByRole('navigation', { name: 'Operations' });
  await operation(page, 'webhooks-receiveReferralEvent').waitFor();
  await menu.getByRole('link', { name: 'post Receive a change of a referral', exact: true }).click();
  const block = operation(page, 'webhooks-receiveReferralEvent');
  await block.getByText('webhook-signature').first().waitFor();
  await block.getByText('"referral.paid"').waitFor();
  expect(await block.getByRole('button', { name: 'Execute' }).count()).toBe(0);
  expect(await block.getByRole('textbox').count()).toBe(0);
  expect(demo.complaints).toEqual([]);
});

test('/docs executes the examples of Stripe’s event, which the service signs', async () => {
  const page = await visit('/docs#/Tracking/receiveStripeEvent');
  const block = operation(page, 'Tracking-receiveStripeEvent');
  const execute = block.getByRole('button', { name: 'Execute' });
  await execute.waitFor();
  const examples = block.locator('.examples-select-element').first();
  const applied = [];
  for (const label of ['A checkout that was paid', 'A subscription that ended']) {
    await examples.selectOption({ label });
    const response = page.waitForResponse('**/v2/integrations/stripe/*');
    await execute.click();
    applied.push(await (await response).json());
  }
  expect(applied).toEqual([{ applied: 'paid' }, { applied: 'churned' }]);
  expect(demo.complaints).toEqual([]);
});

test('/docs moves from one operation to the next, also with the keyboard', async () => {
  const page = await visit('/docs#/Tracking/getScript');
  await operation(page, 'Tracking-getScript').getByRole('button', { name: 'Execute' }).waitFor();
  const link = page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name: 'List referrals' });
  await link.focus();
  await link.press('Enter');
  const block = operation(page, 'Referrals-listReferrals');
  await block.getByRole('button', { name: 'Execute' }).waitFor();
  expect(await block.locator(':focus').count()).toBe(1);
  expect((await block.boundingBox())?.y).toBeLessThan(800);
});
