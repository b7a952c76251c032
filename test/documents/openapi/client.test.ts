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
  V1(`{ email: '${EMAIL}', gr_id: null, pk: 'pk_1', uid: 'partner-1' }`),
  V2(`{ affiliate_slug: 'jane-doe', uid: 'customer-1' }`),
  V2(`{ gr_id: '${GR_ID}', email: '${EMAIL}', uid: null, sub_id: null, affiliate_slug: null }`),
  STATE(`{ email: '${EMAIL}', state: 'paid' }`),
  STATE(`{ email: null, uid: 'customer-1', state: 'churned' }`),
  CLICK(`{ pk: 'pk_1', gr_id: '${GR_ID}', sub_id: null }`),
  CLICK(`JSON.stringify({ pk: 'pk_1', gr_id: '${GR_ID}' })`),
  REFERRALS(`{ state_eq: 'paid', created_at_gt: '2026-01-31T00:00:00Z', page: 2, per_page: 50 }`),
  `client.GET('/v1/advocates')`,
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
  [V1(`{ email: null, gr_id: '${GR_ID}' }`), /null.*string/],
  [V1(`{ gr_id: '${GR_ID}' }`), /missing.*email/],
  [V1(`{ email: '${EMAIL}' }`), /missing.*pk, uid/],
  [V1(`{ email: '${EMAIL}', pk: 'pk_1' }`), /uid.*missing/],
  [V1(`{ email: '${EMAIL}', gr_id: null }`), /null/],
  [V2(`{ affiliate_slug: 'jane-doe' }`), /missing.*uid/],
  [V2(`{ email: '${EMAIL}' }`), /missing.*gr_id/],
  [V2(`{ affiliate_slug: 'jane-doe', email: null, uid: null }`), /null/],
  [STATE(`{ email: '${EMAIL}', state: 'clicked' }`), /"clicked".*not assignable/],
  [STATE(`{ email: '${EMAIL}' }`), /missing.*state/],
  [STATE(`{ state: 'paid' }`), /uid.*missing/],
  [CLICK(`{ gr_id: '${GR_ID}' }`), /pk.*missing/],
  [CLICK(`{ pk: 'pk_1', gr_id: '${GR_ID}', sub_id: 7 }`), /number.*string/],
  [REFERRALS(`{ state_eq: 'new' }`), /"new"/],
  [REFERRALS(`{ per_page: '50' }`), /string.*number/],
  [`client.POST('/v1/tracking/conversion')`, /Expected 2 arguments/],
  [`client.POST('/v1/advocates', {})`, /not assignable/],
  [
    `client.POST('/v1/tracking/conversion', { params: { header: { 'Idempotency-Key': 1 } }, body: { email: '', gr_id: '' } })`,
    /number.*string/,
  ],
  [`client.GET('/v1/advocates').then(({ data }) => data.data[0]?.attributes.state)`, /'state' does not exist/],
];

const folder = mkdtempSync(join(tmpdir(), 'openapi-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The compiler's errors, by file. */
/** Projects compile with either setting of `exactOptionalPropertyTypes`. */
const MODES = ['true', 'false'];
const errors = new Map<string, string>();
const forEachMode = <Case extends object>(cases: readonly Case[]) =>
  MODES.flatMap((mode) => cases.map((one) => ({ ...one, mode })));

const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
const goodFile = (index: number) => `good-${index}.ts`;
const badFile = (index: number) => `bad-${index}.ts`;

beforeAll(() => {
  installClient(folder);
  const file = (name: string, code: string) => writeFileSync(join(folder, name), code);
  const call = (name: string, code: string) =>
    file(name, `import { client } from './client.ts';\nexport const result = ${code};\n`);
  file(
    'client.ts',
    `import { referralTracking } from 'referral-tracking-client';\nexport const client = referralTracking({ baseUrl: 'http://localhost:3000' });\n`,
  );
  for (const [index, code] of GOOD.entries()) call(goodFile(index), code);
  for (const [index, [code]] of BAD.entries()) call(badFile(index), code);
  const compilerOptions = {
    target: 'ES2024',
    lib: ['ES2024', 'DOM'],
    module: 'NodeNext',
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  file('package.json', '{ "type": "module" }');
  file('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const tsc = join(ROOT, 'node_modules/typescript', ts.bin.tsc);
  for (const mode of MODES) {
    // Compiled with the project's TypeScript 7.
    const { stdout } = run(tsc, '--project', folder, '--pretty', 'false', '--exactOptionalPropertyTypes', mode);
    let name = '';
    for (const line of stdout.split('\n')) {
      name = /^([\w.-]+)\(\d+,\d+\): error/.exec(line)?.[1] ?? name;
      const key = `${mode} ${name}`;
      errors.set(key, `${errors.get(key) ?? ''}${line} `);
    }
  }
});

test.each(forEachMode(GOOD.map((call, index) => ({ call, index }))))(
  'a request compiles: $call ($mode)',
  ({ mode, index }) => {
    expect(errors.get(`${mode} ${goodFile(index)}`)).toBeUndefined();
  },
);

test.each(forEachMode(BAD.map(([call, error], index) => ({ call, error, index }))))(
  'a request does not compile: $call ($mode)',
  ({ mode, index, error }) => {
    expect(errors.get(`${mode} ${badFile(index)}`)).toMatch(error);
  },
);

test('only those calls have errors', () => {
  const expected = forEachMode(BAD.map((_, index) => ({ file: badFile(index) }))).map(
    ({ mode, file }) => `${mode} ${file}`,
  );
  const others = [...errors.keys()].filter((key) => !key.endsWith(' ') && !expected.includes(key));
  expect(others).toEqual([]);
});
