import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { sortKey } from '../../../functions/table/keys.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const SUB_ID = 'news';
/** Tokens of two advocates of one program, and of an advocate with the first one's slug in another program. */
let janesProgram: Program;
let jane: string;
let omar: string;
let namesake: string;
/** The ids of each advocate's referrals and clicks, by token. */
const rows = new Map<string, { readonly referrals: string[]; readonly clicks: string[] }>();

/** Stores an advocate with referrals and clicks, all with the same sub id. Returns its token. */
async function advocateToken(program: Program, slug: string): Promise<string> {
  const advocate = await anAdvocate(table, program, { slug });
  const token = await aToken(table, program, advocate);
  const own = { referrals: [] as string[], clicks: [] as string[] };
  for (let index = 0; index < 3; index += 1) {
    own.referrals.push((await aReferral(table, program, advocate, { subId: SUB_ID })).id);
    own.clicks.push((await aClick(table, program, advocate, { subId: SUB_ID })).id);
  }
  rows.set(token, own);
  return token;
}

beforeAll(async () => {
  janesProgram = await aProgram(table);
  jane = await advocateToken(janesProgram, 'jane');
  omar = await advocateToken(janesProgram, 'omar');
  namesake = await advocateToken(await aProgram(table), 'jane');
});

const LONG_AGO = '2020-01-01T00:00:00Z';
const FILTERS = [
  '',
  'state_eq=converted',
  'state_eq=clicked',
  `sub_id_eq=${SUB_ID}`,
  `state_eq=clicked&sub_id_eq=${SUB_ID}`,
  `created_at_gt=${LONG_AGO}`,
  'created_at_gt=2020-01-02T00:00:00Z',
  'created_at_lt=2100-01-01T00:00:00Z',
  `state_set_at_gt=${LONG_AGO}`,
  'state_set_at_lt=2100-01-01T00:00:00Z',
];

describe.each(DRIVERS)('GET /v1/affiliate/referrals through %s', (_, connect) => {
  const send = connect(table);
  const list = (token: string, query: string) => send({ operation: 'listReferrals', token, query });

  /** The cursor after the first row of a list. */
  async function cursorOf(token: string, filter: string): Promise<string> {
    const { headers } = await list(token, `per_page=1&${filter}`);
    const [, next = ''] = /<([^>]+)>/.exec(headers['link'] ?? '') ?? [];
    return new URL(next).searchParams.get('cursor') ?? '';
  }

  test('a cursor that version 1.0.0 issued is still valid', async () => {
    const [first, second, third] = (await list(jane, '')).json.data;
    // The page, a fingerprint of the list, and the sort key of the row before the page.
    const fingerprint = createHash('sha256').update(`["referrals","${janesProgram.id}","jane",{}]`).digest('base64url');
    const before = `2.${fingerprint.slice(0, 22)}.${sortKey(first.attributes.created_at, first.id)}`;
    const { status, json } = await list(jane, `cursor=${Buffer.from(before).toString('base64url')}`);
    expect([status, json.data]).toEqual([200, [second, third]]);
  });

  test.each(FILTERS)('a cursor of the list with "%s" is not valid with other filters', async (filter) => {
    const cursor = await cursorOf(jane, filter);
    expect((await list(jane, `cursor=${cursor}&${filter}`)).status).toBe(200);
    for (const other of FILTERS.filter((each) => each !== filter)) {
      const { status, json } = await list(jane, `cursor=${cursor}&${other}`);
      expect([other, status, json.error]).toEqual([other, 400, expect.stringMatching(/^cursor /)]);
    }
  });

  test.each(FILTERS)('a cursor of the list with "%s" is not valid for another advocate', async (filter) => {
    const cursor = await cursorOf(jane, filter);
    for (const other of [omar, namesake]) {
      const { status, json } = await list(other, `cursor=${cursor}&${filter}`);
      expect([status, json.error]).toEqual([400, expect.stringMatching(/^cursor /)]);
    }
  });

  test.each(FILTERS)(
    'the list with "%s" has only own rows, even if advocates of two programs share slugs and sub ids',
    async (filter) => {
      for (const token of [jane, omar, namesake]) {
        const { json } = await list(token, `per_page=50&${filter}`);
        const { referrals = [], clicks = [] } = rows.get(token) ?? {};
        const expected = filter.includes('clicked') ? clicks : referrals;
        const ids = json.data.map(({ id }: { id: string }) => id);
        expect(ids.sort()).toEqual(expected.sort());
      }
    },
  );
});
