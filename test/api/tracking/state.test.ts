import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { aReferralIn, storedReferral } from '../../support/table/situations.ts';
import { PAIRS, refusalIn, wasConverted } from '../../support/transitions.ts';
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

const aCustomer = () => ({ email: `${newId()}@shop.example`, customerUid: newId() });

describe.each(DRIVERS)('POST /v2/tracking/state through %s', (_, connect) => {
  const send = connect(table);
  const setState = (body: unknown) => send({ operation: 'setState', token, body });
  const attributesOf = ({ email, customerUid: uid, state, stateSetAt, createdAt, updatedAt }: Referral) => ({
    email,
    uid,
    state,
    state_set_at: stateSetAt,
    created_at: createdAt,
    updated_at: updatedAt,
  });

  // Clicks have neither email nor uid, and only a visitor causes the state clicked.
  const SETTABLE = PAIRS.filter(({ from, to }) => wasConverted(from) && to !== 'clicked');

  test.each(SETTABLE)('setting $to in the state $from is $outcome', async ({ from, to, outcome }) => {
    const before = await aReferralIn(table, program, advocate, from, aCustomer());
    const { status, json, headers } = await setState({ uid: before.customerUid, state: to });
    const after = await storedReferral(table, program, before.id);
    if (outcome === 'refused') {
      expect([status, headers['x-error-code']]).toEqual([409, 'state_refused']);
      expect(json).toEqual({ error: refusalIn(from) });
    } else {
      expect(status).toBe(200);
      const { id, state } = after ?? {};
      expect(json).toMatchObject({ data: { id, type: 'referral', attributes: after && attributesOf(after) } });
      expect([id, state]).toEqual([before.id, to]);
    }
    expect(after?.history).toHaveLength(before.history.length + Number(outcome === 'set'));
    if (outcome !== 'set') expect(after).toEqual(before);
  });

  test('setting the current state again returns 200 and changes nothing', async () => {
    const { email } = await aReferral(table, program, advocate, aCustomer());
    const first = await setState({ email, state: 'paid' });
    await expectUnchanged(table, async () => {
      const again = await setState({ email: ` ${email?.toUpperCase()} `, state: 'paid' });
      expect([again.status, again.text]).toEqual([200, first.text]);
    });
  });

  test('lists show the new state immediately', async () => {
    const own = await anAdvocate(table, program);
    const { id, email } = await aReferral(table, program, own, aCustomer());
    await setState({ email, state: 'paid' });
    const affiliateToken = await aToken(table, program, own);
    const { json } = await send({ operation: 'listReferrals', token: affiliateToken, query: 'state_eq=paid' });
    expect(json.data.map((row: { id: string }) => row.id)).toEqual([id]);
  });

  test('email, uid and id of a state must belong to the same referral', async () => {
    const one = await aReferral(table, program, advocate, aCustomer());
    const other = await aReferral(table, program, advocate, aCustomer());
    const both = await setState({ email: one.email, uid: one.customerUid, state: 'paid' });
    expect([both.status, both.json.data.id]).toEqual([200, one.id]);
    await expectUnchanged(table, async () => {
      for (const uid of [other.customerUid, newId()]) {
        const { status, json } = await setState({ email: one.email, uid, state: 'churned' });
        expect([status, json]).toEqual([400, { error: 'email, uid and id must belong to the same referral' }]);
      }
    });
  });

  test('unknown, erased and foreign customers get the same 404', async () => {
    const elsewhere = await aProgram(table);
    const theirs = await aReferral(table, elsewhere, await anAdvocate(table, elsewhere), aCustomer());
    const erased = await aReferral(table, program, advocate, aCustomer());
    await eraseReferral(table, program.id, erased.id, 'operator');
    const bodies = [
      { email: `${newId()}@shop.example` },
      { uid: newId() },
      { email: `${newId()}@shop.example`, uid: newId() },
      { email: theirs.email },
      { uid: theirs.customerUid },
      { email: erased.email },
      { uid: erased.customerUid },
    ];
    await expectUnchanged(table, async () => {
      for (const body of bodies) {
        const { status, json, headers } = await setState({ ...body, state: 'paid' });
        expect([status, headers['x-error-code']]).toEqual([404, 'referral_not_found']);
        expect(json).toEqual({ error: 'Referral not found' });
      }
    });
  });

  test('other fields of the body have no effect on a state', async () => {
    const before = await aReferral(table, program, advocate, aCustomer());
    const more = {
      sub_id: 'x',
      state_set_at: 1,
      created_at: 1,
      pk: 'pk_1',
      affiliate_slug: 'x',
    };
    const { status, json } = await setState({ email: before.email, state: 'paid', ...more });
    expect([status, json.data.id]).toEqual([200, before.id]);
    const after = await storedReferral(table, program, before.id);
    expect(after).toMatchObject({ subId: null, createdAt: before.createdAt });
    expect(after?.stateSetAt).toBeGreaterThanOrEqual(before.stateSetAt);
  });
});
