import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { Unavailable } from '../../../functions/kernel/errors.ts';
import { eraseReferral } from '../../../functions/referrals/table/referrals.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { beforeNext, interleavedAttempts } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { aCheckout, anInvoice } from '../../support/stripe/stripe.ts';
import { expectConsistent, statesIn } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let jane: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
});

const TRANSACTION = 'TransactWriteItemsCommand';
const send = (event: unknown) => applyStripeEvent(table, program, event);
const aCustomer = async () => {
  const [email, uid] = [anEmail(), newId()];
  return { ...(await aReferral(table, program, jane, { email, customerUid: uid })), email, uid };
};
const grIdOf = (clickId: string) => `${jane.slug}.${clickId}`;

describe('an event and another change at the same time', () => {
  test('an erasure before the event leaves nothing to match', async () => {
    const { id, uid } = await aCustomer();
    beforeNext(table, TRANSACTION, () => eraseReferral(table, program.id, id, 'operator'));
    expect(await send(anInvoice({ uid, customer: newId() }))).toEqual({ ignored: 'unknown_customer' });
    expect(await storedReferral(table, program, id)).toMatchObject({ email: null, state: 'converted' });
    expectConsistent(await itemsOf(table, program), program);
  });

  test('an erasure after the claims were read does not hide that the customer converted again', async () => {
    const { id, uid } = await aCustomer();
    beforeNext(table, 'GetItemCommand', async () => {
      await eraseReferral(table, program.id, id, 'operator');
      await track(table, program, { by: { slug: jane.slug, clickId: null }, uid });
    });
    expect(await send(anInvoice({ uid }))).toEqual({ applied: 'paid' });
    const referrals = expectConsistent(await itemsOf(table, program), program);
    expect(referrals.find(({ customerUid }) => customerUid === uid)).toMatchObject({ state: 'paid' });
  });

  test('an erasure after the event also deletes the claim of the customer at Stripe', async () => {
    const { id, uid } = await aCustomer();
    beforeNext(table, TRANSACTION, () => send(anInvoice({ uid, customer: newId() })));
    await eraseReferral(table, program.id, id, 'operator');
    expect(await storedReferral(table, program, id)).toMatchObject({ state: 'paid', provider: { customers: [] } });
    expectConsistent(await itemsOf(table, program), program);
  });

  test('a change of state by the merchant comes before the event', async () => {
    const { id, uid } = await aCustomer();
    beforeNext(table, TRANSACTION, () => set(table, program, id, 'churned'));
    expect(await send(anInvoice({ uid }))).toEqual({ applied: 'paid' });
    expect(statesIn((await storedReferral(table, program, id))?.history)).toEqual(['converted', 'churned', 'paid']);
  });

  test('an event of another customer may be the first with a customer at Stripe, which then belongs to that one', async () => {
    const [one, other, customer] = [await aCustomer(), await aCustomer(), newId()];
    beforeNext(table, TRANSACTION, () => send(anInvoice({ uid: other.uid, customer })));
    expect(await send(anInvoice({ uid: one.uid, customer }))).toEqual({ applied: 'paid' });
    expect(await storedReferral(table, program, one.id)).toMatchObject({ provider: { customers: [] } });
    expectConsistent(await itemsOf(table, program), program);
  });
});

test('an event is applied once, whichever responses of the table are lost', async () => {
  const losses = fc.array(fc.boolean(), { minLength: 6, maxLength: 6 });
  const property = async (scheduler: fc.Scheduler, lost: boolean[], isNew: boolean) => {
    const own = await aProgram(table);
    const advocate = await anAdvocate(table, own, { slug: jane.slug });
    const uid = '1001';
    if (!isNew) await aReferral(table, own, advocate, { customerUid: uid });
    // Of the same second: else the first one could be stale.
    const created = now();
    const events = ['cus_1', 'cus_2'].map((customer) => aCheckout({ uid, customer, grId: grIdOf(newId()), created }));
    const deliver = async (event: object): Promise<unknown> =>
      applyStripeEvent(table, own, event).catch((error: unknown) => {
        expect(error).toBeInstanceOf(Unavailable);
        return deliver(event);
      });
    const results = await interleavedAttempts(scheduler, table, lost, () =>
      Promise.all([...events, ...events].map(deliver)),
    );
    // A lost response is followed by the same event: it was applied before.
    for (const result of results) expect([{ applied: 'paid' }, { ignored: 'duplicate' }]).toContainEqual(result);
    const [referral, ...others] = expectConsistent(await itemsOf(table, own), own);
    expect(others).toEqual([]);
    expect(statesIn(referral?.history)).toEqual(['converted', 'paid']);
    expect(referral?.provider?.customers).toHaveLength(2);
    expect(referral?.version).toBe(3);
  };
  await fc.assert(fc.asyncProperty(fc.scheduler(), losses, fc.boolean(), property), { numRuns: 20 });
});
