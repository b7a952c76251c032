import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Route } from '../../../functions/kernel/http/route.ts';
import { isOperationId, ROUTES } from '../../../functions/routes.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { ALL_DRIVERS } from '../../support/drivers.ts';
import { aToken } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const tokens = { program: await aToken(table, program), affiliate: await aToken(table, program, advocate) };
/** The parameters that the operations of a merchant require. */
const required = `affiliate_slug=${advocate.slug}&`;

const LISTS = ['listAdvocates', 'listAdvocatesV2', 'listReferrals', 'listOwnReferrals', 'listReferralsV2'] as const;
const COUNTS = ['countReferrals', 'countOwnReferrals'] as const;
const QUERIES = [...LISTS, ...COUNTS];
type WithQuery = (typeof QUERIES)[number];
const isOwn = (operation: WithQuery) => ['listReferrals', 'listOwnReferrals', 'countOwnReferrals'].includes(operation);
const requiresSlug = (operation: WithQuery) => operation === 'listReferralsV2' || operation === 'countReferrals';

/** Invalid values of parameters, by parameter. test/kernel/unit/http/validation.test.ts has more. */
type Invalid = Readonly<Record<string, readonly string[]>>;
const TIMES: Invalid = {
  created_at_gt: ['=2026-02-30T00:00:00Z', '=2026-01-01T24:00:00Z'],
  created_at_lt: ['=2026-01-01T00:00:00%2B14:01', '=2026-01-01', '=1767225600', '=', '=%ff', '=x&created_at_lt=x'],
};
const NUMBERS = ['=0', '=-1', '=01', '=1.0', '=1e1', '=+1', '=', '=1000000000', '=x', '=%zz', '=%D9%A1', ''];
const PAGING: Invalid = { page: [...NUMBERS, '=1&page=1', '=1&p%61ge=2'], per_page: [...NUMBERS, '=51'] };
const SUB_IDS: Invalid = { sub_id_eq: ['=', `=${'x'.repeat(129)}`, '=%00', '=%0d%0a', '=%zz', '=%ED%A0%80'] };
const STATES: Invalid = {
  state_eq: ['=', '=Paid', '=paid,churned', '=paid&state_eq=paid'],
  state_set_at_gt: ['=yesterday'],
};
const GROUPS: Invalid = {
  group_by: ['=', '', '=DAY', '=day,month', '=state', '=__proto__', '=%00', '=day&group%5Fby=day'],
  clicks: ['=', '=1', '=TRUE', '=false%20', '', '=false&clicks=true'],
  // Lists have these parameters.
  ...Object.fromEntries(
    ['state_eq', 'state_set_at_lt', 'page', 'per_page', 'cursor'].map((name) => [name, ['=1', '', '=%zz']]),
  ),
};
const INVALID: Readonly<Record<WithQuery, readonly Invalid[]>> = {
  listAdvocates: [TIMES, PAGING],
  listAdvocatesV2: [TIMES, PAGING],
  listOwnReferrals: [TIMES, PAGING, SUB_IDS, STATES],
  listReferrals: [TIMES, PAGING, SUB_IDS, STATES],
  listReferralsV2: [TIMES, PAGING, SUB_IDS, STATES],
  countReferrals: [TIMES, SUB_IDS, GROUPS],
  countOwnReferrals: [TIMES, SUB_IDS, GROUPS],
};

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
      token: isOwn(operation) ? tokens.affiliate : tokens.program,
      query: requiresSlug(operation) ? required + query : query,
    });

  test.each(QUERIES)('each invalid parameter of %s returns 400, and the error names it', async (operation) => {
    for (const [parameter, values] of INVALID[operation].flatMap((each) => Object.entries(each))) {
      for (const value of values) {
        const [status, code, sentence] = outcomeOf(await list(operation, parameter + value));
        const found = [parameter + value, status, code, String(sentence).split(' ')[0]];
        expect(found).toEqual([parameter + value, 400, 'invalid_field', parameter]);
      }
    }
  });

  test.each(['listAdvocates', 'listReferrals'] as const)('%s, of V1, ignores unknown parameters', async (operation) => {
    const { status } = await list(operation, 'unknown=%zz&__proto__=1&constructor=2&&=&%zz=1&PAGE=0&unknown=2');
    expect(status).toBe(200);
  });

  // Routes of pages have no caller.
  const v2Reads = Object.values<Route>(ROUTES).filter(
    ({ method, path, access }) => method === 'GET' && path.startsWith('/v2/') && access !== 'anyone',
  );
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
    const name = fc.constantFrom(...Object.keys({ ...TIMES, ...PAGING, ...SUB_IDS, ...GROUPS }), 'affiliate_slug');
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
      { numRuns: 30 },
    );
  });
});
