import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { emailKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram, newId } from '../../support/program.ts';
import { aCancellation, aCheckout, anInvoice, aRefund, type EventFields } from '../../support/stripe/stripe.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { itemAt } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let jane: Advocate;
beforeAll(async () => {
  program = await aProgram(table, { onRefund: 'reject' });
  jane = await anAdvocate(table, program);
});

const MISMATCHED = { ignored: 'mismatched_customer' };
const send = (event: unknown) => applyStripeEvent(table, program, event);
/** A customer whose click converted: the references that lead to the referral. */
type Known = Required<Pick<EventFields, 'email' | 'uid' | 'customer' | 'grId'>> & { readonly id: string };
/** A customer whose referral knows a uid, a customer at Stripe, or both. */
async function aCustomer(knows: readonly ('uid' | 'customer')[]): Promise<Known> {
  const { id } = await aClick(table, program, jane);
  const [email, uid, customer, grId] = [anEmail(), newId(), newId(), `${jane.slug}.${id}`];
  await track(table, program, { by: { slug: jane.slug, clickId: id }, email, ...(knows.includes('uid') && { uid }) });
  if (knows.includes('customer')) expect(await send(anInvoice({ email, customer }))).toEqual({ applied: 'paid' });
  return { id, email, uid, customer, grId };
}
const referralOf = async (email: string) => {
  const claim = await itemAt(table, emailKey(program.id, email));
  return storedReferral(table, program, String(claim?.['referral']));
};

/** What the referral knows, and what the event contains of another customer. */
const CONTRADICTIONS: [knows: ('uid' | 'customer')[], other: ('uid' | 'customer')[]][] = [
  [['uid'], ['uid', 'customer']],
  [['customer'], ['customer']],
  [['uid', 'customer'], ['customer']],
];
const others = (kinds: readonly ('uid' | 'customer')[]): EventFields =>
  Object.fromEntries(kinds.map((kind) => [kind, newId()]));

describe.each(CONTRADICTIONS)('a referral that knows %j and an event with another %j', (knows, other) => {
  let known: Known;
  beforeEach(async () => {
    known = await aCustomer(knows);
  });

  test('a referral and an event are not matched by email or gr_id if they differ', async () => {
    await expectUnchanged(table, async () => {
      for (const event of [aRefund, anInvoice, aCheckout]) {
        expect(await send(event({ ...others(other), email: known.email, grId: known.grId }))).toEqual(MISMATCHED);
      }
      expect(await send(anInvoice({ ...others(other), email: anEmail(), grId: known.grId }))).toEqual(MISMATCHED);
    });
  });

  test('a checkout with the gr_id and a free email gets a separate referral', async () => {
    const before = await storedReferral(table, program, known.id);
    const buyer = { ...others(other), email: anEmail(), grId: known.grId };
    expect(await send(aCheckout(buyer))).toEqual({ applied: 'paid' });
    const own = await referralOf(buyer.email);
    expect(own).toMatchObject({ advocateSlug: jane.slug, state: 'paid', customerUid: buyer.uid ?? null });
    expect(await send(aCancellation(buyer))).toEqual({ applied: 'churned' });
    expect(await storedReferral(table, program, String(own?.id))).toMatchObject({ state: 'churned' });
    expect(await storedReferral(table, program, known.id)).toEqual(before);
  });
});

describe('matches that count', () => {
  const paid = { applied: 'paid' };

  test('a match by email or gr_id counts if the event or the referral lacks what the other one knows', async () => {
    for (const by of ['email', 'grId'] as const) {
      const [withUid, withCustomer] = [await aCustomer(['uid']), await aCustomer(['customer'])];
      expect(await send(anInvoice({ [by]: withUid[by] }))).toEqual(paid);
      expect(await send(anInvoice({ [by]: withCustomer[by], uid: newId() }))).toEqual(paid);
      expect(await send(anInvoice({ [by]: withUid[by], customer: newId() }))).toEqual(paid);
    }
  });
});

test('a checkout of another buyer gets a separate referral if the click converts at the same time', async () => {
  const { id } = await aClick(table, program, jane);
  const aBuyer = () => ({ email: anEmail(), customer: newId(), grId: `${jane.slug}.${id}` });
  const [first, second] = [aBuyer(), aBuyer()];
  beforeNext(table, 'TransactWriteItemsCommand', () => send(aCheckout(first)));
  expect(await send(aCheckout(second))).toEqual({ applied: 'paid' });
  expect(await referralOf(first.email)).toMatchObject({ id, provider: { customers: { length: 1 } } });
  expect(await referralOf(second.email)).toMatchObject({ provider: { customers: { length: 1 } } });
  expect((await referralOf(second.email))?.id).not.toBe(id);
});
