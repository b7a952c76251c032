import { describe, expect, test } from '@jest/globals';
import { demoPrograms } from '../../../bin/local/demo/data.ts';
import { pages } from '../../../bin/local/pages/pages.ts';

const demo = {
  programId: '01900000-0000-7000-8000-000000000000',
  mode: 'test' as const,
  publicKey: 'pk_0123',
  advocateSlug: 'amara-okafor',
  advocateName: 'Amara Okafor',
  programToken: 'rtp_secret',
  affiliateToken: 'rta_secret',
  dashboardToken: 'rtp_secret_2',
  stripeSecret: 'whsec_secretly',
  webhookSecret: 'whsec_secretly',
};
const requestOf = (path: string, method = 'GET') => ({
  method,
  path,
  search: '',
  headers: { host: 'localhost:3000' },
  body: Buffer.of(),
  port: 3000,
});
const site = pages(demo);
const get = (path: string) => site(requestOf(path));
const addressesIn = (html = '') => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);

describe.each(['/demo', '/demo/'])('%s', (path) => {
  test('the page loads nothing from other hosts, and has no inline script or style', async () => {
    const page = await get(path);
    expect(page?.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    const policy = String(page?.headers?.['content-security-policy']).split('; ');
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]));
    expect(policy.join()).not.toMatch(/unsafe|\*|http/);
    expect(page?.body).not.toMatch(/<script>|<style|\sstyle=|\son[a-z]+=|:\/\//);
    expect(
      addressesIn(page?.body).filter((address) => !/^(?:\/demo\/|#|\/docs$|\/$|\/gr\.js$|\/style\.css$)/.test(address)),
    ).toEqual([]);
  });

  test('the page contains the public key, the advocate, and tokens only in the addresses of its frames', async () => {
    const page = await get(path);
    expect(page?.body).toContain('<script async src="/gr.js" data-pk="pk_0123"></script>');
    expect(page?.body).toContain('data-slug="amara-okafor" data-first-name="Amara" data-last-name="Okafor"');
    const frames = [...(page?.body ?? '').matchAll(/<iframe[^>]* data-address="([^"]+)"/g)].map(
      ([, address]) => address,
    );
    expect(frames).toEqual(['/portal#token=rta_secret', '/dashboard#token=rtp_secret']);
    expect(page?.body?.replace(/<iframe[^>]*>/g, '')).not.toMatch(/\{\{|secret/);
    expect(page?.headers?.['content-security-policy']).toContain("frame-src 'self'");
  });
});

test('the script of the page comes before the tracking script that it watches', async () => {
  const scripts = [...((await get('/demo'))?.body ?? '').matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
  expect(scripts).toEqual(['<script src="/demo/main.js">', '<script async src="/gr.js" data-pk="pk_0123">']);
});

test('the name of the advocate is escaped', async () => {
  const page = await pages({ ...demo, advocateName: `Zoë "<b>$&" O'Neill` })(requestOf('/demo'));
  expect(page?.body).toContain('data-last-name="&#34;&#60;b&#62;$&#38;&#34; O&#39;Neill"');
});

test('every file that the page references exists', async () => {
  const addresses = addressesIn((await get('/demo'))?.body).filter((address) => /^\/demo\/.*\.(?!js)/.test(address));
  expect(addresses.length).toBeGreaterThanOrEqual(4);
  const files = await Promise.all(addresses.map(get));
  expect(files.every((file) => file?.statusCode === 200 && (file.body ?? '').length > 100)).toBe(true);
  expect(files.some((file) => /url\(|@import/.test(file?.body ?? ''))).toBe(false);
});

test('the page is the shop of the demo program, with the page of its first advocate', async () => {
  const [main] = demoPrograms();
  const [advocate] = main?.advocates ?? [];
  const page = await get('/demo');
  expect(page?.body).toContain(`<title>${main?.program.name}:`);
  expect(page?.body).toContain(`data-first-name="${advocate?.firstName}"`);
  expect(page?.body).toContain(`get ${main?.program.commissionPercentage} % of what they pay in their first year`);
  expect([main?.program.linkParameter, main?.program.commissionMonths]).toEqual(['via', 12]);
});

test('a page of another site whose host name resolves to this machine gets no token', async () => {
  for (const host of ['evil.test', 'localhost.evil.test:3000', '']) {
    const page = await site({ ...requestOf('/demo'), headers: { host } });
    expect([page?.statusCode, page?.body]).toEqual([404, expect.not.stringContaining('secret')]);
  }
});

test.each([
  '/demo/index.html',
  '/demo/main.ts',
  '/demo/../package.json',
  '/demo/..%2fpackage.json',
  '/demo//etc/passwd',
  '/demo/__proto__',
  '/demo2',
])('%j is not served', async (path) => {
  expect(await get(path)).toBeUndefined();
});

test('pages accept only GET', async () => {
  expect(await site(requestOf('/demo', 'POST'))).toBeUndefined();
  expect(await pages(demo)(requestOf('/docs', 'POST'))).toBeUndefined();
});

describe('the service without a demo', () => {
  test('a page explains why there is no demo', async () => {
    const page = await pages(undefined)(requestOf('/demo'));
    expect(page?.statusCode).toBe(404);
    expect(page?.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    expect(page?.body).toContain('<code>DEMO=off</code>');
  });

  test('the merchant backend is not served', async () => {
    expect(await pages(undefined)(requestOf('/demo/advocates'))).toBeUndefined();
    expect(await pages(undefined)(requestOf('/demo/sign-up', 'POST'))).toBeUndefined();
  });

  test('the API reference is served', async () => {
    expect((await pages(undefined)(requestOf('/docs')))?.statusCode).toBe(200);
  });
});
