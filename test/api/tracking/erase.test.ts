import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { outcomeOf, REFERRAL_NOT_FOUND } from '../../support/responses.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail } from '../../support/table/track.ts';
import { allItems } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
let token: string;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  token = await aToken(table, program);
});
const aCustomer = () => ({ email: anEmail(), customerUid: newId() });

describe.each(DRIVERS)('POST /v2/tracking/erase through %s', (_, connect) => {
  const send = connect(table);
  const erase = (body: unknown) => send({ operation: 'eraseCustomer', token, body });
  const lookUp = (id: string) => send({ operation: 'lookUpReferral', token, body: { id } });
  const convert = (body: object, headers = {}) =>
    send({ operation: 'trackConversionV2', token, body: { affiliate_slug: advocate.slug, ...body }, headers });

  test('an erasure removes email, uid and flags, and keeps everything else', async () => {
    const {
      id,
      email,
      customerUid: uid,
    } = await aReferral(table, program, advocate, {
      ...aCustomer(),
      state: 'paid',
      subId: 'news',
      flags: ['self_referral'],
    });
    const before = (await lookUp(id)).json.data.attributes;
    expect(before).toMatchObject({ email, uid, flags: ['self_referral'] });
    const { status, text, headers } = await erase({ email });
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined]);
    const after = (await lookUp(id)).json.data.attributes;
    const { updated_at } = after;
    expect(updated_at).toBeGreaterThanOrEqual(before.updated_at);
    const history = [...before.history, { type: 'erasure', set_at: updated_at, by: 'merchant' }];
    expect(after).toEqual({ ...before, email: null, uid: null, flags: [], updated_at, history });
  });

  test.each([
    ['email', ({ email }) => ({ email })],
    ['uid', ({ uid }) => ({ uid })],
    ['id', ({ id }) => ({ id })],
    ['all names', (all) => all],
  ] satisfies [string, (names: { email: string | null; uid: string | null; id: string }) => object][])(
    'an erasure by %s leaves nothing that leads to the person',
    async (_name, bodyOf) => {
      const { id, email, customerUid: uid } = await aReferral(table, program, advocate, aCustomer());
      const before = (await allItems(table)).length;
      expect((await erase(bodyOf({ email, uid, id }))).status).toBe(204);
      // The claims of email and uid.
      const items = await allItems(table);
      expect(items).toHaveLength(before - 2);
      for (const value of [email, uid]) expect(JSON.stringify(items)).not.toContain(value);
      for (const body of [{ email }, { uid }, { email, uid }]) {
        expect(outcomeOf(await erase(body))).toEqual(REFERRAL_NOT_FOUND);
      }
      await expectUnchanged(table, async () => expect((await erase({ id })).status).toBe(204));
    },
  );

  test('an erasure frees email, uid and the Idempotency-Key for another referral', async () => {
    const customer = { email: anEmail(), uid: newId() };
    const key = { 'idempotency-key': newId() };
    const first = await convert(customer, key);
    expect((await erase({ id: first.json.data.id })).status).toBe(204);
    const second = await convert(customer, key);
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect(second.json.data.id).not.toBe(first.json.data.id);
    expect((await erase({ id: first.json.data.id })).status).toBe(204);
    expect((await lookUp(second.json.data.id)).json.data.attributes).toMatchObject(customer);
  });

  test('an erasure of a click succeeds and changes nothing', async () => {
    const { id } = await aClick(table, program, advocate, { subId: 'news' });
    await expectUnchanged(table, async () => expect((await erase({ id })).status).toBe(204));
  });

  test('an erased referral keeps its place in the lists and in the counts, and can change its state', async () => {
    const own = await anAdvocate(table, program);
    const { id } = await aReferral(table, program, own, aCustomer());
    await erase({ id });
    expect((await send({ operation: 'setState', token, body: { id, state: 'paid' } })).status).toBe(200);
    const query = `affiliate_slug=${own.slug}`;
    const { json } = await send({ operation: 'listReferralsV2', token, query });
    expect(json.data).toMatchObject([{ id, attributes: { email: null, uid: null, state: 'paid' } }]);
    const counts = await send({ operation: 'countReferrals', token, query });
    expect(counts.json.data.attributes.total.paid).toBe(1);
  });

  test('unknown and foreign customers return 404, identifiers of two referrals 400, and nothing changes', async () => {
    const [one, two] = [aCustomer(), aCustomer()];
    const { id } = await aReferral(table, program, advocate, one);
    await aReferral(table, program, advocate, two);
    const elsewhere = await aProgram(table);
    const theirs = await aReferral(table, elsewhere, await anAdvocate(table, elsewhere), aCustomer());
    await expectUnchanged(table, async () => {
      const unknown = [{ email: anEmail() }, { uid: newId() }, { id: newId() }];
      const foreign = [{ email: theirs.email }, { uid: theirs.customerUid }, { id: theirs.id }];
      for (const body of [...unknown, ...foreign]) expect(outcomeOf(await erase(body))).toEqual(REFERRAL_NOT_FOUND);
      for (const body of [
        { email: one.email, uid: two.customerUid },
        { email: two.email, id },
        { email: one.email, uid: newId() },
      ]) {
        const sentence = 'email, uid and id must belong to the same referral';
        expect(outcomeOf(await erase(body))).toEqual([400, 'invalid_field', sentence]);
      }
    });
  });

  test('several simultaneous erasures all succeed, and the history has one entry', async () => {
    const { id } = await aReferral(table, program, advocate, aCustomer());
    const responses = await Promise.all(Array.from({ length: 5 }, () => erase({ id })));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 204));
    const { history = [] } = (await storedReferral(table, program, id)) ?? {};
    expect(history.map(({ type }) => type)).toEqual(['state', 'erasure']);
  });

  test('a simultaneous erasure, state and move are all made', async () => {
    const other = await anAdvocate(table, program);
    for (let round = 0; round < 5; round += 1) {
      const { id } = await aReferral(table, program, advocate, aCustomer());
      const responses = await Promise.all([
        erase({ id }),
        send({ operation: 'setState', token, body: { id, state: 'paid' } }),
        send({ operation: 'reassignReferral', token, body: { id, affiliate_slug: other.slug } }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([204, 200, 200]);
      const { history, ...attributes } = (await lookUp(id)).json.data.attributes;
      expect(attributes).toMatchObject({ email: null, uid: null, state: 'paid', affiliate_slug: other.slug });
      expect(history).toHaveLength(4);
    }
  });
});
