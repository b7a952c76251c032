import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { functionsOf } from '../../../bin/local/gateway.ts';
import { renewCookie } from '../../../client/src/client.ts';
import { uuidv7 } from '../../../functions/kernel/ids.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { codeBlocks } from '../../support/documents/documents.ts';
import { FRAMEWORKS, renewals } from '../../support/documents/renewals.ts';
import { runTokenRoute, FRAMEWORKS as TOKEN_ROUTES } from '../../support/documents/token-routes.ts';
import { NO_SECRETS, partsOf, useGateway } from '../../support/drivers.ts';
import { aToken } from '../../support/program.ts';
import { useProgram } from '../../support/use-table.ts';

const DAY = 86_400_000;
const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8';
const ID = uuidv7(milliseconds(Date.now() - DAY), randomBytes);

/** A `gr_id` whose click was at a time. */
const grIdAt = (time: number) => `jane-doe.${uuidv7(milliseconds(time), randomBytes)}`;

/** The cookie in a value of `Set-Cookie`, with its attributes in lower case, and the end that it has at a time. */
function parse(setCookie: string, now: number) {
  const [pair = '', ...rest] = setCookie.split(/; */);
  const attributes = new Map(
    rest.map((attribute) => {
      const [name = '', value = ''] = attribute.split('=');
      return [name.toLowerCase(), value];
    }),
  );
  const maxAge = attributes.get('max-age');
  const end = maxAge === undefined ? Date.parse(attributes.get('expires') ?? '') : now + Number(maxAge) * 1000;
  const others = Object.fromEntries([...attributes].filter(([name]) => !/^(?:max-age|expires)$/.test(name)));
  return { pair, end, others: { ...others, samesite: attributes.get('samesite')?.toLowerCase() } };
}

/** The attributes besides the lifetime, as the script writes them: test/script/cookie.test.ts. */
const ATTRIBUTES = { path: '/', domain: 'shop.example', samesite: 'lax', secure: '' };

/** `SAMPLES=all`, which CI sets, selects all frameworks: there, none may be missing. */
const isTested = ({ command, check }: { readonly command: string; readonly check: readonly string[] }) =>
  process.env['SAMPLES'] === 'all' || spawnSync(command, check).status === 0;

describe.each([
  ...FRAMEWORKS.filter(isTested).map((framework) => ({
    name: `the sample for ${framework.name}`,
    respond: (requests: readonly Record<string, string>[]) => renewals(framework, requests),
  })),
  {
    name: 'renewCookie of the client',
    respond: async (requests: readonly Record<string, string>[]) =>
      requests
        .map((headers) => renewCookie(headers, { domain: 'shop.example' }) ?? [])
        .map((cookies) => [cookies].flat()),
  },
])('$name', ({ respond }) => {
  test('the cookie is renewed with the attributes of the script until 60 days after the click', async () => {
    const before = Date.now();
    const clicks = [0, 8.5, 59.9].map((days) => before - days * DAY);
    const grIds = clicks.map(grIdAt);
    const responses = await respond(
      grIds.map((grId) => ({ accept: ACCEPT, cookie: `theme=dark; gr_id=${grId}; session=1` })),
    );
    const after = Date.now();
    expect(responses.map((cookies) => cookies.map((cookie) => parse(cookie, after)))).toEqual(
      grIds.map((grId) => [{ pair: `gr_id=${grId}`, end: expect.any(Number), others: ATTRIBUTES }]),
    );
    responses.flat().forEach((cookie, index) => {
      const end = (clicks[index] ?? 0) + 60 * DAY;
      // The server computed the lifetime between both times, in whole seconds.
      expect(parse(cookie, before).end).toBeLessThanOrEqual(end);
      expect(parse(cookie, after).end).toBeGreaterThan(end - 2000);
    });
  });

  test('nothing is renewed without a current click, for other requests than pages, and under Global Privacy Control', async () => {
    const requests: Record<string, Record<string, string>> = {
      'without the cookie': {},
      'of a click 60 days ago': { cookie: `gr_id=${grIdAt(Date.now() - 60 * DAY)}` },
      'of a click in the future': { cookie: `gr_id=${grIdAt(Date.now() + DAY)}` },
      'for an image': { cookie: `gr_id=jane.${ID}`, accept: 'image/avif,*/*' },
      'under Global Privacy Control': { cookie: `gr_id=jane.${ID}`, 'sec-gpc': '1' },
    };
    const responses = await respond(Object.values(requests).map((headers) => ({ accept: ACCEPT, ...headers })));
    const renewed = Object.keys(requests).filter((_, index) => responses[index]?.length !== 0);
    expect(renewed).toEqual([]);
  });

  test('malformed cookies are not renewed', async () => {
    const values = [
      '',
      'jane',
      `Jane.${ID}`,
      `jane_${ID}`,
      `jane.${ID.slice(0, 14)}4${ID.slice(15)}`,
      `jane.${ID}x`,
      '%FF',
    ];
    const injections = [`jane.${ID}%0a`, `jane.${ID}%0d%0aSet-Cookie:%20a=b`, `jane.${ID},a=b`, `%3B.${ID}`];
    const cookies = [...values, ...injections].map((value) => `gr_id=${value}`).concat(`gr_id[]=jane.${ID}`);
    const responses = await respond(cookies.map((cookie) => ({ accept: ACCEPT, cookie })));
    expect(responses).toEqual(cookies.map(() => []));
  });
});

const { table, program, advocate } = await useProgram();
const programToken = await aToken(table, program);
const gateway = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));

describe.each(TOKEN_ROUTES.filter(isTested))('the route for $name', (framework) => {
  const run = (slug: string) =>
    runTokenRoute(framework, { BASE_URL: gateway.url(), PROGRAM_TOKEN: programToken, SLUG: slug });

  test('the route returns a token of the signed-in advocate, which reads its page', async () => {
    const { status, caching, body } = await run(advocate.slug);
    expect([status, caching]).toEqual([201, 'no-store']);
    const { token, expires_at } = Object(body).data.attributes;
    expect(expires_at * 1000).toBeGreaterThan(Date.now());
    const response = await fetch(`${gateway.url()}/v2/affiliate`, { headers: { authorization: `Bearer ${token}` } });
    expect(Object(await response.json()).data.attributes.slug).toBe(advocate.slug);
  });

  test('the route passes an error on', async () => {
    expect((await run('nobody')).status).toBe(404);
  });
});

test('docs/portal.md embeds the element that the script defines', async () => {
  const [html = ''] = codeBlocks('docs/portal.md', 'html');
  const script = await (await fetch(`${gateway.url()}/portal.js`)).text();
  const [, element = ''] = /<([\w-]+) token-url="\/my\/referral-token">/.exec(html) ?? [];
  expect(script).toContain(element);
  expect(html).toContain('<script src="$BASE_URL/portal.js"></script>');
});
