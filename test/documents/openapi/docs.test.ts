import { describe, expect, test } from '@jest/globals';
import { openapiDocument } from '../../../bin/generate/openapi.ts';
import { docsPage } from '../../../bin/local/pages/docs.ts';
import { pageFile, pages } from '../../../bin/local/pages/pages.ts';
import { ROUTES } from '../../../functions/routes.ts';

const demo = {
  programId: '01900000-0000-7000-8000-000000000000',
  mode: 'test' as const,
  publicKey: 'pk_0123',
  advocateSlug: 'amara-okafor',
  advocateName: 'Amara Okafor',
  programToken: 'rtp_secret',
  affiliateToken: 'rta_secret',
  dashboardToken: 'rtp_dashboard',
  stripeSecret: 'whsec_secretly',
  webhookSecret: 'whsec_secretly',
};

test.each(['/docs', '/docs/'])(
  '%s is a page that loads nothing from elsewhere and has no inline script or style',
  async (path) => {
    const page = await pages(demo)({ method: 'GET', path, search: '', headers: {}, body: Buffer.of(), port: 3000 });
    expect(page?.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    expect(page?.headers?.['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'/,
    );
    expect(page?.body).toContain('<title>Referral Tracking API</title>');
    expect(page?.body).not.toMatch(/<script>|<style|<[^>]+\s(?:style|on[a-z]+|src="(?!\/))=/);
  },
);

test('every file that the page loads exists', async () => {
  const page = await docsPage();
  const addresses = [...(page?.body ?? '').matchAll(/(?:src|href)="(\/(?:docs|local)\/[^"]+)"/g)].map(
    ([, address = '']) => address,
  );
  expect(addresses.length).toBeGreaterThanOrEqual(4);
  const files = await Promise.all(addresses.map(pageFile));
  expect(files.every((file) => file?.statusCode === 200 && (file.body ?? '').length > 100)).toBe(true);
});

test('the page has each operation, and links to it', async () => {
  const page = await docsPage();
  for (const id of Object.keys(ROUTES)) expect(page?.body).toMatch(new RegExp(`href="#${id}".* id="${id}"`, 's'));
});

describe('the tokens of the demo', () => {
  test('the tokens of the demo are in the page, and in no script: another site could load it', async () => {
    expect((await docsPage(demo))?.body).toMatch(/"rtp_secret".*"rta_secret"/s);
    expect((await pageFile('/local/docs.js'))?.body).not.toContain('secret');
  });

  test('the tokens of the demo are missing without a demo: the page explains how to create one', async () => {
    const page = await docsPage();
    expect(page?.body).toMatch(/id="program-token" value="".* id="affiliate-token" value=""/s);
    expect(page?.body).toContain('token create --help');
  });
});

test('/openapi.json is the document, which any site may read', async () => {
  const response = await pageFile('/openapi.json');
  expect(JSON.parse(response?.body ?? '')).toEqual(openapiDocument());
  expect(response?.headers?.['access-control-allow-origin']).toBe('*');
});

test.each([
  '/',
  '/docs/index.html',
  '/docs/package.json',
  '/docs/../package.json',
  '/docs/..%2fpackage.json',
  '/docs//etc/passwd',
  '/local/docs.js/../package.json',
  '/local/',
  '/local/pages/docs.ts',
  '/local/../local/page.css',
  '/openapi.json/',
  '/__proto__',
  '',
])('the path %j is not served', async (path) => {
  expect(await pageFile(path)).toBeUndefined();
});
