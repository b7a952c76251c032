import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { REFUND_RULES, type RefundRule } from '../../functions/domain/program-fields.ts';
import { eventsOf } from '../../functions/domain/referral/referral-event.ts';
import { customerKey } from '../../functions/table/keys.ts';
import { applyStripeEvent } from '../../functions/tracking/stripe/handler.ts';
import { aClick, newId, now } from '../support/program.ts';
import {
  anyEvents,
  type CustomerFields,
  deliveredEvents,
  orderedState,
  type Sequence,
  sequence,
} from '../support/stripe/payment-sequences.ts';
import { aCheckout } from '../support/stripe/stripe.ts';
import { expectConsistent } from '../support/table/consistency.ts';
import { storedReferral } from '../support/table/situations.ts';
import { anEmail, track } from '../support/table/track.ts';
import { itemAt, itemsOf } from '../support/table.ts';
import { useProgram } from '../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const IGNORED = [{ ignored: 'mismatched_customer' }, { ignored: 'nothing_to_do' }];

test('40 shuffled sequences of two customers on one device and a stranger end in the ordered state', async () => {
  const deliver = (onRefund: RefundRule, event: object) => applyStripeEvent(table, { ...program, onRefund }, event);
  /** Creates the referral of a customer. It knows uid, email and customer at Stripe. */
  const create = async (onRefund: RefundRule, creation: object | null, fields: CustomerFields, clickId: string) => {
    if (creation) return deliver(onRefund, creation);
    const { uid, email } = fields;
    await track(table, program, { by: { slug: advocate.slug, clickId }, uid, email });
    return deliver(onRefund, aCheckout({ ...fields, amount: 0 }));
  };
  const property = async (sequences: readonly Sequence[], onRefund: RefundRule) => {
    const { id: clickId } = await aClick(table, program, advocate);
    const grId = `${advocate.slug}.${clickId}`;
    const aPerson = () => ({ id: newId(), uid: newId(), email: anEmail(), customer: newId(), grId });
    const people = sequences.map((delivered) => {
      const fields = aPerson();
      return { delivered, fields, ...deliveredEvents(delivered, now() - 2, fields) };
    });
    for (const { creation, fields } of people) await create(onRefund, creation, fields, clickId);
    const strange = people.flatMap(({ fields: { email } }) => {
      const { uid, customer } = aPerson();
      return anyEvents({ uid, customer, email, grId });
    });
    const [ignored] = await Promise.all([
      Promise.all(strange.map((event) => deliver(onRefund, event))),
      ...people.flatMap(({ deliveries }) => deliveries).map((event) => deliver(onRefund, event)),
    ]);
    for (const result of ignored) expect(IGNORED).toContainEqual(result);
    for (const { delivered, fields } of people) {
      const id = String((await itemAt(table, customerKey(program.id, fields.uid)))?.['referral']);
      const stored = await storedReferral(table, program, id);
      expect(stored).toMatchObject({ email: fields.email, stripe: { customers: { length: 1 } } });
      expect(stored?.state).toBe(orderedState(delivered, onRefund));
      const ids = stored ? eventsOf(stored).map((event) => event?.id) : [];
      expect(ids).toEqual(stored?.history.map((_, index) => `${id}.${index + 1}`));
    }
  };
  const two = fc.tuple(sequence, sequence);
  await fc.assert(fc.asyncProperty(two, fc.constantFrom(...REFUND_RULES), property), { numRuns: 20 });
  expectConsistent(await itemsOf(table, program), program);
});
