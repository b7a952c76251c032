import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isOperationId, ROUTES } from '../../functions/routes.ts';
import { anyCharacter } from '../support/any-character.ts';
import { ALL_DRIVERS } from '../support/drivers.ts';
import { anAdvocate, aProgram, aToken } from '../support/program.ts';
import { outcomeOf } from '../support/responses.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
const tokens = { program: '', affiliate: '' };
/** The parameters that the operations of a merchant require. */
let required: string;
beforeAll(async () => {
  const program = await aProgram(table);
  const advocate = await anAdvocate(table, program);
  tokens.program = await aToken(table, program);
  tokens.affiliate = await aToken(table, program, advocate);
  required = `affiliate_slug=${advocate.slug}&`;
});

const LISTS = ['listAdvocates', 'listAdvocatesV2', 'listReferrals', 'listReferralsV2'] as const;
const COUNTS = ['countReferrals', 'countOwnReferrals'] as const;
const QUERIES = [...LISTS, ...COUNTS];
type WithQuery = (typeof QUERIES)[number];
const isOfOneAdvocate = (operation: WithQuery) => operation !== 'listAdvocates' && operation !== 'listAdvocatesV2';
const requiresSlug = (operation: WithQuery) => operation === 'listReferralsV2' || operation === 'countReferrals';

const INVALID_TIMES: [query: string, parameter: string][] = [
  ['created_at_gt=2026-02-30T00:00:00Z', 'created_at_gt'],
  ['created_at_gt=2026-01-01T24:00:00Z', 'created_at_gt'],
  ['created_at_lt=2026-01-01T23:59:60Z', 'created_at_lt'],
  ['created_at_lt=2026-01-01T00:00:00%2B14:01', 'created_at_lt'],
  ['created_at_lt=2026-01-01', 'created_at_lt'],
  ['created_at_lt=1767225600', 'created_at_lt'],
  ['created_at_lt=', 'created_at_lt'],
  ['created_at_lt=%ff', 'created_at_lt'],
  ['created_at_lt=2026-01-01T00:00:00Z&created_at_lt=2026-01-01T00:00:00Z', 'created_at_lt'],
];

const INVALID_IN_LISTS: [query: string, parameter: string][] = [
  ...['0', '-1', '01', '1.0', '1e1', '+1', '%201', '', '1000000000', 'x', '0x10', '%zz', '%D9%A1'].flatMap(
    (value): [string, string][] => [
      [`page=${value}`, 'page'],
      [`per_page=${value}`, 'per_page'],
    ],
  ),
  ['per_page=51', 'per_page'],
  ['page', 'page'],
  ['page=1&page=1', 'page'],
  ['page=1&p%61ge=2', 'page'],
];

const INVALID_SUB_IDS: [query: string, parameter: string][] = [
  ['sub_id_eq=', 'sub_id_eq'],
  [`sub_id_eq=${'x'.repeat(129)}`, 'sub_id_eq'],
  ['sub_id_eq=%00', 'sub_id_eq'],
  ['sub_id_eq=%0d%0a', 'sub_id_eq'],
  ['sub_id_eq=%zz', 'sub_id_eq'],
  ['sub_id_eq=%ED%A0%80', 'sub_id_eq'],
];

const INVALID_FOR_REFERRALS: [query: string, parameter: string][] = [
  ['state_eq=', 'state_eq'],
  ['state_eq=Paid', 'state_eq'],
  ['state_eq=paid,churned', 'state_eq'],
  ['state_eq=paid&state_eq=paid', 'state_eq'],
  ['state_set_at_gt=yesterday', 'state_set_at_gt'],
];

const INVALID_GROUPS: [query: string, parameter: string][] = [
  ['group_by=', 'group_by'],
  ['group_by', 'group_by'],
  ['group_by=DAY', 'group_by'],
  ['group_by=day,month', 'group_by'],
  ['group_by=state', 'group_by'],
  ['group_by=__proto__', 'group_by'],
  ['group_by=%00', 'group_by'],
  ['group_by=day&group%5Fby=day', 'group_by'],
  ...['', '1', 'TRUE', 'false%20', 'null', '%00'].map((value): [string, string] => [`clicks=${value}`, 'clicks']),
  ['clicks', 'clicks'],
  ['clicks=false&clicks=true', 'clicks'],
  ...['state_eq', 'state_set_at_lt', 'state_set_at_gt', 'page', 'per_page', 'cursor'].flatMap(
    (name): [string, string][] => [
      [`${name}=1`, name],
      [name, name],
      [`${name}=%zz`, name],
    ],
  ),
];

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?";
const percentEncoded = anyCharacter.map((one) => Buffer.from(one).toString('hex').replace(/../g, '%$&'));
/** The texts of `fc.webQueryParameters`, which first stores all characters in a map, as its unit `binary` does. */
const webQuery = fc.string({
  unit: fc.oneof({ weight: 10, arbitrary: fc.constantFrom(...PLAIN) }, { weight: 1, arbitrary: percentEncoded }),
});

describe.each(ALL_DRIVERS)('queries through %s', (_, connect) => {
  const send = connect(table);
  const list = (operation: WithQuery, query: string) =>
    send({
      operation,
      token: operation === 'listReferrals' || operation === 'countOwnReferrals' ? tokens.affiliate : tokens.program,
      query: requiresSlug(operation) ? required + query : query,
    });

  const cases = [
    ...QUERIES.flatMap((operation) => INVALID_TIMES.map((row) => [operation, ...row] as const)),
    ...LISTS.flatMap((operation) => INVALID_IN_LISTS.map((row) => [operation, ...row] as const)),
    ...QUERIES.filter(isOfOneAdvocate).flatMap((operation) =>
      INVALID_SUB_IDS.map((row) => [operation, ...row] as const),
    ),
    ...(['listReferrals', 'listReferralsV2'] as const).flatMap((operation) =>
      INVALID_FOR_REFERRALS.map((row) => [operation, ...row] as const),
    ),
    ...COUNTS.flatMap((operation) => INVALID_GROUPS.map((row) => [operation, ...row] as const)),
  ];
  test.each(QUERIES)('each invalid parameter of %s returns 400, and the error names it', async (operation) => {
    for (const [, query, parameter] of cases.filter(([each]) => each === operation)) {
      const { status, json, headers } = await list(operation, query);
      const found = [query, status, headers['x-error-code'], json.error.split(' ')[0]];
      expect(found).toEqual([query, 400, 'invalid_field', parameter]);
    }
  });

  test.each(['listAdvocates', 'listReferrals'] as const)('%s, of V1, ignores unknown parameters', async (operation) => {
    const { status } = await list(operation, 'unknown=%zz&__proto__=1&constructor=2&&=&%zz=1&PAGE=0&unknown=2');
    expect(status).toBe(200);
  });

  // Routes of pages have no caller.
  const v2Reads = Object.values(ROUTES).filter(({ method, path }) => method === 'GET' && path.startsWith('/v2/'));
  test('every GET of V2 refuses unknown parameters, and names only what looks like a parameter', async () => {
    const operations = Object.keys(ROUTES).filter(isOperationId);
    for (const route of v2Reads) {
      const operation = operations.find((id) => ROUTES[id] === route) ?? 'getProgram';
      const isAffiliates = typeof route.access === 'object' && route.access.token === 'affiliate';
      const token = isAffiliates ? tokens.affiliate : tokens.program;
      const answers = ['unknown=%zz', '%zz=1', '__proto__=1', 'a%40b.example'].map(async (query) =>
        outcomeOf(await send({ operation, token, query })),
      );
      const named = (name: string) => [400, 'invalid_field', `${name} is not a parameter of this operation: remove it`];
      const unnamed = [400, 'invalid_field', expect.stringMatching(/^The query must /)];
      expect([operation, ...(await Promise.all(answers))]).toEqual([
        operation,
        named('unknown'),
        unnamed,
        named('__proto__'),
        unnamed,
      ]);
    }
  });

  test.each(QUERIES)('%s never returns a 5xx, whatever query is sent', async (operation) => {
    const name = fc.constantFrom(
      'page',
      'per_page',
      'cursor',
      'created_at_lt',
      'created_at_gt',
      'state_eq',
      'sub_id_eq',
      'group_by',
      'clicks',
      'affiliate_slug',
    );
    const value = fc.oneof(
      webQuery,
      fc.constantFrom('1', '50', 'paid', 'clicked', 'x', '%zz', '2026-01-01T00:00:00Z'),
      fc.string({ unit: anyCharacter }).map((text) => encodeURIComponent(text.toWellFormed())),
      fc.string().map((text) => Buffer.from(text).toString('base64url')),
    );
    const query = fc
      .array(fc.tuple(name, value), { maxLength: 4 })
      .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));
    await fc.assert(
      fc.asyncProperty(query, async (raw) => {
        expect([200, 400]).toContain((await list(operation, raw)).status);
      }),
      { numRuns: 75 },
    );
  });
});
