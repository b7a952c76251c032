import { expect, test } from '@jest/globals';
import { openapiDocument } from '../../bin/generate/openapi.ts';
import { docs } from '../../bin/local/docs.ts';

test.each(['/docs', '/docs/'])(
  '%s is a page that loads nothing from elsewhere and runs no script of its own',
  async (path) => {
    const page = await docs(path);
    expect(page?.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    expect(page?.body).toContain('<title>Referral Tracking API</title>');
    expect(page?.body).not.toMatch(/(?:src|href)="(?!\/docs\/|\/openapi\.json")|<script>|<style>/);
  },
);

test('every file that the page names is there', async () => {
  const page = await docs('/docs');
  const addresses = [...(page?.body ?? '').matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, address = '']) => address,
  );
  expect(addresses).toHaveLength(5);
  const files = await Promise.all(addresses.map(docs));
  expect(files.map((file) => file?.statusCode)).toEqual([200, 200, 200, 200, 200]);
  expect(files.every((file) => (file?.body ?? '').length > 100)).toBe(true);
});

test('the icon comes as bytes', async () => {
  const icon = await docs('/docs/favicon-32x32.png');
  expect(icon?.isBase64Encoded).toBe(true);
  expect(
    Buffer.from(icon?.body ?? '', 'base64')
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
});

test('/openapi.json is the document', async () => {
  const answer = await docs('/openapi.json');
  expect(JSON.parse(answer?.body ?? '')).toEqual(openapiDocument());
});

test('no token is kept, and no validator is asked', async () => {
  const start = await docs('/docs/start.js');
  expect(start?.body).toMatch(/"persistAuthorization": false/);
  expect(start?.body).toMatch(/"validatorUrl": null/);
});

test.each([
  '/',
  '/docs/index.html',
  '/docs/package.json',
  '/docs/../package.json',
  '/docs/..%2fpackage.json',
  '/docs//etc/passwd',
  '/docs/swagger-ui.css/../package.json',
  '/openapi.json/',
  '/__proto__',
  '',
])('%j is not there', async (path) => {
  expect(await docs(path)).toBeUndefined();
});
