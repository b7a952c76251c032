import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { claimKeys } from '../../../functions/referrals/table/customers.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { listedAttributes, outcomeOf, REFERRAL_NOT_FOUND } from '../../support/responses.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail } from '../../support/table/track.ts';
import { allItems } from '../../support/table.ts';
import { refusalIn } from '../../support/transitions.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram({ commissionPercentage: 20 }, { commissionPercentage: 10 });
const to = await anAdvocate(table, program, { commissionPercentage: 15, uid: newId() });
const token = await aToken(table, program);
const elsewhere = await aProgram(table);
const stranger = await anAdvocate(table, elsewhere);

const aCustomer = () => ({ email: anEmail(), customerUid: newId() });
const flags = ['self_referral'] as const;
const AMBIGUOUS = [400, 'invalid_field', 'email, uid and id must belong to the same referral'];
let referral: Referral;
beforeEach(async () => {
  referral = await aReferral(table, program, advocate, { ...aCustomer(), state: 'paid', subId: 'news', flags });
});

describe.each(DRIVERS)('changes of a referral through %s', (_, connect) => {
  const send = connect(table);
  const setState = (body: unknown) => send({ operation: 'setState', token, body });
  const erase = (body: unknown) => send({ operation: 'eraseCustomer', token, body });
  const reassign = (body: object, affiliate_slug: unknown = to.slug) =>
    send({ operation: 'reassignReferral', token, body: { affiliate_slug, ...body } });
  const lookUp = async (id: string) =>
    (await send({ operation: 'lookUpReferral', token, body: { id } })).json.data.attributes;
  const convert = (body: object, headers = {}) =>
    send({ operation: 'trackConversionV2', token, body: { affiliate_slug: advocate.slug, ...body }, headers });

  test.each([
    ['a lookup', (body: object) => send({ operation: 'lookUpReferral', token, body })],
    ['a state', (body: object) => setState({ ...body, state: 'paid' })],
    ['an erasure', erase],
    ['a move', reassign],
  ])('%s of an unknown, erased or foreign customer returns 404, and of two customers 400', async (_name, change) => {
    const { email, customerUid: uid } = referral;
    const other = await aReferral(table, program, to, aCustomer());
    const theirs = await aReferral(table, elsewhere, stranger, aCustomer());
    const erased = await aReferral(table, program, to, aCustomer());
    await erase({ id: erased.id });
    await expectUnchanged(table, async () => {
      for (const body of [
        ...[{ email: anEmail() }, { uid: newId() }, { id: newId() }, { email: anEmail(), uid: newId() }],
        ...[{ email: theirs.email }, { uid: theirs.customerUid }, { id: theirs.id }],
        ...[{ email: erased.email }, { uid: erased.customerUid }],
      ]) {
        expect(outcomeOf(await change(body))).toEqual(REFERRAL_NOT_FOUND);
      }
      for (const body of [
        ...[
          { email, uid: other.customerUid },
          { email, uid: newId() },
        ],
        ...[
          { email, id: other.id },
          { uid, id: newId() },
        ],
      ]) {
        expect(outcomeOf(await change(body))).toEqual(AMBIGUOUS);
      }
    });
  });

  test('a state returns the referral, and its repetition changes nothing', async () => {
    const { id, email, customerUid: uid, createdAt } = referral;
    const { status, json, text } = await setState({ email, uid, id, state: 'churned', sub_id: 'x', created_at: 1 });
    const { state_set_at, updated_at } = json.data.attributes;
    expect(updated_at).toBeGreaterThanOrEqual(state_set_at);
    const times = { state_set_at, created_at: createdAt, updated_at };
    const attributes = { email, uid, state: 'churned', ...times, metadata: {} };
    expect([status, json]).toEqual([200, { data: { id, type: 'referral', attributes } }]);
    const { history = [], ...stored } = (await storedReferral(table, program, id)) ?? {};
    expect(stored).toMatchObject({ state: 'churned', stateSetAt: state_set_at, updatedAt: updated_at, subId: 'news' });
    expect(history).toHaveLength(referral.history.length + 1);
    await expectUnchanged(table, async () => {
      const again = await setState({ email: ` ${email?.toUpperCase()} `, state: 'churned' });
      expect([again.status, again.text]).toEqual([200, text]);
    });
  });

  test('a state that cannot follow returns 409 and changes nothing', async () => {
    const { id } = await aClick(table, program, advocate);
    await expectUnchanged(table, async () => {
      expect(outcomeOf(await setState({ id, state: 'paid' }))).toEqual([409, 'state_refused', refusalIn('clicked')]);
      const response = await setState({ uid: referral.customerUid, state: 'converted' });
      expect(outcomeOf(response)).toEqual([409, 'state_refused', refusalIn('paid')]);
    });
  });

  test('an erasure removes email, uid, metadata and flags, and keeps everything else', async () => {
    const secret = newId();
    const customer = { email: anEmail(), uid: newId(), metadata: { secret } };
    const { id } = (await convert(customer, { 'idempotency-key': newId() })).json.data;
    const before = await lookUp(id);
    const { status, text, headers } = await erase({ email: customer.email });
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined]);
    const after = await lookUp(id);
    const { updated_at } = after;
    expect(updated_at).toBeGreaterThanOrEqual(before.updated_at);
    const history = [...before.history, { type: 'erasure', set_at: updated_at, by: 'merchant' }];
    expect(after).toEqual({ ...before, email: null, uid: null, metadata: {}, updated_at, history });
    await erase({ id: referral.id });
    expect((await lookUp(referral.id)).flags).toEqual([]);
    const stored = JSON.stringify(await allItems(table));
    const claims = claimKeys(program.id, customer).map(({ pk }) => pk);
    const personal = [secret, customer.email, customer.uid, ...claims];
    expect(personal.filter((text) => stored.includes(text))).toEqual([]);
  });

  test('an erasure frees email, uid and the Idempotency-Key for another referral', async () => {
    const customer = { email: anEmail(), uid: newId() };
    const key = { 'idempotency-key': newId() };
    const first = await convert(customer, key);
    expect((await erase({ uid: customer.uid })).status).toBe(204);
    const second = await convert(customer, key);
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect(second.json.data.id).not.toBe(first.json.data.id);
    expect((await erase({ id: first.json.data.id })).status).toBe(204);
    expect(await lookUp(second.json.data.id)).toMatchObject(customer);
  });

  test('an erasure, a state and a move at the same time are all made', async () => {
    const { id } = referral;
    const responses = await Promise.all([
      erase({ id }),
      setState({ id, state: 'churned' }),
      reassign({ id }, to.slug.toUpperCase()),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([204, 200, 200]);
    const { history, ...attributes } = await lookUp(id);
    expect(attributes).toMatchObject({ email: null, uid: null, state: 'churned', affiliate_slug: to.slug });
    expect(history).toHaveLength(referral.history.length + 3);
  });

  test("a move gives the referral to the advocate, at its rate, and returns the merchant's form", async () => {
    const before = await lookUp(referral.id);
    const { status, json, text } = await reassign({ email: referral.email });
    const { updated_at } = json.data.attributes;
    expect(updated_at).toBeGreaterThanOrEqual(before.updated_at);
    const changes = { affiliate_slug: to.slug, commission_percentage: 15, flags: [], updated_at };
    const attributes = { ...listedAttributes(before), ...changes };
    expect([status, json]).toEqual([200, { data: { id: referral.id, type: 'referral', attributes } }]);
    const move = { type: 'reassignment', from: advocate.slug, to: to.slug, set_at: updated_at, by: 'merchant' };
    expect(await lookUp(referral.id)).toEqual({ ...before, ...changes, history: [...before.history, move] });
    await expectUnchanged(table, async () => expect((await reassign({ id: referral.id })).text).toBe(text));
  });
});
