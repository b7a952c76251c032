import { beforeEach, describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { putCode } from '../../../functions/codes/table/put-code.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { useTable } from '../../support/use-table.ts';

const ORIGIN = 'https://shop.example';
const INVALID = [400, 'invalid_code', 'Invalid promotion code'];
const INVALID_SLUG = [400, 'invalid_affiliate_slug', 'Invalid affiliate slug'];

const table = useTable();
let program: Program;
let jane: Advocate;
let omar: Advocate;
beforeEach(async () => {
  program = await aProgram(table, { allowedOrigins: [ORIGIN] });
  [jane, omar] = [await anAdvocate(table, program), await anAdvocate(table, program)];
  await putCode(table, program.id, { code: 'JANE20', slug: jane.slug });
});

describe.each(DRIVERS)('conversions with a promotion code through %s', (_, connect) => {
  const send = connect(table);
  const tokens = async () => ({
    link: await aToken(table, program),
    code: await aToken(table, { ...program, codePriority: 'code' }),
  });
  const convert = async (body: object, priority: 'link' | 'code' = 'link') =>
    send({ operation: 'trackConversionV2', token: (await tokens())[priority], body: { uid: newId(), ...body } });
  /** The advocate who is credited, by what, and who lost. */
  const credited = async (body: object, priority: 'link' | 'code' = 'link') => {
    const uid = newId();
    await convert({ uid, ...body }, priority);
    const { json } = await send({ operation: 'lookUpReferral', token: (await tokens()).link, body: { uid } });
    const { affiliate_slug: slug, credited_by: by, code, history } = json.data.attributes;
    return [slug, by, code, history.at(-1).lost];
  };
  const aGrId = ({ slug }: Advocate) => `${slug}.${newId()}`;

  test('a code alone credits its advocate, in any case', async () => {
    expect(await credited({ code: 'jane20' })).toEqual([jane.slug, 'code', 'JANE20', null]);
  });

  test('between a code and a link of different advocates, the program decides', async () => {
    const body = { code: 'JANE20', gr_id: aGrId(omar) };
    expect(await credited(body)).toEqual([omar.slug, 'link', null, jane.slug]);
    expect(await credited(body, 'code')).toEqual([jane.slug, 'code', 'JANE20', omar.slug]);
  });

  test('a code and a click of the same advocate convert the click, and nobody loses', async () => {
    const click = await aClick(table, program, jane);
    const { json } = await convert({ code: 'JANE20', gr_id: `${jane.slug}.${click.id}` }, 'code');
    expect(json.data.id).toBe(click.id);
    expect(await credited({ code: 'JANE20', gr_id: aGrId(jane) })).toEqual([jane.slug, 'link', null, null]);
  });

  test('affiliate_slug decides before both', async () => {
    const click = await aClick(table, program, jane);
    for (const more of [{ code: 'JANE20' }, { gr_id: `${jane.slug}.${click.id}` }]) {
      const body = { affiliate_slug: omar.slug, ...more };
      expect(await credited(body, 'code')).toEqual([omar.slug, 'slug', null, jane.slug]);
    }
    expect(outcomeOf(await convert({ affiliate_slug: 'nobody', code: 'JANE20' }))).toEqual(INVALID_SLUG);
  });

  test.each(['NOBODY20', 'two words', 'INACTIVE', 'PAUSED'])(
    'the code %j is ignored beside a link, and alone it is refused',
    async (code) => {
      await putCode(table, program.id, { code: 'INACTIVE', slug: jane.slug, active: false });
      await putCode(table, program.id, { code: 'PAUSED', slug: omar.slug });
      await updateAdvocate(table, program.id, omar.slug, { active: false });
      expect(await credited({ code, gr_id: aGrId(jane) }, 'code')).toEqual([jane.slug, 'link', null, null]);
      expect(outcomeOf(await convert({ code, gr_id: aGrId({ ...jane, slug: 'nobody' }) }))).toEqual(INVALID_SLUG);
      expect(outcomeOf(await convert({ code }))).toEqual(INVALID);
    },
  );

  test('an inactive advocate of the link leaves the customer to the advocate of the code', async () => {
    await updateAdvocate(table, program.id, omar.slug, { active: false });
    expect(await credited({ code: 'JANE20', gr_id: aGrId(omar) })).toEqual([jane.slug, 'code', 'JANE20', null]);
  });

  test('a customer keeps the first advocate, whatever code is typed later', async () => {
    const uid = newId();
    await convert({ uid, affiliate_slug: omar.slug });
    expect(outcomeOf(await convert({ uid, code: 'JANE20' }))).toEqual([
      409,
      'referral_exists',
      'Referral already exists',
    ]);
  });

  test('a repeated request with the same code is replayed, and another code is another request', async () => {
    const token = await aToken(table, program);
    const headers = { 'idempotency-key': newId() };
    const body = { uid: newId(), code: 'JANE20' };
    const request = { operation: 'trackConversionV2', token, headers, body } as const;
    const first = await send(request);
    const again = await send({ ...request, body: { ...body, code: 'jane20' } });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await send({ ...request, body: { ...body, code: 'OTHER' } })).status).toBe(422);
  });

  test('the advocate who types its own code is flagged', async () => {
    const { json } = await convert({ code: 'JANE20', email: jane.email });
    const body = { id: json.data.id };
    const found = await send({ operation: 'lookUpReferral', token: (await tokens()).link, body });
    expect(found.json.data.attributes.flags).toEqual(['self_referral']);
  });

  test('from a page, every code returns 204, whatever the link is', async () => {
    const before = { pk: program.publicKey };
    const onPage = (body: object) =>
      send({ operation: 'trackConversionV2', headers: { origin: ORIGIN }, body: { ...before, uid: newId(), ...body } });
    for (const code of ['JANE20', 'NOBODY20', 'two words']) {
      const grIds = [undefined, aGrId(jane), aGrId({ ...jane, slug: 'nobody' })];
      const statuses = await Promise.all(grIds.map(async (gr_id) => (await onPage({ code, gr_id })).status));
      expect(statuses).toEqual([204, 204, 204]);
    }
    expect(outcomeOf(await onPage({ gr_id: aGrId({ ...jane, slug: 'nobody' }) }))).toEqual(INVALID_SLUG);
  });

  test("the affiliate's list shows the code of a customer", async () => {
    await convert({ code: 'JANE20' });
    const { json } = await send({ operation: 'listOwnReferrals', token: await aToken(table, program, jane) });
    expect(json.data[0].attributes).toMatchObject({ code: 'JANE20', commission_rules_id: null });
  });
});
