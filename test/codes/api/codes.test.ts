import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eraseAdvocate, updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { putCode } from '../../../functions/codes/table/put-code.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { codeCountKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { type ApiRequest, DRIVERS } from '../../support/drivers.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { itemAt } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const TAKEN = [409, 'code_taken', 'The code belongs to another advocate. Choose another code.'];
const PROMOTION_TAKEN = [
  409,
  'promotion_code_taken',
  'promotion_code_id belongs to another code. Create another promotion code at Stripe.',
];

const table = useTable();
const proxied = useFaultyProxy(table);
let program: Program;
let token: string;
let jane: Advocate;
let omar: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  token = await aToken(table, program);
  [jane, omar] = [await anAdvocate(table, program), await anAdvocate(table, program)];
});
const count = async () => (await itemAt(table, codeCountKey(program.id)))?.['codes'];

describe.each(DRIVERS)('promotion codes through %s', (_, connect) => {
  const send = connect(table);
  const call = (request: Omit<ApiRequest, 'token'>, by = token) => send({ token: by, ...request });
  const put = (code: string, { slug }: Advocate = jane, more: object = {}) =>
    call({ operation: 'putCode', code, body: { affiliate_slug: slug, ...more } });
  const list = async (query = '') => {
    const { json, headers } = await call({ operation: 'listCodes', query });
    return [json.data.map(({ id }: { id: string }) => id), headers['link'] !== undefined];
  };

  test('a code is created once, in upper case, and keeps what a later request leaves out', async () => {
    const { status, json } = await put('Jane_20-x', jane, { promotion_code_id: 'promo_1' });
    const attributes = {
      code: 'JANE_20-X',
      affiliate_slug: jane.slug,
      active: true,
      promotion_code_id: 'promo_1',
      created_at: expect.any(Number),
    };
    expect([status, json]).toEqual([200, { data: { id: 'JANE_20-X', type: 'code', attributes } }]);
    await expectUnchanged(table, async () => expect((await put('JANE_20-X')).json).toEqual(json));
    const inactive = await put('jane_20-x', jane, { active: false });
    expect(inactive.json.data.attributes).toEqual({ ...attributes, active: false });
    expect((await put('jane_20-x')).json.data.attributes.active).toBe(false);
    expect(await count()).toBe(1);
  });

  test('a code belongs to one advocate for ever, also of two requests at the same moment', async () => {
    const both = await Promise.all([jane, omar].map((advocate) => put('SPRING', advocate)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const owner = both[0]?.status === 200 ? jane : omar;
    await put('spring', owner, { active: false });
    await eraseAdvocate(table, program.id, owner.slug);
    expect(outcomeOf(await put('spring', owner === jane ? omar : jane))).toEqual(TAKEN);
    expect(await count()).toBe(1);
  });

  test("Stripe's promotion code belongs to one code, and a code may get another one", async () => {
    await put('A', jane, { promotion_code_id: 'promo_1' });
    expect(outcomeOf(await put('B', jane, { promotion_code_id: 'promo_1' }))).toEqual(PROMOTION_TAKEN);
    expect((await put('A', jane, { promotion_code_id: 'promo_2' })).json.data.attributes.promotion_code_id).toBe(
      'promo_2',
    );
    expect(outcomeOf(await put('B', omar, { promotion_code_id: 'promo_1' }))).toEqual(PROMOTION_TAKEN);
    expect((await put('A', jane, { promotion_code_id: 'promo_1' })).status).toBe(200);
    expect(await count()).toBe(1);
  });

  test('the 10,001st code is refused, and known codes still change', async () => {
    await put('A');
    const Key = { ...codeCountKey(program.id) };
    const change = { UpdateExpression: 'SET codes = :codes', ExpressionAttributeValues: { ':codes': 9999 } };
    await table.client.send(new UpdateCommand({ TableName: table.name, Key, ...change }));
    const both = await Promise.all(['B', 'C'].map((code) => put(code)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = [409, 'too_many_codes', 'The program has 10,000 codes. Use one of them.'];
    expect(outcomeOf(await put('D', omar))).toEqual(refused);
    expect((await put('A', jane, { active: false })).status).toBe(200);
  });

  test('codes are listed in their order, and of an advocate newest first, page by page', async () => {
    for (const code of ['C', 'A', 'E', 'B']) await put(code);
    await put('D', omar);
    expect(await list()).toEqual([['A', 'B', 'C', 'D', 'E'], false]);
    const { headers } = await call({ operation: 'listCodes', query: 'per_page=3' });
    const next = new URL(/<(.*)>/.exec(headers['link'] ?? '')?.[1] ?? '').searchParams.toString();
    expect(await list(next)).toEqual([['D', 'E'], false]);
    expect(await list(`affiliate_slug=${omar.slug}`)).toEqual([['D'], false]);
    const [own] = await list(`affiliate_slug=${jane.slug.toUpperCase()}&per_page=3`);
    const mine = await call({ operation: 'listOwnCodes', query: 'per_page=3' }, await aToken(table, program, jane));
    expect(mine.json.data.map(({ id }: { id: string }) => id)).toEqual(own);
    expect(outcomeOf(await call({ operation: 'listCodes', query: 'affiliate_slug=nobody' }))).toEqual([
      400,
      'invalid_affiliate_slug',
      'Invalid affiliate slug',
    ]);
  });

  test('the codes of a deactivated advocate are inactive until it is active again', async () => {
    await put('A');
    for (const active of [false, true]) {
      await updateAdvocate(table, program.id, jane.slug, { active });
      expect((await put('A')).json.data.attributes.active).toBe(active);
      expect((await call({ operation: 'listCodes' })).json.data[0].attributes.active).toBe(active);
    }
  });

  test.each([
    ['two words', {}, 'code must be 1 to 64 letters, digits, hyphens or underscores'],
    ['x'.repeat(65), {}, 'code must be 1 to 64 letters, digits, hyphens or underscores'],
    ['A', { affiliate_slug: null }, 'affiliate_slug is required'],
    ['A', { active: 'yes' }, 'active must be true or false'],
    [
      'A',
      { promotion_code_id: 'promo 1' },
      'promotion_code_id must be 1 to 255 printable ASCII characters without spaces',
    ],
  ])('the code %j with %j is refused', async (code, body, sentence) => {
    expect(outcomeOf(await put(code, jane, body))).toEqual([400, 'invalid_field', sentence]);
  });

  test('a code of an unknown advocate is refused, and a new one of an erased advocate', async () => {
    const nobody = { ...jane, slug: 'nobody' };
    expect(outcomeOf(await put('A', nobody))).toEqual([400, 'invalid_affiliate_slug', 'Invalid affiliate slug']);
    await eraseAdvocate(table, program.id, jane.slug);
    const erased = [409, 'advocate_erased', 'The advocate was erased. Create a new advocate.'];
    expect(outcomeOf(await put('A'))).toEqual(erased);
  });
});

test('a code whose response is lost is stored once, and the repeated request finds it', async () => {
  const request = { code: newId().toUpperCase(), slug: jane.slug, promotionCodeId: newId() };
  proxied.proxy.next('TransactWriteItems', 'lose');
  expect(await putCode(proxied.faulty, program.id, request)).toMatchObject({ code: { active: true } });
  await expectUnchanged(table, () => putCode(table, program.id, request));
  expect(await count()).toBe(1);
});
