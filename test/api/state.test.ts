import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import type { Referral } from '../../functions/domain/referral.ts';
import { eraseReferral } from '../../functions/table/referral-changes.ts';
import { DRIVERS } from '../support/drivers.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId } from '../support/program.ts';
import { allItems } from '../support/table.ts';
import { PAIRS, wasConverted } from '../support/transitions.ts';
import { useTable } from '../support/use-table.ts';
import { aReferralIn, storedReferral } from '../table/situations.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
let token: string;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  token = await aToken(table, program);
});

const aCustomer = () => ({ email: `${newId()}@shop.example`, customerUid: newId() });

describe.each(DRIVERS)('POST /v2/tracking/state through %s', (_, drive) => {
  const send = drive(table);
  const ask = (body: unknown, as = token) => send({ operation: 'setState', token: as, body });
  const attributesOf = ({ email, customerUid: uid, state, stateSetAt, createdAt, updatedAt }: Referral) => ({
    email,
    uid,
    state,
    state_set_at: stateSetAt,
    created_at: createdAt,
    updated_at: updatedAt,
  });

  async function unchanged(work: () => Promise<unknown>): Promise<void> {
    const before = await allItems(table);
    await work();
    expect(await allItems(table)).toEqual(before);
  }

  // Who was never a customer has no e-mail to be named by, and what only a visitor makes is no state to set.
  const NAMEABLE = PAIRS.filter(({ from, to }) => wasConverted(from) && to !== 'clicked');

  test.each(NAMEABLE)('$to on a referral that is $from: $outcome', async ({ from, to, outcome }) => {
    const before = await aReferralIn(table, program, advocate, from, aCustomer());
    const { status, json, headers } = await ask({ uid: before.customerUid, state: to });
    const after = await storedReferral(table, program, before.id);
    if (outcome === 'refused') {
      expect([status, headers['x-error-code']]).toEqual([409, 'state_refused']);
      expect(json).toEqual({ error: `The referral is ${before.state}: this state cannot follow` });
    } else {
      expect(status).toBe(200);
      const { id, state } = after ?? {};
      expect(json).toEqual({ data: { id, type: 'referral', attributes: after && attributesOf(after) } });
      expect([id, state]).toEqual([before.id, to]);
    }
    expect(after?.history).toHaveLength(before.history.length + Number(outcome === 'set'));
    if (outcome !== 'set') expect(after).toEqual(before);
  });

  test.each(['clicked', 'new', 'Paid', 'paid ', 1, ['paid']])('%j is no state to set: 400', async (state) => {
    const { email } = await aReferral(table, program, advocate, aCustomer());
    await unchanged(async () => {
      const { status, json } = await ask({ email, state });
      expect([status, json.error]).toEqual([400, expect.stringMatching(/^state must be /)]);
    });
  });

  test('a state may be set again and again: it is 200 and changes nothing', async () => {
    const { email } = await aReferral(table, program, advocate, aCustomer());
    const first = await ask({ email, state: 'paid' });
    await unchanged(async () => {
      const again = await ask({ email: ` ${email?.toUpperCase()} `, state: 'paid' });
      expect([again.status, again.text]).toEqual([200, first.text]);
    });
  });

  test('the list shows the state at once', async () => {
    const own = await anAdvocate(table, program);
    const { id, email } = await aReferral(table, program, own, aCustomer());
    await ask({ email, state: 'paid' });
    const as = await aToken(table, program, own);
    const { json } = await send({ operation: 'listReferrals', token: as, query: 'state_eq=paid' });
    expect(json.data.map((row: { id: string }) => row.id)).toEqual([id]);
  });

  test('email and uid must be those of one referral', async () => {
    const one = await aReferral(table, program, advocate, aCustomer());
    const other = await aReferral(table, program, advocate, aCustomer());
    const both = await ask({ email: one.email, uid: one.customerUid, state: 'paid' });
    expect([both.status, both.json.data.id]).toEqual([200, one.id]);
    await unchanged(async () => {
      for (const uid of [other.customerUid, newId()]) {
        const { status, json } = await ask({ email: one.email, uid, state: 'churned' });
        expect([status, json]).toEqual([400, { error: 'email and uid must be those of one referral' }]);
      }
    });
  });

  test('a customer who is unknown, another program’s or erased is 404, and all look alike', async () => {
    const elsewhere = await aProgram(table);
    const theirs = await aReferral(table, elsewhere, await anAdvocate(table, elsewhere), aCustomer());
    const erased = await aReferral(table, program, advocate, aCustomer());
    await eraseReferral(table, program.id, erased.id);
    const bodies = [
      { email: `${newId()}@shop.example` },
      { uid: newId() },
      { email: `${newId()}@shop.example`, uid: newId() },
      { email: theirs.email },
      { uid: theirs.customerUid },
      { email: erased.email },
      { uid: erased.customerUid },
    ];
    await unchanged(async () => {
      for (const body of bodies) {
        const { status, json, headers } = await ask({ ...body, state: 'paid' });
        expect([status, headers['x-error-code']]).toEqual([404, 'referral_not_found']);
        expect(json).toEqual({ error: 'Referral not found' });
      }
    });
  });

  test('sub_id, state_set_at and pk in the body have no effect', async () => {
    const before = await aReferral(table, program, advocate, aCustomer());
    const more = {
      sub_id: 'x',
      state_set_at: 1,
      created_at: 1,
      pk: 'pk_1',
      id: newId(),
      affiliate_slug: 'x',
    };
    const { status, json } = await ask({ email: before.email, state: 'paid', ...more });
    expect([status, json.data.id]).toEqual([200, before.id]);
    const after = await storedReferral(table, program, before.id);
    expect(after).toMatchObject({ subId: null, createdAt: before.createdAt });
    expect(after?.stateSetAt).toBeGreaterThanOrEqual(before.stateSetAt);
  });
});
