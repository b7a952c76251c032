import { describe, expect, test } from '@jest/globals';
import { html } from '../../../bin/local/pages/html.ts';
import { pageFile, pages } from '../../../bin/local/pages/pages.ts';

const demo = {
  programId: '01900000-0000-7000-8000-000000000000',
  mode: 'test' as const,
  publicKey: 'pk_0123',
  advocateSlug: 'amara-okafor',
  advocateName: 'Amara Okafor',
  programToken: 'rtp_hidden',
  affiliateToken: 'rta_hidden',
  dashboardToken: 'rtp_hidden_2',
  stripeSecret: 'whsec_hidden',
  webhookSecret: 'whsec_hidden',
};
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', host: 'localhost:3000' };

const get = (headers: Readonly<Record<string, string>>, { path = '/', method = 'GET', served = pages(demo) } = {}) =>
  served({ method, path, search: '', headers, body: Buffer.of(), port: 3000 });

describe('GET /', () => {
  test('the overview has links to the demo and the API, the HTML snippet, tokens and commands', async () => {
    const page = await get(BROWSER);
    expect([page?.statusCode, page?.headers?.['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const part of [
      'href="/demo?via=amara-okafor"',
      'href="/portal#token=rta_hidden"',
      'href="/dashboard#token=rtp_hidden_2"',
      'href="/docs"',
      'Bearer rtp_hidden',
      'Bearer rta_hidden',
      'pk_0123',
      '&lt;script async src=&quot;http://localhost:3000/gr.js&quot; data-pk=&quot;pk_0123&quot;&gt;&lt;/script&gt;',
      "curl -i -w '\\n' http://localhost:3000/v2/tracking/conversion",
      './referrals doctor',
    ])
      expect(page?.body).toContain(part);
  });

  test('the overview loads nothing from elsewhere and has no inline script or style', async () => {
    const page = await get(BROWSER);
    const policy = String(page?.headers?.['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(page?.body).not.toMatch(/<script>|<style|\sstyle=|\son[a-z]+=|(?:src|href)="(?![/#])/);
    const addresses = [...(page?.body ?? '').matchAll(/(?:src|href)="(\/local\/[^"]+)"/g)];
    expect(addresses.length).toBeGreaterThanOrEqual(4);
    for (const [, address = ''] of addresses) expect((await pageFile(address))?.statusCode).toBe(200);
  });

  test.each([undefined, '*/*', 'text/plain', 'application/json'])(
    'the overview is the output of npm start as text for Accept %j, for example to curl',
    async (accept) => {
      const response = await get({ host: 'localhost:3000', ...(accept && { accept }) });
      expect(response?.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        vary: 'accept',
      });
      expect(response?.body).toBe(
        [
          'Overview:        http://localhost:3000',
          'Demo site:       http://localhost:3000/demo?via=amara-okafor',
          "Advocate's page: http://localhost:3000/portal#token=rta_hidden",
          'Dashboard:       http://localhost:3000/dashboard#token=rtp_hidden_2',
          'API reference:   http://localhost:3000/docs',
          'Log of requests: LOG=requests npm start',
          '',
          'Program token:   rtp_hidden',
          'Affiliate token: rta_hidden  (advocate amara-okafor)',
          '',
          'Ready on http://localhost:3000',
          '',
        ].join('\n'),
      );
    },
  );

  test('the overview also responds to HEAD, and to no other method', async () => {
    expect((await get(BROWSER, { method: 'HEAD' }))?.statusCode).toBe(200);
    expect(await get(BROWSER, { method: 'POST' })).toBeUndefined();
  });

  test('the overview has three tabs, and the HTML snippet is the first text to copy', async () => {
    const { body = '' } = (await get(BROWSER)) ?? {};
    expect([...body.matchAll(/<a href="#(\w+)">/g)].map(([, id]) => id)).toEqual(['try', 'embed', 'operate']);
    expect([...body.matchAll(/<section class="panel" id="(\w+)">/g)].map(([, id]) => id)).toEqual([
      'try',
      'embed',
      'operate',
    ]);
    const copyable = [...body.matchAll(/<pre>/g)];
    expect(copyable.length).toBeLessThanOrEqual(9);
    expect(body.slice(copyable[0]?.index)).toMatch(/^<pre><code>&lt;script&gt;window\.gr=/);
  });

  test('the overview explains why there is no demo', async () => {
    const page = await get(BROWSER, { served: pages(undefined) });
    expect(page?.statusCode).toBe(200);
    expect(page?.body).toContain('DEMO=off');
    expect(page?.body).toContain('./referrals program create');
    expect(page?.body).toContain('data-pk=&quot;$PUBLIC_KEY&quot;');
    expect(page?.body).not.toContain('{{');
  });

  test('the overview shows commands with the DATA_DIR of the service unless it is the default', async () => {
    const page = await get(BROWSER, { served: pages(demo, "it's here") });
    expect(page?.body).toContain('DATA_DIR=&#39;it&#39;\\&#39;&#39;s here&#39; ./referrals doctor');
    expect((await get(BROWSER))?.body).not.toContain('DATA_DIR');
  });
});

describe('the tokens of the demo', () => {
  test.each(['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000'])(
    'the tokens of the demo are shown on %s',
    async (host) => {
      for (const path of ['/', '/docs']) expect((await get({ ...BROWSER, host }, { path }))?.body).toContain('_hidden');
    },
  );

  test.each([
    'evil.test',
    'localhost.evil.test:3000',
    '127.0.0.1.evil.test',
    '192.0.2.1:3000',
    'localhost@evil.test',
    '',
  ])(
    'the tokens of the demo are not shown on %j, a name that another site may resolve to this machine',
    async (host) => {
      for (const path of ['/', '/docs']) {
        const page = await get({ ...BROWSER, host }, { path });
        expect(page?.statusCode).toBe(200);
        expect(page?.body).not.toContain('_hidden');
      }
    },
  );

  test('the tokens of the demo cannot be loaded by pages of other sites', async () => {
    for (const path of ['/', '/docs']) {
      const { headers } = (await get(BROWSER, { path })) ?? {};
      expect(headers?.['cross-origin-resource-policy']).toBe('same-origin');
      expect(headers?.['access-control-allow-origin']).toBeUndefined();
    }
  });
});

test('html escapes values, but not HTML', () => {
  expect(html`<p title="${'"&\'<>'}">${html`<b>${'<i>'}</b>`}${[html`1`, html`2`]}</p>`.text).toBe(
    '<p title="&#34;&#38;&#39;&#60;&#62;"><b>&#60;i&#62;</b>12</p>',
  );
});
