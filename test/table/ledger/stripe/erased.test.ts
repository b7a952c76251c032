import { beforeEach, expect, test } from '@jest/globals';
import type { Program } from '../../../../functions/domain/program.ts';
import { emailKey } from '../../../../functions/table/keys.ts';
import { eraseReferral } from '../../../../functions/table/referrals/referrals.ts';
import { applyStripeEvent } from '../../../../functions/tracking/stripe/handler.ts';
import { useFaultyProxy } from '../../../support/faulty-proxy.ts';
import { beforeNext } from '../../../support/interleaved.ts';
import { anAdvocate, aProgram, newId } from '../../../support/program.ts';
import { aCheckout } from '../../../support/stripe/stripe.ts';
import { expectConsistent } from '../../../support/table/consistency.ts';
import { entriesOf } from '../../../support/table/entries.ts';
import { storedReferral } from '../../../support/table/situations.ts';
import { itemAt, itemsOf } from '../../../support/table.ts';
import { useTable } from '../../../support/use-table.ts';

// A checkout created a referral, whose person was erased before the checkout was paid.

const table = useTable();
const proxied = useFaultyProxy(table);
const email = 'ben@shop.example';
const ENTRY = expect.stringMatching(/^[0-9a-f-]{36}$/);
let program: Program;
let erased: string;
let paid: () => object;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 10 });
  const { slug } = await anAdvocate(table, program);
  const checkout = { email, grId: `${slug}.${newId()}`, session: newId() };
  await applyStripeEvent(table, program, aCheckout({ ...checkout, amount: 0 }));
  erased = String((await itemAt(table, emailKey(program.id, email)))?.['referral']);
  await eraseReferral(table, program.id, erased, 'operator');
  paid = () => {
    const event = aCheckout({ ...checkout, amount: 1000 });
    Object.assign((event['data'] as { object: object }).object, { currency: 'usd', invoice: 'in_A' });
    return { ...event, type: 'checkout.session.async_payment_succeeded' };
  };
});

const expectRecorded = async (sent: unknown) => {
  const entries = await entriesOf(table, program);
  expect(entries).toMatchObject([{ referralId: erased, paymentId: 'in_A', amount: 1000, commission: 100 }]);
  expect(sent).toEqual({ ignored: 'erased', entry: entries[0]?.id });
};

test('the payment of a checkout is recorded, after the person whom it created was erased', async () => {
  await expectRecorded(await applyStripeEvent(table, program, paid()));
  await expectRecorded(await applyStripeEvent(table, program, paid()));
  expect(await storedReferral(table, program, erased)).toMatchObject({ state: 'converted', email: null });
  expectConsistent(await itemsOf(table, program), program);
});

test('the payment of the checkout of an erased person is recorded once if two events arrive together', async () => {
  beforeNext(table, 'TransactWriteItemsCommand', async () => {
    expect(await applyStripeEvent(table, program, paid())).toEqual({ ignored: 'erased', entry: ENTRY });
  });
  await expectRecorded(await applyStripeEvent(table, program, paid()));
});

test('the payment of the checkout of an erased person is recorded once after a lost response', async () => {
  proxied.proxy.next('TransactWriteItems', 'lose');
  await expectRecorded(await applyStripeEvent(proxied.faulty, program, paid()));
});
