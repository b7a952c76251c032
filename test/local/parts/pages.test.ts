import { describe, expect, test } from '@jest/globals';
import { pageFile, pages } from '../../../bin/local/pages/pages.ts';

const demo = {
  programId: '01900000-0000-7000-8000-000000000000',
  mode: 'test' as const,
  publicKey: 'pk_0123',
  advocateSlug: 'amara-okafor',
  advocateName: 'Amara Okafor',
  advocateEmail: 'amara@partners.example',
  memberEmail: 'robin@shop.example',
  programToken: 'rtp_hidden',
  affiliateToken: 'rta_hidden',
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
      'href="/demo/dashboard"',
      'href="/account#program=pk_0123"',
      'href="/dashboard#program=pk_0123"',
      'href="/outbox"',
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

  test.each([undefined, '*/*', 'application/json'])(
    'the overview is the output of npm start as text for Accept %j, for example to curl',
    async (accept) => {
      const response = await get({ host: 'localhost:3000', ...(accept && { accept }) });
      expect(response?.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        vary: 'accept',
      });
      expect(response?.body).toBe(
        [
          'Overview:           http://localhost:3000',
          'Demo site:          http://localhost:3000/demo?via=amara-okafor',
          "Advocate's page:    http://localhost:3000/portal#token=rta_hidden",
          'Dashboard:          http://localhost:3000/demo/dashboard',
          'Account by email:   http://localhost:3000/account#program=pk_0123  (sign in as amara@partners.example)',
          'Dashboard by email: http://localhost:3000/dashboard#program=pk_0123  (sign in as robin@shop.example)',
          'Emails:             http://localhost:3000/outbox',
          'API reference:      http://localhost:3000/docs',
          'Log of requests:    LOG=requests npm start',
          '',
          'Program token:      rtp_hidden',
          'Affiliate token:    rta_hidden  (advocate amara-okafor)',
          '',
          'Ready on http://localhost:3000',
          '',
        ].join('\n'),
      );
    },
  );
});

describe('the tokens of the demo', () => {
  test.each(['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000'])(
    'the tokens of the demo are shown on %s',
    async (host) => {
      for (const path of ['/', '/docs']) expect((await get({ ...BROWSER, host }, { path }))?.body).toContain('_hidden');
    },
  );

  test.each(['evil.test', 'localhost.evil.test:3000', '192.0.2.1:3000', ''])(
    'the tokens of the demo are not shown on %j, a name that another site may resolve to this machine',
    async (host) => {
      for (const path of ['/', '/docs']) {
        const page = await get({ ...BROWSER, host }, { path });
        expect(page?.statusCode).toBe(200);
        expect(page?.body).not.toContain('_hidden');
      }
      expect(await get({ ...BROWSER, host }, { path: '/demo' })).toMatchObject({
        statusCode: 404,
        body: expect.not.stringContaining('_hidden'),
      });
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

const shop = (path: string, served = pages(demo)) => get(BROWSER, { path, served });
const addressesIn = (text = '') => [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);

describe('/demo', () => {
  test('the page loads nothing from other hosts, and has no inline script or style', async () => {
    const page = await shop('/demo');
    expect(page?.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    const policy = String(page?.headers?.['content-security-policy']).split('; ');
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]));
    expect(policy.join()).not.toMatch(/unsafe|\*|http/);
    expect(page?.body).not.toMatch(/<script>|<style|\sstyle=|\son[a-z]+=|:\/\//);
    expect(
      addressesIn(page?.body).filter(
        (address) => !/^(?:\/demo\/|#|\/docs$|\/outbox$|\/$|\/gr\.js$|\/style\.css$|\/local\/page\.css$)/.test(address),
      ),
    ).toEqual([]);
  });

  test('the page contains the public key, the advocate, and tokens only in the addresses of its frames', async () => {
    const page = await shop('/demo');
    expect(page?.body).toContain('<script async src="/gr.js" data-pk="pk_0123"></script>');
    expect(page?.body).toContain('data-slug="amara-okafor" data-first-name="Amara" data-last-name="Okafor"');
    const frames = [...(page?.body ?? '').matchAll(/<iframe[^>]* data-address="([^"]+)"/g)].map(
      ([, address]) => address,
    );
    expect(frames).toEqual(['/portal#token=rta_hidden', '/dashboard#token=rtp_hidden']);
    expect(page?.body?.replace(/<iframe[^>]*>/g, '')).not.toMatch(/\{\{|_hidden/);
    expect(page?.headers?.['content-security-policy']).toContain("frame-src 'self'");
  });
});

test('the name of the advocate is escaped', async () => {
  const page = await shop('/demo', pages({ ...demo, advocateName: `Zoë "<b>$&" O'Neill` }));
  expect(page?.body).toContain('data-last-name="&#34;&#60;b&#62;$&#38;&#34; O&#39;Neill"');
});

test.each(['/demo/index.html', '/demo/../package.json', '/demo/..%2fpackage.json', '/demo/__proto__'])(
  '%j is not served',
  async (path) => {
    expect(await shop(path)).toBeUndefined();
  },
);
