import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { eraseReferral, reassignReferral, setReferralState } from '../../../functions/table/referrals/referrals.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { outcomeOf, REFERRAL_NOT_FOUND } from '../../support/responses.ts';
import { anEmail } from '../../support/table/track.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
let other: Advocate;
let token: string;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program, { commissionPercentage: 10 });
  other = await anAdvocate(table, program, { commissionPercentage: 15 });
  token = await aToken(table, program);
});
const aCustomer = () => ({ email: anEmail(), customerUid: newId() });
const NONE = { email: null, uid: null };

describe.each(DRIVERS)('POST /v2/referrals/lookup through %s', (_, connect) => {
  const send = connect(table);
  const lookUp = (body: unknown) => send({ operation: 'lookUpReferral', token, body });

  test('a lookup returns the referral with its history, oldest first, by email, uid, id or all of them', async () => {
    const { id } = await aClick(table, program, advocate, { subId: 'news' });
    const [email, uid] = [anEmail(), newId()];
    const metadata = { plan: 'pro' };
    const body = { gr_id: `${advocate.slug}.${id}`, email, uid, metadata };
    await send({ operation: 'trackConversionV2', token, body });
    await setReferralState(table, program.id, id, { state: 'paid', actor: 'operator' });
    const reference = { ...NONE, id };
    const moved = await reassignReferral(table, program, reference, { slug: other.slug, actor: 'merchant' });
    const set_at = expect.any(Number);
    const expected = {
      id,
      type: 'referral',
      attributes: {
        email,
        state: 'paid',
        state_set_at: moved.stateSetAt,
        created_at: moved.createdAt,
        updated_at: moved.updatedAt,
        sub_id: 'news',
        commission_percentage: 15,
        commission_end_date: moved.commissionEndDate,
        uid,
        affiliate_slug: other.slug,
        flags: [],
        metadata,
        history: [
          { type: 'state', state: 'clicked', set_at, by: 'visitor' },
          { type: 'state', state: 'converted', set_at, by: 'merchant' },
          { type: 'state', state: 'paid', set_at: moved.stateSetAt, by: 'operator' },
          { type: 'reassignment', from: advocate.slug, to: other.slug, set_at: moved.updatedAt, by: 'merchant' },
        ],
      },
    };
    const bodies = [
      { email },
      { email: ` ${email.toUpperCase()} ` },
      { uid },
      { id },
      { email, uid },
      { email, uid, id },
    ];
    await expectUnchanged(table, async () => {
      for (const body of bodies) expect((await lookUp(body)).json).toEqual({ data: expected });
    });
    await eraseReferral(table, program.id, id, 'operator');
    const { attributes } = (await lookUp({ id })).json.data;
    expect(attributes).toMatchObject({ email: null, uid: null, flags: [], state: 'paid', affiliate_slug: other.slug });
    expect(attributes.history.at(-1)).toEqual({ type: 'erasure', set_at: attributes.updated_at, by: 'operator' });
    expect(outcomeOf(await lookUp({ email }))).toEqual(REFERRAL_NOT_FOUND);
    expect(outcomeOf(await lookUp({ uid }))).toEqual(REFERRAL_NOT_FOUND);
  });

  test('a lookup by id returns a click', async () => {
    const { id } = await aClick(table, program, advocate);
    expect((await lookUp({ id })).json.data.attributes).toMatchObject({
      state: 'clicked',
      email: null,
      uid: null,
      commission_end_date: null,
      history: [{ type: 'state', state: 'clicked' }],
    });
  });

  test('several identifiers must belong to one referral', async () => {
    const one = await aReferral(table, program, advocate, aCustomer());
    const two = await aReferral(table, program, advocate, aCustomer());
    const bodies = [
      { email: one.email, uid: two.customerUid },
      { email: one.email, id: two.id },
      { uid: one.customerUid, id: two.id },
      { email: one.email, uid: one.customerUid, id: two.id },
      { email: one.email, uid: newId() },
      { email: anEmail(), id: one.id },
      { uid: one.customerUid, id: newId() },
    ];
    for (const body of bodies) {
      const sentence = 'email, uid and id must belong to the same referral';
      expect([body, outcomeOf(await lookUp(body))]).toEqual([body, [400, 'invalid_field', sentence]]);
    }
  });

  test('unknown customers and customers of another program return the same 404', async () => {
    const elsewhere = await aProgram(table);
    const theirs = await aReferral(table, elsewhere, await anAdvocate(table, elsewhere), aCustomer());
    const bodies = [
      { email: anEmail() },
      { uid: newId() },
      { id: newId() },
      { email: anEmail(), uid: newId(), id: newId() },
      { email: theirs.email },
      { uid: theirs.customerUid },
      { id: theirs.id },
      { email: theirs.email, uid: theirs.customerUid, id: theirs.id },
    ];
    for (const body of bodies) expect(outcomeOf(await lookUp(body))).toEqual(REFERRAL_NOT_FOUND);
  });
});

describe.each(DRIVERS)('POST /v2/tracking/state by id through %s', (_, connect) => {
  const send = connect(table);
  const setState = (body: object) => send({ operation: 'setState', token, body });

  test('a state by id is set for a referral, and rejected for a click', async () => {
    const referral = await aReferral(table, program, advocate, aCustomer());
    expect((await setState({ id: referral.id, state: 'paid' })).json.data).toMatchObject({
      id: referral.id,
      attributes: { state: 'paid', email: referral.email },
    });
    const click = await aClick(table, program, advocate);
    expect(outcomeOf(await setState({ id: click.id, state: 'paid' }))).toEqual([
      409,
      'state_refused',
      'The referral is still a click. Report its conversion first.',
    ]);
    expect((await setState({ id: click.id, state: 'rejected' })).json.data.attributes.state).toBe('rejected');
    expect(outcomeOf(await setState({ id: click.id, state: 'paid' })).slice(0, 2)).toEqual([409, 'state_refused']);
  });

  test('an unknown id returns 404, the id of another customer 400', async () => {
    const [one, two] = [await aReferral(table, program, advocate), await aReferral(table, program, advocate)];
    expect(outcomeOf(await setState({ id: newId(), state: 'paid' }))).toEqual(REFERRAL_NOT_FOUND);
    const wrong = await setState({ email: one.email, id: two.id, state: 'paid' });
    expect(outcomeOf(wrong).slice(0, 2)).toEqual([400, 'invalid_field']);
  });
});
