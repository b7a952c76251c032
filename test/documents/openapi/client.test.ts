import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import ts from 'typescript/package.json' with { type: 'json' };
import { installClient } from '../../support/client/client-package.ts';

const ROOT = join(import.meta.dirname, '../../..');

const GR_ID = 'jane-doe.019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';
const EMAIL = 'visitor@example.com';

const V1 = (body: string) => `client.POST('/v1/tracking/conversion', { body: ${body} })`;
const V2 = (body: string) => `client.POST('/v2/tracking/conversion', { body: ${body} })`;
const STATE = (body: string) => `client.POST('/v2/tracking/state', { body: ${body} })`;
const CLICK = (body: string) => `client.POST('/v2/tracking/click', { body: ${body} })`;
const REFERRALS = (query: string) => `client.GET('/v1/affiliate/referrals', { params: { query: ${query} } })`;

/** Calls that must compile. */
const GOOD = [
  V1(`{ email: '${EMAIL}', gr_id: '${GR_ID}' }`),
  V1(`{ email: '${EMAIL}', pk: 'pk_1', uid: 'partner-1' }`),
  V2(`{ affiliate_slug: 'jane-doe', uid: 'customer-1' }`),
  V2(`{ gr_id: '${GR_ID}', email: '${EMAIL}', uid: null, sub_id: null, affiliate_slug: null }`),
  STATE(`{ email: '${EMAIL}', state: 'paid' }`),
  STATE(`{ email: null, uid: 'customer-1', state: 'churned' }`),
  CLICK(`{ pk: 'pk_1', gr_id: '${GR_ID}', sub_id: null }`),
  CLICK(`JSON.stringify({ pk: 'pk_1', gr_id: '${GR_ID}' })`),
  REFERRALS(`{ state_eq: 'paid', created_at_gt: '2026-01-31T00:00:00Z', page: 2, per_page: 50 }`),
  `client.POST('/v1/tracking/conversion', {
    params: { header: { 'Idempotency-Key': 'a' } }, body: { email: '${EMAIL}', gr_id: '${GR_ID}' },
  })`,
  `client.GET('/v1/affiliate/referrals').then(({ data }) => {
    const rate: number | null | undefined = data.data[0]?.attributes.commission_percentage;
    const more: boolean = data.meta.pagination.has_more;
    return [rate, more];
  })`,
  `import('openapi-fetch').then(async ({ default: create }) => {
    const { error } = await create<import('referral-tracking-client').paths>().POST('/v2/tracking/state', {
      body: { uid: 'a', state: 'paid' },
    });
    const sentence: string | undefined = error && 'error' in error ? error.error : error?.message;
    return sentence;
  })`,
  `(async () => {
    for await (const { attributes } of client.pages('/v1/advocates', { query: { per_page: 50 } })) return attributes.slug;
  })()`,
];

/** Calls that must not compile, with a part of the compiler's error. */
const BAD: [call: string, error: RegExp][] = [
  [V1(`{ email: 1, gr_id: '${GR_ID}' }`), /number.*string/],
  [V1(`{ gr_id: '${GR_ID}' }`), /missing.*email/],
  [V1(`{ email: '${EMAIL}' }`), /missing.*pk, uid/],
  [V1(`{ email: '${EMAIL}', gr_id: null }`), /null/],
  [V2(`{ affiliate_slug: 'jane-doe' }`), /missing.*uid/],
  [V2(`{ email: '${EMAIL}' }`), /missing.*gr_id/],
  [V2(`{ affiliate_slug: 'jane-doe', email: null, uid: null }`), /null/],
  [STATE(`{ email: '${EMAIL}', state: 'clicked' }`), /"clicked".*not assignable/],
  [STATE(`{ state: 'paid' }`), /uid.*missing/],
  [CLICK(`{ gr_id: '${GR_ID}' }`), /pk.*missing/],
  [CLICK(`{ pk: 'pk_1', gr_id: '${GR_ID}', sub_id: 7 }`), /number.*string/],
  [REFERRALS(`{ per_page: '50' }`), /string.*number/],
  [`client.POST('/v1/tracking/conversion')`, /Expected 2 arguments/],
  [`client.GET('/v1/advocates').then(({ data }) => data.data[0]?.attributes.state)`, /'state' does not exist/],
];

/** One call in each line, from the third on. */
const CALLS = [...GOOD, ...BAD.map(([call]) => call)].map((call) => `export const _ = ${call.replace(/\n\s*/g, ' ')};`);
const FILE = `import { referralTracking } from 'referral-tracking-client';
const client = referralTracking({ baseUrl: 'http://localhost:3000' });
${CALLS.map((call, index) => call.replace('_', `result${index}`)).join('\n')}
`;

const folder = mkdtempSync(join(tmpdir(), 'openapi-client-'));
beforeAll(() => {
  installClient(folder);
  const compilerOptions = {
    target: 'ES2024',
    lib: ['ES2024', 'DOM'],
    module: 'NodeNext',
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  };
  writeFileSync(join(folder, 'calls.ts'), FILE);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
});
afterAll(() => rmSync(folder, { recursive: true }));

// Projects compile with either setting.
test.each(['true', 'false'])('exactly the valid calls compile with exactOptionalPropertyTypes %s', (mode) => {
  // Compiled with the project's TypeScript 7.
  const tsc = join(ROOT, 'node_modules/typescript', ts.bin.tsc);
  const args = [tsc, '--project', folder, '--pretty', 'false', '--exactOptionalPropertyTypes', mode];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  // An error has several lines; all but the first are indented.
  const errors = new Map(
    stdout
      .trim()
      .split(/\n(?! )/)
      .map((error) => [Number(/^calls\.ts\((\d+),/.exec(error)?.[1]) - 3 - GOOD.length, error.replaceAll('\n', ' ')]),
  );
  expect(errors).toEqual(new Map(BAD.map(([, error], index) => [index, expect.stringMatching(error)])));
});
