import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { ALL_DRIVERS } from '../support/drivers.ts';
import { anAdvocate, aProgram, aToken } from '../support/program.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
const tokens = { listAdvocates: '', listReferrals: '' };
beforeAll(async () => {
  const program = await aProgram(table);
  tokens.listAdvocates = await aToken(table, program);
  tokens.listReferrals = await aToken(table, program, await anAdvocate(table, program));
});

const LISTS = ['listAdvocates', 'listReferrals'] as const;

const INVALID_IN_BOTH: [query: string, parameter: string][] = [
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

const INVALID_FOR_REFERRALS: [query: string, parameter: string][] = [
  ['state_eq=', 'state_eq'],
  ['state_eq=Paid', 'state_eq'],
  ['state_eq=paid,churned', 'state_eq'],
  ['state_eq=paid&state_eq=paid', 'state_eq'],
  ['sub_id_eq=', 'sub_id_eq'],
  [`sub_id_eq=${'x'.repeat(129)}`, 'sub_id_eq'],
  ['sub_id_eq=%00', 'sub_id_eq'],
  ['sub_id_eq=%0d%0a', 'sub_id_eq'],
  ['sub_id_eq=%zz', 'sub_id_eq'],
  ['sub_id_eq=%ED%A0%80', 'sub_id_eq'],
  ['state_set_at_gt=yesterday', 'state_set_at_gt'],
];

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?";
const percentEncoded = anyCharacter.map((one) => Buffer.from(one).toString('hex').replace(/../g, '%$&'));
/** The texts of `fc.webQueryParameters`, which first stores all characters in a map, as its unit `binary` does. */
const webQuery = fc.string({
  unit: fc.oneof({ weight: 10, arbitrary: fc.constantFrom(...PLAIN) }, { weight: 1, arbitrary: percentEncoded }),
});

describe.each(ALL_DRIVERS)('through %s', (_, connect) => {
  const send = connect(table);
  const list = (operation: (typeof LISTS)[number], query: string) =>
    send({ operation, token: tokens[operation], query });

  const cases = [
    ...LISTS.flatMap((operation) => INVALID_IN_BOTH.map((row) => [operation, ...row] as const)),
    ...INVALID_FOR_REFERRALS.map((row) => ['listReferrals', ...row] as const),
  ];
  test.each(cases)('%s?%s returns 400, and the error names %s', async (operation, query, parameter) => {
    const { status, json, headers } = await list(operation, query);
    expect([status, headers['x-error-code']]).toEqual([400, 'invalid_field']);
    expect(json.error).toMatch(new RegExp(`^${parameter} `));
  });

  test.each(LISTS)('%s ignores unknown parameters, even with invalid encodings', async (operation) => {
    const { status } = await list(operation, 'unknown=%zz&__proto__=1&constructor=2&&=&%zz=1&PAGE=0&unknown=2');
    expect(status).toBe(200);
  });

  test.each(LISTS)('%s never returns a 5xx, whatever query is sent', async (operation) => {
    const name = fc.constantFrom(
      'page',
      'per_page',
      'cursor',
      'created_at_lt',
      'created_at_gt',
      'state_eq',
      'sub_id_eq',
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
      { numRuns: 150 },
    );
  });
});
