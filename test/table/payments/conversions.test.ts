import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { customerKey, emailKey } from '../../../functions/table/keys.ts';
import { applyStripeEvent } from '../../../functions/tracking/stripe/handler.ts';
import { aClick, anAdvocate, aProgram, newId, now } from '../../support/program.ts';
import { aCheckout, anInvoice, type EventFields } from '../../support/stripe/stripe.ts';
import { expectConsistent, statesIn } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { itemAt, itemsOf } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let jane: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program, { uid: 'partner-7' });
});

const checkout = (fields: EventFields) => applyStripeEvent(table, program, aCheckout(fields));
const grIdOf = (clickId: string, { slug } = jane) => `${slug}.${clickId}`;
/** The referral that has claimed an email. */
async function referralOf(email: string) {
  const claim = await itemAt(table, emailKey(program.id, email));
  return storedReferral(table, program, String(claim?.['referral']));
}

describe('checkouts of a new customer', () => {
  test('a checkout turns the click into the referral, which keeps its id, its time and its sub id', async () => {
    const click = await aClick(table, program, jane, { subId: 'spring', createdAt: now() });
    const [email, uid] = [anEmail(), newId()];
    const fields = { email: email.toUpperCase(), uid, grId: grIdOf(click.id), customer: newId() };
    expect(await checkout(fields)).toEqual({ applied: 'paid' });
    const stored = await storedReferral(table, program, click.id);
    expect(stored).toMatchObject({ email, customerUid: uid, state: 'paid', subId: 'spring', flags: [] });
    expect(stored?.createdAt).toBe(click.createdAt);
    expect(stored?.history.map(({ by }) => by)).toEqual(['visitor', 'stripe', 'stripe']);
    expect(statesIn(stored?.history)).toEqual(['clicked', 'converted', 'paid']);
    expectConsistent(await itemsOf(table, program), program);
  });

  test('a checkout without a payment leads to converted, whatever the price', async () => {
    const { id } = await aClick(table, program, jane);
    expect(await checkout({ email: anEmail(), grId: grIdOf(id), amount: 0 })).toEqual({ applied: 'converted' });
    expect(statesIn((await storedReferral(table, program, id))?.history)).toEqual(['clicked', 'converted']);
  });

  test.each<[string, () => Promise<string>]>([
    ['the click is unknown', async () => newId()],
    ['the click has expired', async () => (await aClick(table, program, jane, { expiresAt: now() })).id],
    ['the click is rejected', async () => (await aClick(table, program, jane, { state: 'rejected' })).id],
    [
      "the click is another advocate's",
      async () => (await aClick(table, program, await anAdvocate(table, program))).id,
    ],
    [
      "the click is another program's",
      async () => {
        const other = await aProgram(table);
        return (await aClick(table, other, await anAdvocate(table, other, { slug: jane.slug }))).id;
      },
    ],
  ])('a checkout gets a new referral if %s', async (_, clickId) => {
    const [id, email] = [await clickId(), anEmail()];
    expect(await checkout({ email, grId: grIdOf(id) })).toEqual({ applied: 'paid' });
    const stored = await referralOf(email);
    expect(stored).toMatchObject({ advocateSlug: jane.slug, email, customerUid: null, state: 'paid' });
    expect(stored?.id).not.toBe(id);
    expect(statesIn(stored?.history)).toEqual(['converted', 'paid']);
  });

  test('a checkout gets a new referral if the click became a referral of a customer with another uid', async () => {
    const { id } = await aClick(table, program, jane);
    await track(table, program, { by: { slug: jane.slug, clickId: id }, uid: newId() });
    const [email, uid] = [anEmail(), newId()];
    expect(await checkout({ email, uid, grId: grIdOf(id) })).toEqual({ applied: 'paid' });
    expect(await referralOf(email)).toMatchObject({ customerUid: uid });
    expect(await itemAt(table, customerKey(program.id, uid))).not.toMatchObject({ referral: id });
  });

  test('a checkout needs no email if it has a uid, and no uid if it has an email', async () => {
    const uid = newId();
    expect(await checkout({ uid, grId: grIdOf(newId()) })).toEqual({ applied: 'paid' });
    expect(await itemAt(table, customerKey(program.id, uid))).toBeDefined();
    const anonymous = { grId: grIdOf(newId()), customer: newId() };
    await expectUnchanged(table, async () => expect(await checkout(anonymous)).toEqual({ ignored: 'no_identity' }));
  });

  test('a checkout has the flag self_referral if the customer is the advocate', async () => {
    const email = String(jane.email).replace('@', '+self@');
    await checkout({ email, grId: grIdOf(newId()) });
    expect(await referralOf(email)).toMatchObject({ flags: ['self_referral'] });
    const { id } = await aClick(table, program, jane);
    await checkout({ uid: 'partner-7', grId: grIdOf(id) });
    expect(await storedReferral(table, program, id)).toMatchObject({ flags: ['self_referral'] });
  });

  test('a checkout has the rate and the end of commission of a conversion', async () => {
    const rated = await anAdvocate(table, program, { commissionPercentage: 33 });
    const email = anEmail();
    await checkout({ email, grId: grIdOf(newId(), rated) });
    const stored = await referralOf(email);
    expect(stored?.commissionPercentage).toBe(33);
    expect(stored?.commissionEndDate).toBeGreaterThan(now());
  });

  test.each<[string, () => Promise<EventFields>]>([
    ['without a gr_id', async () => ({})],
    ['with a gr_id of an unknown slug', async () => ({ grId: `nobody.${newId()}` })],
    [
      'with the gr_id of a deactivated advocate',
      async () => {
        const { slug } = await anAdvocate(table, program);
        await updateAdvocate(table, program.id, slug, { active: false });
        return { grId: `${slug}.${newId()}` };
      },
    ],
  ])('a checkout %s is ignored', async (_, fields) => {
    const event = { email: anEmail(), customer: newId(), ...(await fields()) };
    await expectUnchanged(table, async () => expect(await checkout(event)).toEqual({ ignored: 'unknown_customer' }));
  });
});

test('other events create no referral', async () => {
  const { id } = await aClick(table, program, jane);
  const event = anInvoice({ email: anEmail(), uid: newId(), customer: newId(), grId: grIdOf(id) });
  await expectUnchanged(table, async () =>
    expect(await applyStripeEvent(table, program, event)).toEqual({ ignored: 'unknown_customer' }),
  );
});

test('a checkout of a customer whom another advocate referred pays the first advocate', async () => {
  const first = await anAdvocate(table, program);
  const email = anEmail();
  const { referral } = await track(table, program, { by: { slug: first.slug, clickId: null }, email });
  expect(await checkout({ email, grId: grIdOf(newId()) })).toEqual({ applied: 'paid' });
  expect(await storedReferral(table, program, referral.id)).toMatchObject({ advocateSlug: first.slug, state: 'paid' });
  await set(table, program, referral.id, 'rejected');
  expect(await checkout({ email, grId: grIdOf(newId()) })).toEqual({ ignored: 'refused_transition' });
});
