import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { emailKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { DAY, milliseconds } from '../../../functions/kernel/time.ts';
import { eraseReferral } from '../../../functions/referrals/table/referrals.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { aCancellation, aCheckout, anInvoice, type EventFields } from '../../support/stripe/stripe.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { atTime, itemAt, itemsOf, type TestTable } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let jane: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
});

const send = (event: unknown, at: TestTable = table) => applyStripeEvent(at, program, event);
const invoice = (fields: EventFields) => send(anInvoice(fields));
const stateOf = async (id: string) => (await storedReferral(table, program, id))?.state;
/** A customer with an email, an id at Stripe and, unless it is `null`, a uid. */
async function aCustomer(customerUid: string | null = newId()) {
  const [email, customer] = [anEmail(), newId()];
  const { id } = await aReferral(table, program, jane, { email, customerUid });
  return { id, email, uid: String(customerUid), customer };
}

describe('the customer of an event', () => {
  test('the customer is found by uid, then the customer at Stripe, then the email, then the gr_id', async () => {
    const [byUid, byCustomer, byEmail] = [await aCustomer(), await aCustomer(), await aCustomer(null)];
    await invoice({ customer: byCustomer.customer, uid: byCustomer.uid });
    await set(table, program, byCustomer.id, 'churned');
    const { id } = await aClick(table, program, jane);
    await track(table, program, { by: { slug: jane.slug, clickId: id } });
    const all = { uid: byUid.uid, customer: byCustomer.customer, email: byEmail.email, grId: `${jane.slug}.${id}` };
    const states = () => Promise.all([byUid.id, byCustomer.id, byEmail.id, id].map(stateOf));
    await invoice(all);
    expect(await states()).toEqual(['paid', 'churned', 'converted', 'converted']);
    await invoice({ ...all, uid: newId() });
    expect(await states()).toEqual(['paid', 'paid', 'converted', 'converted']);
    await invoice({ ...all, uid: newId(), customer: newId() });
    expect(await states()).toEqual(['paid', 'paid', 'paid', 'converted']);
    await invoice({ ...all, uid: newId(), customer: newId(), email: anEmail() });
    // Uid and customer contradict nothing, because the referral of the click knows none.
    expect(await states()).toEqual(['paid', 'paid', 'paid', 'paid']);
    expectConsistent(await itemsOf(table, program), program);
  });

  test('the customer is found by the id at Stripe of an event that was ignored', async () => {
    const { id, email, uid, customer } = await aCustomer();
    const guest = anInvoice({ email, created: now() - 50 });
    expect(await send(guest)).toEqual({ applied: 'paid' });
    const late = aCheckout({ email, customer, created: now() - 100 });
    expect(await send(late)).toEqual({ ignored: 'stale' });
    const remembered = await storedReferral(table, program, id);
    // Once is enough, and no entry is added.
    await expectUnchanged(table, async () => expect(await send(late)).toEqual({ ignored: 'stale' }));
    expect(remembered?.history).toHaveLength(2);
    expect(await send(aCancellation({ customer }))).toEqual({ applied: 'churned' });

    const other = newId();
    await set(table, program, id, 'rejected');
    // Within one second, the cancellation would be the later event.
    const created = now() + 3600;
    expect(await invoice({ uid, customer: other, created })).toEqual({ ignored: 'refused_transition' });
    await set(table, program, id, 'converted');
    expect(await invoice({ customer: other, created })).toEqual({ applied: 'paid' });
    await eraseReferral(table, program.id, id, 'operator');
    expectConsistent(await itemsOf(table, program), program);
  });
});

test('an event is applied once in 7 days, and what was ignored can be sent again', async () => {
  const [uid, event] = [newId(), anInvoice({ uid: newId() })];
  const again = anInvoice({ uid });
  await expectUnchanged(table, async () => {
    expect(await send(again)).toEqual({ ignored: 'unknown_customer' });
    expect(await send(event)).toEqual({ ignored: 'unknown_customer' });
  });
  const { id } = await aReferral(table, program, jane, { customerUid: uid });
  const first = now() * 1000;
  const later = (offset: number) => atTime(table, () => milliseconds(first + offset));
  expect(await send(again, later(0))).toEqual({ applied: 'paid' });
  await set(table, program, id, 'churned');
  await expectUnchanged(table, async () => expect(await send(again)).toEqual({ ignored: 'duplicate' }));
  expect(await send(again, later(7 * DAY * 1000 - 1))).toEqual({ ignored: 'duplicate' });
  // At this very second. The table deletes the record late.
  expect(await send(again, later(7 * DAY * 1000))).toEqual({ applied: 'paid' });
});

describe('erased people', () => {
  test('an erased person is neither matched nor created again, and no claim is left', async () => {
    const click = await aClick(table, program, jane);
    const fields = { email: anEmail(), uid: newId(), customer: newId(), grId: `${jane.slug}.${click.id}` };
    await send(aCheckout(fields));
    await invoice({ uid: fields.uid, customer: newId() });
    await eraseReferral(table, program.id, click.id, 'operator');
    const items = await itemsOf(table, program);
    expect(items.filter(({ referral, sk }) => referral === click.id && sk === 'CLAIM')).toEqual([]);
    expectConsistent(items, program);
    await expectUnchanged(table, async () => {
      expect(await send(aCheckout(fields))).toEqual({ ignored: 'erased' });
      expect(await invoice(fields)).toEqual({ ignored: 'erased' });
      expect(await send(aCancellation({ customer: fields.customer }))).toEqual({ ignored: 'unknown_customer' });
      expect(await invoice({ email: fields.email })).toEqual({ ignored: 'unknown_customer' });
    });
  });

  test('an erased person is not created again by the same checkout, for 7 days', async () => {
    const checkout = { email: anEmail(), session: newId(), grId: `${jane.slug}.${newId()}` };
    const first = now() * 1000;
    const later = (offset: number) => atTime(table, () => milliseconds(first + offset));
    expect(await send(aCheckout({ ...checkout, amount: 0 }), later(0))).toEqual({ applied: 'converted' });
    const erase = async () => {
      const claim = await itemAt(table, emailKey(program.id, checkout.email));
      await eraseReferral(table, program.id, String(claim?.['referral']), 'operator');
    };
    await erase();
    const paid = () => ({ ...aCheckout(checkout), type: 'checkout.session.async_payment_succeeded' });
    await expectUnchanged(table, async () => {
      expect(await send(paid())).toEqual({ ignored: 'erased' });
      expect(await send(paid(), later(7 * DAY * 1000 - 1))).toEqual({ ignored: 'erased' });
    });
    expect(await send(aCheckout({ ...checkout, session: newId() }))).toEqual({ applied: 'paid' });
    await erase();
    expect(await send(paid(), later(7 * DAY * 1000))).toEqual({ applied: 'paid' });
  });
});
