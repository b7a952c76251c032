import { describe, expect, test } from '@jest/globals';
import { seconds } from '../../../functions/kernel/time.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken } from '../../support/program.ts';
import { idsOf, outcomeOf } from '../../support/responses.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate: jane } = await useProgram({}, { slug: 'jane-doe' });
const omar = await anAdvocate(table, program, { slug: 'omar' });
const token = await aToken(table, program);
const START = 1_770_000_000;
const at = (second: number) => ({ createdAt: seconds(START), stateSetAt: seconds(START + second) });
const ana = await aReferral(table, program, jane, {
  ...at(1),
  email: 'ana@xn--exmple-cua.example',
  customerUid: 'C-1',
});
const anabel = await aReferral(table, program, omar, { ...at(2), email: 'anabel@shop.example', state: 'paid' });
const jan = await aReferral(table, program, omar, { ...at(3), email: 'jan@shop.example', customerUid: 'ana' });
await aClick(table, program, jane);
const elsewhere = await aProgram(table);
await aReferral(table, elsewhere, await anAdvocate(table, elsewhere, { slug: 'jane-doe' }), { email: 'ana@a.example' });

describe.each(DRIVERS)('POST /v2/referrals/search through %s', (_, connect) => {
  const send = connect(table);
  const search = (body: object) => send({ operation: 'searchReferrals', token, body });

  test.each([
    ['ANA', [anabel, ana]],
    ['ana', [jan, anabel, ana]],
    [' Ana@exämple.example ', [ana]],
    ['C-', [ana]],
    ['c-', []],
    ['JAN', [jan, ana]],
    ['nabel', []],
    ['shop.example', []],
  ])(
    'the text %j finds referrals by the beginning of email, uid or slug, the latest change first',
    async (text, found) => {
      const response = await search({ text });
      expect(idsOf(response)).toEqual(found.map(({ id }) => id));
      expect(response.json.meta).toEqual({ pagination: { page: 1, per_page: 25, has_more: false }, cursor: null });
    },
  );

  test('a page has at most 25 rows, and meta.cursor continues the same search only', async () => {
    const own = await aProgram(table);
    const advocate = await anAdvocate(table, own, { slug: 'eva' });
    const merchant = await aToken(table, own);
    const ids: string[] = [];
    for (let second = 0; second < 30; second += 1) ids.unshift((await aReferral(table, own, advocate, at(second))).id);
    const find = (body: object) => send({ operation: 'searchReferrals', token: merchant, body });
    const first = await find({ text: 'ev' });
    const { cursor, pagination } = first.json.meta;
    expect([idsOf(first), pagination.has_more]).toEqual([ids.slice(0, 25), true]);
    expect(first.headers['link']).toBeUndefined();
    const second = await find({ text: 'ev', cursor });
    expect(idsOf(second)).toEqual(ids.slice(25));
    expect(second.json.meta).toEqual({ pagination: { page: 2, per_page: 25, has_more: false }, cursor: null });
    expect(outcomeOf(await search({ text: ' ' }))[2]).toBe('text must contain more than white space');
    for (const response of [await find({ text: 'eva', cursor }), await search({ text: 'ev', cursor })]) {
      expect(outcomeOf(response)[2]).toMatch(/^cursor is not valid/);
    }
  });
});
