import { beforeAll, describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { emailKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { eraseReferral } from '../../../functions/referrals/table/referrals.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { aCancellation, aCheckout, anInvoice, type EventFields } from '../../support/stripe/stripe.ts';
import { expectConsistent, statesIn } from '../../support/table/consistency.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail } from '../../support/table/track.ts';
import { itemAt, itemsOf } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
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

  test.each<[string, () => Promise<string>]>([
    ['the click has expired', async () => (await aClick(table, program, jane, { expiresAt: now() })).id],
    ['the click is rejected', async () => (await aClick(table, program, jane, { state: 'rejected' })).id],
  ])('a checkout gets a new referral if %s', async (_, clickId) => {
    const [id, email] = [await clickId(), anEmail()];
    expect(await checkout({ email, grId: grIdOf(id) })).toEqual({ applied: 'paid' });
    const stored = await referralOf(email);
    expect(stored).toMatchObject({ advocateSlug: jane.slug, email, customerUid: null, state: 'paid' });
    expect(stored?.id).not.toBe(id);
    expect(statesIn(stored?.history)).toEqual(['converted', 'paid']);
  });

  test.each<[string, () => Promise<EventFields>]>([
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
    expect((await storedReferral(table, program, id))?.provider?.customers).toHaveLength(20);
    const found = [];
    for (const customer of customers) found.push(await send(aCancellation({ customer })));
    expect(found).toEqual([...Array(5).fill(UNKNOWN), ...Array(20).fill({ applied: 'churned' })]);
    await expectClaims();
    await eraseReferral(table, program.id, id, 'operator');
    await expectClaims();
  });

  test('each new customer at Stripe displaces one, even if two are new at the same time', async () => {
    const { id, uid } = await aCustomer();
    const customers = await purchases(20, { uid });
    // Of the same second: else the first one could be stale.
    const created = now();
    const [one, other] = [newId(), newId()].map((customer) => anInvoice({ uid, customer, created }));
    beforeNext(table, 'TransactWriteItemsCommand', () => send(other));
    expect(await send(one)).toEqual(PAID);
    expect((await storedReferral(table, program, id))?.provider?.customers).toHaveLength(20);
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
    expect(after?.provider?.customers.slice(0, -1)).toEqual(before?.provider?.customers.slice(1));
    await expectClaims();
  });
});
