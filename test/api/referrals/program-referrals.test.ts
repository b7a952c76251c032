import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken } from '../../support/program.ts';
import { cursorOf, idsOf, outcomeOf } from '../../support/responses.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const START = 1_767_225_600;
let program: Program;
let token: string;
let advocates: [Advocate, Advocate];
/** The ids, the latest change first. */
let ids: string[];
beforeAll(async () => {
  program = await aProgram(table);
  token = await aToken(table, program);
  advocates = [await anAdvocate(table, program), await anAdvocate(table, program)];
  const stored: string[] = [];
  for (const [index, state] of (['converted', 'paid', 'rejected', 'churned', 'paid'] as const).entries()) {
    const times = { createdAt: seconds(START - 10), stateSetAt: seconds(START + index) };
    const flags = index === 1 ? (['self_referral'] as const) : [];
    stored.push((await aReferral(table, program, advocates[index % 2] ?? advocates[0], { state, flags, ...times })).id);
  }
  await aClick(table, program, advocates[0]);
  ids = stored.reverse();
});

describe.each(DRIVERS)('GET /v2/referrals without affiliate_slug through %s', (_, connect) => {
  const send = connect(table);
  const list = (query = '') => send({ operation: 'listReferralsV2', token, query });

  test('the list has all referrals without clicks, the latest change first, in the form of the merchant', async () => {
    const { status, json } = await list();
    expect([status, json.data.map(({ id }: { id: string }) => id)]).toEqual([200, ids]);
    expect(json.meta).toEqual({ pagination: { page: 1, per_page: 25, has_more: false } });
    const of = await send({ operation: 'listReferralsV2', token, query: `affiliate_slug=${advocates[0].slug}` });
    expect(
      json.data.filter(
        ({ attributes }: { attributes: { affiliate_slug: string } }) => attributes.affiliate_slug === advocates[0].slug,
      ),
    ).toEqual(expect.arrayContaining(of.json.data));
  });

  test('the cursor of each page leads to the next one', async () => {
    const found: string[] = [];
    for (let query: string | undefined = 'per_page=2'; query !== undefined; ) {
      const page = await list(query);
      found.push(...idsOf(page));
      const cursor = cursorOf(page);
      query = cursor === undefined ? undefined : `per_page=2&cursor=${cursor}`;
    }
    expect(found).toEqual(ids);
  });

  test.each([
    ['state_eq=paid', [0, 3]],
    ['flag_eq=self_referral', [3]],
    ['flag_eq=self_referral&state_eq=churned', []],
    ['state_set_at_gt=2026-01-01T00:00:02Z', [0, 1]],
    ['state_set_at_lt=2026-01-01T00:00:02Z&state_eq=paid', [3]],
  ])('the filter %s applies', async (query, positions) => {
    expect(idsOf(await list(query))).toEqual(positions.map((position) => ids[position]));
  });

  test.each([
    ['state_eq=clicked', 'state_eq can be clicked only with affiliate_slug: add it'],
    ['sub_id_eq=news', 'sub_id_eq requires affiliate_slug: add it, or remove this filter'],
    ['created_at_gt=2026-01-01T00:00:00Z', 'created_at_gt requires affiliate_slug: add it, or remove this filter'],
    ['created_at_lt=2026-01-01T00:00:00Z', 'created_at_lt requires affiliate_slug: add it, or remove this filter'],
    ['page=2', 'page must be 1 without affiliate_slug: follow the Link header instead'],
    ['flag_eq=fraud', 'flag_eq must be one of self_referral'],
  ])('the query %s is refused', async (query, sentence) => {
    expect(outcomeOf(await list(query))).toEqual([400, 'invalid_field', sentence]);
  });

  test('flag_eq is refused with affiliate_slug, and a cursor of one list in the other', async () => {
    const flagged = await list(`affiliate_slug=${advocates[0].slug}&flag_eq=self_referral`);
    expect(outcomeOf(flagged)).toEqual([
      400,
      'invalid_field',
      'flag_eq cannot be combined with affiliate_slug: remove one of them',
    ]);
    const cursor = cursorOf(await list('per_page=2'));
    const [status, , sentence] = outcomeOf(await list(`affiliate_slug=${advocates[0].slug}&cursor=${cursor}`));
    expect([status, sentence]).toEqual([400, expect.stringMatching(/^cursor is not valid for this list/)]);
  });
});

describe.each(DRIVERS)('the filters of GET /v2/advocates through %s', (_, connect) => {
  const send = connect(table);

  test('email_eq, uid_eq and active_eq find advocates, alone and together', async () => {
    const own = await aProgram(table);
    const merchant = await aToken(table, own);
    const jane = await anAdvocate(table, own, { email: 'jane@partners.example', uid: 'p-1' });
    const john = await anAdvocate(table, own, { email: 'john@partners.example' });
    await send({ operation: 'updateAdvocate', token: merchant, slug: john.slug, body: { active: false } });
    const list = async (query: string) =>
      idsOf(await send({ operation: 'listAdvocatesV2', token: merchant, query: `${query}&per_page=1` }));
    expect(await list('email_eq=%20JANE@partners.example')).toEqual([jane.id]);
    expect(await list('uid_eq=p-1')).toEqual([jane.id]);
    expect(await list('uid_eq=P-1')).toEqual([]);
    expect(await list('active_eq=false')).toEqual([john.id]);
    expect(await list('active_eq=true&email_eq=john@partners.example')).toEqual([]);
    const invalid = await send({ operation: 'listAdvocatesV2', token: merchant, query: 'email_eq=jane' });
    expect(outcomeOf(invalid)[2]).toMatch(/^email_eq must be /);
  });
});
