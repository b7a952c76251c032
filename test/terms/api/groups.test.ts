import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { type ApiRequest, DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const RULES = [
  { amounts: { eur: 2000 }, payments: 1 },
  { percentage: 10, months: 12 },
];
const SHOWN = [
  { percentage: null, amounts: { eur: 2000 }, payments: 1, months: null, paying_from: null },
  { percentage: 10, amounts: null, payments: null, months: 12, paying_from: null },
];

const table = useTable();
let program: Program;
let token: string;
beforeEach(async () => {
  program = await aProgram(table);
  token = await aToken(table, program);
});

describe.each(DRIVERS)('groups and commission rules through %s', (_, connect) => {
  const send = connect(table);
  const call = (request: Omit<ApiRequest, 'token'>, by = token) => send({ token: by, ...request });
  const put = (name: string, body: object = {}) => call({ operation: 'putGroup', name, body });
  const change = (body: object) => call({ operation: 'updateProgram', body });

  test('a group is created and replaced as a whole, and a repetition changes nothing', async () => {
    const body = { title: 'Creators', commission_rules: RULES };
    const created = await put('Creators', body);
    const rulesId = created.json.data.attributes.commission_rules_id;
    expect([created.status, created.json]).toEqual([
      200,
      {
        data: {
          id: 'creators',
          type: 'group',
          attributes: {
            title: 'Creators',
            commission_percentage: null,
            commission_months: null,
            commission_rules_id: expect.stringMatching(/^[0-9a-f]{16}$/),
            commission_rules: SHOWN,
          },
        },
      },
    ]);
    await expectUnchanged(table, async () => expect((await put('creators', body)).json).toEqual(created.json));
    await put('a', { commission_percentage: 30, commission_months: 6 });
    expect((await put('creators')).json.data.attributes).toMatchObject({ title: null, commission_rules_id: null });
    const listed = await call({ operation: 'listGroups' });
    expect(listed.json.data).toMatchObject([
      { id: 'a', attributes: { commission_percentage: 30, commission_months: 6, commission_rules: null } },
      { id: 'creators', attributes: { commission_percentage: null, commission_rules: null } },
    ]);
    const rules = await call({ operation: 'getCommissionRules', rulesId });
    expect(rules.json).toEqual({ data: { id: rulesId, type: 'commission_rules', attributes: { rules: SHOWN } } });
    const own = await aToken(table, program, await anAdvocate(table, program));
    expect((await call({ operation: 'getOwnCommissionRules', rulesId }, own)).json).toEqual(rules.json);
  });

  test('the 51st group is refused, also of two requests at the same moment', async () => {
    for (let number = 1; number < 50; number += 1) await put(`group-${number}`);
    const both = await Promise.all(['one', 'other'].map((name) => put(name)));
    const REFUSED = [409, 'too_many_groups', 'The program has 50 groups. Change one of them.'];
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(outcomeOf(await put('another'))).toEqual(REFUSED);
    expect((await put('group-1', { title: 'Changed' })).status).toBe(200);
    expect((await call({ operation: 'listGroups' })).json.data).toHaveLength(50);
  });

  test('simultaneous changes of different groups are both stored', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => put(name, { commission_percentage: 5 })));
    const { data } = (await call({ operation: 'listGroups' })).json;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });

  test.each([
    [
      { commission_rules: RULES, commission_percentage: 5 },
      'commission_rules cannot be combined with commission_percentage and commission_months: send one form',
    ],
    [{ commission_months: 5 }, 'commission_percentage is required with commission_months'],
    [
      { commission_rules: [{ percentage: 5, months: 0 }] },
      'commission_rules[0].months must be a whole number from 1 to 1200',
    ],
    [{ commission_rules: 'none' }, 'commission_rules must be a list'],
  ])('a group with %j is refused', async (body, sentence) => {
    expect(outcomeOf(await put('partners', body))).toEqual([400, 'invalid_field', sentence]);
    const problem = 'name must be 1 to 64 letters, digits, hyphens or underscores';
    expect(outcomeOf(await put('two words'))).toEqual([400, 'invalid_field', problem]);
  });

  test('only a token with the scope admin changes groups and puts advocates into one', async () => {
    await put('partners');
    const limited = await aToken(table, program, undefined, null, ['read', 'advocates']);
    const { slug } = await anAdvocate(table, program);
    const refused = [403, 'missing_scope', 'The token lacks the scope admin: use a token that has it'];
    const body = { email: 'jane@example.com', group: 'partners' };
    for (const request of [
      { operation: 'putGroup', name: 'partners', body: {} },
      { operation: 'createAdvocate', body },
      { operation: 'updateAdvocate', slug, body: { group: null } },
    ] as const) {
      expect(outcomeOf(await call(request, limited))).toEqual(refused);
    }
    expect((await call({ operation: 'listGroups' }, limited)).status).toBe(200);
  });

  test('an advocate gets a group that exists, is listed by it, and leaves it', async () => {
    await put('Partners');
    const unknown = [400, 'invalid_field', 'group must be the name of a group of the program'];
    const create = (group: string) =>
      call({ operation: 'createAdvocate', body: { email: 'jane@example.com', slug: `jane-${newId()}`, group } });
    expect(outcomeOf(await create('friends'))).toEqual(unknown);
    const { slug, group } = (await create('PARTNERS')).json.data.attributes;
    expect(group).toBe('partners');
    const update = (value: string | null) => call({ operation: 'updateAdvocate', slug, body: { group: value } });
    expect(outcomeOf(await update('friends'))).toEqual(unknown);
    await anAdvocate(table, program);
    for (const query of ['group_eq=partners', 'group_eq=Partners&sort=clicks', 'group_eq=partners&search=jane']) {
      const { data } = (await call({ operation: 'listAdvocatesV2', query })).json;
      expect(data.map((each: { attributes: { slug: string } }) => each.attributes.slug)).toEqual([slug]);
    }
    expect((await update(null)).json.data.attributes.group).toBeNull();
  });

  test('rules and the percentage of a program clear each other', async () => {
    const terms = async (body: object) => {
      const { commission_percentage, commission_months, commission_rules } = (await change(body)).json.data.attributes;
      return [commission_percentage, commission_months, commission_rules];
    };
    expect(await terms({ commission_rules: RULES })).toEqual([null, null, SHOWN]);
    expect(await terms({ commission_percentage: null, name: 'Other' })).toEqual([null, null, SHOWN]);
    await expectUnchanged(table, () => terms({ commission_rules: RULES }));
    expect(await terms({ commission_percentage: 5 })).toEqual([5, null, null]);
    expect(await terms({ commission_rules: RULES, commission_months: null })).toEqual([null, null, SHOWN]);
    expect((await call({ operation: 'getProgram' })).json.data.attributes.commission_rules).toEqual(SHOWN);
    expect(await terms({ commission_rules: null })).toEqual([null, null, null]);
    const sentence =
      'commission_rules cannot be combined with commission_percentage and commission_months: send one form';
    const both = await change({ commission_rules: RULES, commission_percentage: 5 });
    expect(outcomeOf(both)).toEqual([400, 'invalid_field', sentence]);
  });

  test('unknown and foreign rules return 404', async () => {
    const other = await aProgram(table);
    const { json } = await send({
      operation: 'putGroup',
      token: await aToken(table, other),
      name: 'a',
      body: { commission_rules: RULES },
    });
    for (const rulesId of [json.data.attributes.commission_rules_id, '0123456789abcdef', 'none']) {
      const response = await call({ operation: 'getCommissionRules', rulesId });
      expect(outcomeOf(response)).toEqual([404, 'rules_not_found', 'Commission rules not found']);
    }
  });

  test.each([
    ['partners', { commission_percentage: 30 }, 30],
    ['creators', { commission_rules: RULES }, null],
  ])(
    'a referral of an advocate in the group %s has its terms, and the affiliate sees them',
    async (group, terms, rate) => {
      const { commission_rules_id } = (await put(group, terms)).json.data.attributes;
      const advocate = await anAdvocate(table, program, { group });
      const uid = newId();
      await call({ operation: 'trackConversionV2', body: { affiliate_slug: advocate.slug, uid } });
      const found = await call({ operation: 'lookUpReferral', body: { uid } });
      const own = await call({ operation: 'getAffiliate' }, await aToken(table, program, advocate));
      for (const { json } of [found, own]) {
        expect(json.data.attributes).toMatchObject({ commission_percentage: rate, commission_rules_id });
      }
    },
  );
});
