import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { FrameLocator, Page } from 'playwright-core';
import { portOf } from '../../bin/local/engine.ts';
import { type PortalAdvocate, usePortal } from '../support/browser/portal-page.ts';

const portal = usePortal();
let site: Server;
/** What the merchant's server returns instead of a token. */
let failure: { status: number; body: string } | undefined;
/** How often the merchant's server was asked for a token, and with which cookie. */
let asked: (string | undefined)[];
let advocate: PortalAdvocate;
let lifetime: number;
let isEnvelope: boolean;

const origin = () => `http://localhost:${portOf(site)}`;

/** The merchant's site on another origin: its own page, and the route that knows its visitor by a cookie. */
const listener: RequestListener = async (request, response) => {
  if (request.url === '/my/referral-token') {
    asked.push(request.headers.cookie);
    if (failure) return response.writeHead(failure.status).end(failure.body);
    const token = await portal.tokenOf(advocate.slug);
    const fields = { token, expires_at: Math.floor(Date.now() / 1000) + lifetime };
    const body = isEnvelope ? { data: { id: '1', type: 'token', attributes: fields } } : fields;
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
  const framedPath = /^\/frame(\/\w+)$/.exec(request.url ?? '')?.[1];
  if (framedPath) {
    const frame = `<!doctype html><iframe src="${portal.url()}${framedPath}"></iframe>`;
    return response.writeHead(200, { 'content-type': 'text/html' }).end(frame);
  }
  const program = /^\/apply\/(\w+)$/.exec(request.url ?? '')?.[1];
  const element = program
    ? `<referral-apply program="${program}" theme="dark"></referral-apply>`
    : '<referral-portal token-url="/my/referral-token"></referral-portal>';
  const headers = { 'content-type': 'text/html', 'set-cookie': 'session=ada; HttpOnly; SameSite=Lax' };
  return response.writeHead(200, headers).end(
    `<!doctype html><html lang="en"><title>Account</title><link rel="icon" href="data:,"><body>
<script src="${portal.url()}/portal.js"></script>
${element}`,
  );
};

beforeAll(async () => {
  site = createServer((request, response) => void listener(request, response));
  await once(site.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(async () => {
  failure = undefined;
  asked = [];
  lifetime = 3600;
  isEnvelope = false;
  advocate = await portal.anAdvocate();
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

const frameOf = (page: Page): FrameLocator => page.frameLocator('referral-portal iframe');
const hello = (page: Page) => frameOf(page).getByText('Signed in as Ada');

async function visit(clock = false): Promise<Page> {
  const page = await portal.newPage();
  if (clock) await page.clock.install();
  await page.goto(origin());
  return page;
}

test.each([true, false])('a page of another origin shows the portal (the answer is the API’s own: %p)', async (own) => {
  isEnvelope = own;
  const page = await visit();
  await hello(page).waitFor();
  await frameOf(page).getByRole('heading', { name: 'Share your link' }).waitFor();
  expect(asked).toEqual(['session=ada']);
  expect(await page.locator('referral-portal iframe').getAttribute('src')).toBe(`${portal.url()}/portal`);
  expect(await page.locator('referral-portal iframe').getAttribute('allow')).toBe('clipboard-write');
  expect(await frameOf(page).getByRole('button', { name: 'Sign out' }).count()).toBe(0);
  // The frame is as high as its content, and the token is in no storage.
  const scrolls = 'document.documentElement.scrollHeight > innerHeight || sessionStorage.length';
  const [, frame] = page.frames();
  await frame?.waitForFunction(`!(${scrolls})`);
  expect(portal.complaints).toEqual([]);
});

test('a token is replaced a minute before its end, and after a 401 the request is repeated', async () => {
  lifetime = 600;
  const page = await visit(true);
  await hello(page).waitFor();
  await frameOf(page).getByRole('link', { name: 'Referrals', exact: true }).click();
  await frameOf(page).getByText('No sign-ups yet.').waitFor();
  await page.clock.runFor(500_000);
  expect(asked).toHaveLength(1);
  // The page replaces its token when it knows that the new one is the same advocate's.
  const checked = page.waitForResponse('**/v2/affiliate');
  await page.clock.runFor(50_000);
  await (await checked).finished();
  await page.clock.runFor(40_000);
  let refused = 0;
  await page.route('**/v2/affiliate/referrals?*', async (route) => {
    refused += 1;
    await (refused === 1 ? route.fulfill({ status: 401, json: { error: 'Expired.' } }) : route.continue());
  });
  await frameOf(page).getByRole('combobox', { name: 'State' }).selectOption('Paying');
  await page.clock.runFor(1000);
  await frameOf(page).getByText('No referrals match the filters.').waitFor();
  expect([asked.length, refused]).toEqual([3, 2]);
  expect(await frameOf(page).getByRole('alert').count()).toBe(0);
});

const LISTEN = "addEventListener('error', (event) => { globalThis.failed = event.message; }, true)";

test.each([
  [{ status: 500, body: 'Oops' }],
  [{ status: 200, body: '<html>Sign in to this network' }],
  [{ status: 401, body: '{"token":"rta_x"}' }],
])('if the site’s server returns %j, the page says so, and the element fires an error', async (response) => {
  failure = response;
  const page = await portal.newPage();
  await page.addInitScript(LISTEN);
  await page.goto(origin());
  await frameOf(page).getByRole('alert').getByText('The website could not open your referrals.').waitFor();
  expect(await page.evaluate('globalThis.failed')).toBe(
    `/my/referral-token returned no token (status ${response.status}).`,
  );
  failure = undefined;
  await frameOf(page).getByRole('button', { name: 'Try again' }).click();
  // The second request waits for the end of the 30 seconds.
  expect(asked).toHaveLength(1);
});

test('the page ignores messages of others than its parent, and all if it is not framed', async () => {
  const other = await portal.anAdvocate({ first_name: 'Mallory' });
  const message = JSON.stringify({ type: 'referral-portal:token', token: other.token, theme: 'dark' });
  const page = await visit();
  await hello(page).waitFor();
  const [, frame] = page.frames();
  await frame?.evaluate(`postMessage(${message}, '*')`);
  await page.evaluate(`{
    const child = document.createElement('iframe');
    document.body.append(child);
    const script = child.contentDocument.createElement('script');
    script.textContent = 'parent.frames[0].postMessage(${message}, "*")';
    child.contentDocument.body.append(script);
  }`);
  const alone = await portal.newPage();
  await alone.goto(`${portal.url()}/portal`);
  await alone.evaluate(`postMessage(${message}, '*')`);
  await alone.getByRole('heading', { name: 'Open this page from your account' }).waitFor();
  expect(await frame?.evaluate('document.documentElement.style.colorScheme')).toBe('');
  expect(await frameOf(page).getByRole('alert').count()).toBe(0);
});

test('the element answers neither other frames nor its own after it has left the service', async () => {
  const page = await visit();
  await hello(page).waitFor();
  /** Lets a frame ask for a token. Resolves when the element has got the message and could have asked its site. */
  const ask = async (frame: string) => {
    await page.evaluate(`new Promise((resolve) => {
      addEventListener('message', ({ data }) => data === 'asked' && resolve());
      const frame = ${frame};
      frame.srcdoc = \`<script>
        addEventListener('message', ({ data }) => { parent.got = data; });
        parent.postMessage({ type: 'referral-portal:token' }, '*');
        parent.postMessage('asked', '*');
      </script>\`;
      if (!frame.isConnected) document.body.append(frame);
    })`);
    await page.evaluate("fetch('/')");
  };
  await ask("document.createElement('iframe')");
  await ask("document.querySelector('referral-portal iframe')");
  expect([asked.length, await page.evaluate('typeof got')]).toEqual([1, 'undefined']);
});

test('a site without https cannot frame the portal, and no other site the dashboard', async () => {
  /** Where the frame of a page ends up that frames a page of the service. */
  const framed = async (host: string, path: string) => {
    const page = await portal.newPage();
    const shown = page.waitForEvent('framenavigated', (frame) => frame !== page.mainFrame());
    await page.goto(`http://${host}:${portOf(site)}/frame${path}`);
    return (await shown).url();
  };
  const ERROR = 'chrome-error://chromewebdata/';
  expect(await framed('framing.test', '/portal')).toBe(ERROR);
  expect(await framed('localhost', '/dashboard')).toBe(ERROR);
  expect(await framed('localhost', '/portal')).toBe(`${portal.url()}/portal`);
});

test('the element of the form takes the colors of its page, sends an application and uses no token', async () => {
  const { id } = await portal.call<{ id: string }>('/v2/program');
  const settings = { applications: 'review', application_fields: [], terms_version: null };
  await portal.call('/v2/program/people', settings, undefined, 'PATCH');
  const page = await portal.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto(`${origin()}/apply/pk_${id.replaceAll('-', '')}`);
  const form = page.frameLocator('referral-apply iframe');
  await form.getByRole('textbox', { name: 'Email' }).waitFor();
  expect(await page.locator('iframe').getAttribute('src')).toMatch(/\/portal#program=pk_\w+$/);
  const [, frame] = page.frames();
  const isScheme = (scheme: string) =>
    frame?.waitForFunction(`document.documentElement.style.colorScheme === '${scheme}'`);
  await isScheme('dark');
  await frame?.waitForFunction('document.documentElement.scrollHeight <= innerHeight');
  const message = JSON.stringify({ type: 'referral-portal:token', token: advocate.token, theme: 'light' });
  await page.evaluate(`document.querySelector('iframe').contentWindow.postMessage(${message}, '*')`);
  await isScheme('light');
  await form.getByRole('textbox', { name: 'Email' }).fill('mira@partners.example');
  await form.getByRole('button', { name: 'Send application' }).click();
  await form.getByText('can apply, an email is on its way').waitFor();
  expect(await form.getByRole('textbox').count()).toBe(0);
  await portal.call('/v2/program/people', { applications: 'closed' }, undefined, 'PATCH');
  await page.reload();
  await form.getByText('The program takes no applications at present.').waitFor();
  await page.evaluate("document.querySelector('referral-apply').setAttribute('program', 'pk_other')");
  await form.getByText('pk must be the public key of a program').waitFor();
  expect(requests.filter((path) => /v2.affiliate|token/.test(path))).toEqual([]);
  expect([portal.complaints, asked]).toEqual([[], []]);
});
