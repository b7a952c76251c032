import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { applyStripeEvent } from '../../../functions/tracking/stripe/handler.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { aCancellation, aCheckout, anInvoice, type EventFields } from '../../support/stripe/stripe.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail } from '../../support/table/track.ts';
import { itemsOf } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let program: Program;
let jane: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
});

const PAID = { applied: 'paid' };
const UNKNOWN = { ignored: 'unknown_customer' };
const send = (event: unknown, at = table) => applyStripeEvent(at, program, event);
/** A customer with an email and a uid. */
async function aCustomer() {
  const [email, uid] = [anEmail(), newId()];
  return { ...(await aReferral(table, program, jane, { email, customerUid: uid })), email, uid };
}
/** Purchases of a guest: Stripe creates a customer for each. Returns these customers. */
async function purchases(count: number, fields: EventFields): Promise<string[]> {
  const customers = Array.from({ length: count }, newId);
  for (const customer of customers) await send(aCheckout({ ...fields, customer }));
  return customers;
}
const expectClaims = async () => expectConsistent(await itemsOf(table, program), program);

describe('customers with a uid who buy as guests', () => {
  test('a guest is found by the last 20 customers at Stripe', async () => {
    const { id, uid } = await aCustomer();
    const customers = await purchases(25, { uid });
    expect((await storedReferral(table, program, id))?.stripe?.customers).toHaveLength(20);
    const found = [];
    for (const customer of customers) found.push(await send(aCancellation({ customer })));
    expect(found).toEqual([...Array(5).fill(UNKNOWN), ...Array(20).fill({ applied: 'churned' })]);
    await expectClaims();
    await eraseReferral(table, program.id, id, 'operator');
    await expectClaims();
  });

  test('a guest is found by a forgotten customer at Stripe from the next event with the uid on', async () => {
    const { uid } = await aCustomer();
    const [first = '', second = ''] = await purchases(21, { uid });
    expect(await send(aCancellation({ customer: first }))).toEqual(UNKNOWN);
    expect(await send(anInvoice({ customer: first, uid }))).toEqual(PAID);
    expect(await send(aCancellation({ customer: first }))).toEqual({ applied: 'churned' });
    expect(await send(aCancellation({ customer: second }))).toEqual(UNKNOWN);
    await expectClaims();
  });

  test('each new customer at Stripe displaces one, even if two are new at the same time', async () => {
    const { id, uid } = await aCustomer();
    const customers = await purchases(20, { uid });
    beforeNext(table, 'TransactWriteItemsCommand', () => send(anInvoice({ uid, customer: newId() })));
    expect(await send(anInvoice({ uid, customer: newId() }))).toEqual(PAID);
    expect((await storedReferral(table, program, id))?.stripe?.customers).toHaveLength(20);
    for (const customer of customers.slice(0, 2)) expect(await send(anInvoice({ customer }))).toEqual(UNKNOWN);
    expect(await send(anInvoice({ customer: String(customers[2]) }))).toEqual(PAID);
    await expectClaims();
  });

  test('one customer at Stripe is displaced if the response of the table is lost', async () => {
    const { id, uid } = await aCustomer();
    await purchases(20, { uid });
    const before = await storedReferral(table, program, id);
    proxied.proxy.next('TransactWriteItems', 'lose');
    expect(await send(anInvoice({ uid, customer: newId() }), proxied.faulty)).toEqual(PAID);
    const after = await storedReferral(table, program, id);
    expect(after?.version).toBe(Number(before?.version) + 1);
    expect(after?.stripe?.customers.slice(0, -1)).toEqual(before?.stripe?.customers.slice(1));
    await expectClaims();
  });

  test('no claim of a guest is left if the person is erased at the same time', async () => {
    const { id, uid } = await aCustomer();
    await purchases(20, { uid });
    beforeNext(table, 'TransactWriteItemsCommand', () => send(anInvoice({ uid, customer: newId() })));
    await eraseReferral(table, program.id, id, 'operator');
    await expectClaims();
  });
});

describe("25 purchases of a stranger with a customer's email", () => {
  test('purchases of a stranger change nothing if the referral knows its customer at Stripe', async () => {
    const { email, uid } = await aCustomer();
    const customer = newId();
    await send(anInvoice({ uid, customer }));
    await expectUnchanged(table, () => purchases(25, { email }));
    expect(await send(aCancellation({ customer }))).toEqual({ applied: 'churned' });
  });

  test('purchases of a stranger leave room for the customer at Stripe of an event with the uid', async () => {
    const { id, email, uid } = await aCustomer();
    await purchases(25, { email });
    const customer = newId();
    expect(await send(anInvoice({ uid, email, customer }))).toEqual(PAID);
    expect(await send(aCancellation({ customer }))).toEqual({ applied: 'churned' });
    // The Stripe customers of the buyer and of the stranger's first purchase, when the referral knew none.
    expect((await storedReferral(table, program, id))?.stripe?.customers).toHaveLength(2);
  });
});
