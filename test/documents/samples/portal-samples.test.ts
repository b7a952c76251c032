import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { functionsOf } from '../../../bin/local/gateway.ts';
import { codeBlocks } from '../../support/documents/documents.ts';
import { FRAMEWORKS, runTokenRoute } from '../../support/documents/token-routes.ts';
import { NO_SECRETS, partsOf, useGateway } from '../../support/drivers.ts';
import { aToken } from '../../support/program.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const programToken = await aToken(table, program);
const gateway = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));

/** `SAMPLES=all`, which CI sets, selects all frameworks: there, none may be missing. */
const HERE = FRAMEWORKS.filter(
  ({ command, check }) => process.env['SAMPLES'] === 'all' || spawnSync(command, check).status === 0,
);

describe.each(HERE)('the route for $name', (framework) => {
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
