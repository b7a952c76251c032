import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { portOf } from '../../bin/local/engine.ts';
import { becomeAdvocate, deliveries, useDemo } from '../support/browser/demo-page.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Known violations of Swagger UI: for example a link in the button of an operation, and numbers with too little contrast. */
const OF_SWAGGER_UI = ['nested-interactive', 'color-contrast', 'select-name', 'scrollable-region-focusable'];

const demo = useDemo();
const day: BrowserContextOptions = { colorScheme: 'light', viewport: { width: 1280, height: 800 } };
const night: BrowserContextOptions = { ...day, colorScheme: 'dark' };
const phone: BrowserContextOptions = { ...day, viewport: { width: 390, height: 844 } };

async function visit(path: string, options: BrowserContextOptions = day): Promise<Page> {
  // The page's Content-Security-Policy would block the script of the check.
  const page = await demo.newPage({ ...options, bypassCSP: true });
  await page.goto(`${demo.url()}${path}`);
  return page;
}

/** The accessibility rules that a page breaks, each with the elements that break it. */
async function violations(page: Page, rest: string): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  const results: AxeResults = await page.evaluate(`axe.run(${rest}, { resultTypes: ['violations'] })`);
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`);
}

const TABS = ['Embed', 'API', 'Terminal'];
const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const operation = (page: Page, id: string) => page.locator(`#operations-${id}`);

describe.each([
  ['by day', day],
  ['by night', night],
  ['on a phone', phone],
])('%s', (_, options) => {
  test('/ breaks no accessibility rule and fits the screen', async () => {
    const page = await visit('/', options);
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const name of TABS) {
      await tab(page, name).click();
      await page.getByRole('tabpanel', { name }).getByRole('button').first().waitFor();
      expect(await violations(page, 'document')).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
    }
    // No word is broken at its hyphen.
    const lines = `((text, range) => {
      const start = text.data.search(/sign.ups/);
      range.setStart(text, start);
      range.setEnd(text, start + 'sign-ups'.length);
      return range.getClientRects().length;
    })(document.querySelector('.lead').firstChild, new Range())`;
    expect(await page.evaluate(lines)).toBe(1);
    expect(demo.complaints).toEqual([]);
  });

  test('/demo breaks no accessibility rule, before and after a delivery', async () => {
    const page = await visit('/demo', options);
    await page.getByRole('img', { name: 'Referrals per state' }).waitFor();
    await page.getByText('No deliveries since the start').waitFor();
    expect(await violations(page, 'document')).toEqual([]);
    await page.getByRole('link', { name: 'Follow Amara’s link' }).click();
    await deliveries(page, 'referral.clicked').locator('summary').click();
    await deliveries(page, '"type": "referral.clicked"').waitFor();
    expect(await violations(page, 'document')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
  });

  test('/demo breaks no accessibility rule for a new advocate who changes its name, and for the merchant', async () => {
    const page = await visit('/demo?via=amara-okafor', options);
    await becomeAdvocate(page);
    await page.getByText('Change your name').click();
    expect(await violations(page, 'document')).toEqual([]);
    await page.getByText('Merchant’s view').click();
    await page.getByLabel('Customer’s email').fill('amara-okafor+76@partners.example');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('Self-referral:').waitFor();
    expect(await violations(page, 'document')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
    expect(demo.complaints).toEqual([]);
  });

  test('/docs breaks no accessibility rule around Swagger UI, and no new one inside', async () => {
    const page = await visit('/docs#/Advocates/listAdvocates', options);
    await operation(page, 'Advocates-listAdvocates').getByRole('button', { name: 'Execute' }).waitFor();
    expect(await violations(page, "{ exclude: ['.swagger-ui'] }")).toEqual([]);
    const inside = await violations(page, "'.swagger-ui'");
    expect(inside.filter((text) => !OF_SWAGGER_UI.includes(text.split(':')[0] ?? ''))).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
    expect(demo.complaints).toEqual([]);
  });

  test('/docs has readable labels, and no button covers a command or a response', async () => {
    const page = await visit('/docs#/Tracking/trackConversionV2', options);
    const block = operation(page, 'Tracking-trackConversionV2');
    await block.getByRole('button', { name: 'Execute' }).click();
    await block.locator('.download-contents').waitFor();
    expect(await violations(page, "'.examples-select__section-label'")).toEqual([]);
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

test('/docs moves from one operation to the next, with the keyboard too', async () => {
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

test('/ copies the HTML snippet, which records a click in another page', async () => {
  const page = await visit('/', { ...day, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Copy: HTML snippet' }).click();
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  const body = `<!doctype html>${await page.evaluate('navigator.clipboard.readText()')}`;
  // Chromium lets only pages of this machine load a script from it.
  const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(body));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const click = page.waitForResponse('**/v2/tracking/click');
  await page.goto(`http://localhost:${portOf(site)}/?via=amara-okafor`);
  expect((await (await click).allHeaders())['x-click']).toBe('recorded');
  site.closeAllConnections();
  site.close();
});

test('/ has tabs that the keyboard operates, and the address opens one', async () => {
  const page = await visit('/#terminal');
  const selected = () => page.getByRole('tab', { selected: true }).textContent();
  const shown = () => page.getByRole('tabpanel').evaluateAll((panels) => panels.map(({ id }) => id));
  await tab(page, 'Terminal').waitFor();
  expect([await selected(), await shown()]).toEqual(['Terminal', ['terminal']]);
  await tab(page, 'Terminal').focus();
  for (const [key, name] of [
    ['ArrowRight', 'Embed'],
    ['ArrowRight', 'API'],
    ['ArrowLeft', 'Embed'],
    ['ArrowLeft', 'Terminal'],
    ['Home', 'Embed'],
    ['End', 'Terminal'],
    ['ArrowLeft', 'API'],
  ] as const) {
    await page.keyboard.press(key);
    expect([await selected(), await shown(), new URL(page.url()).hash]).toEqual([
      name,
      [name.toLowerCase()],
      `#${name.toLowerCase()}`,
    ]);
    expect(await tab(page, name).evaluate((element) => element.matches(':focus'))).toBe(true);
  }
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Copy');
  await page.goto(`${demo.url()}/#embed`);
  expect(await selected()).toBe('Embed');
  expect(demo.complaints).toEqual([]);
});

test('/ shows all sections without JavaScript', async () => {
  const page = await demo.newPage({ ...day, javaScriptEnabled: false });
  await page.goto(`${demo.url()}/`);
  for (const name of TABS) await page.locator(`#${name.toLowerCase()} h2`).waitFor();
  expect(await page.getByRole('tab').count()).toBe(0);
});
