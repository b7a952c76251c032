import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventsOf } from '../../../functions/domain/referral/referral-event.ts';
import { REFUND_RULES, type RefundRule } from '../../../functions/domain/referral/stripe-event.ts';
import { customerKey } from '../../../functions/table/keys.ts';
import { applyStripeEvent } from '../../../functions/tracking/stripe/endpoint.ts';
import { aReferral, newId, now } from '../../support/program.ts';
import { deliveredEvents, orderedState, type Sequence, sequence } from '../../support/stripe/payment-sequences.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { itemAt, itemsOf } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();

test('200 sequences that are delivered at once end in the state of the ordered ones', async () => {
  const deliver = (onRefund: RefundRule, event: object) => applyStripeEvent(table, { ...program, onRefund }, event);
  const property = async (delivered: Sequence, onRefund: RefundRule) => {
    const [uid, customer] = [newId(), newId()];
    const fields = { id: newId(), uid, customer, grId: `${advocate.slug}.${newId()}` };
    const { creation, deliveries } = deliveredEvents(delivered, now() - 2, fields);
    if (creation) await deliver(onRefund, creation);
    else await aReferral(table, program, advocate, { customerUid: uid });
    await Promise.all(deliveries.map((event) => deliver(onRefund, event)));
    const id = String((await itemAt(table, customerKey(program.id, uid)))?.['referral']);
    const stored = await storedReferral(table, program, id);
    expect(stored?.state).toBe(orderedState(delivered, onRefund));
    const ids = stored ? eventsOf(stored).map((event) => event?.id) : [];
    expect(ids).toEqual(stored?.history.map((_, index) => `${id}.${index + 1}`));
  };
  await fc.assert(fc.asyncProperty(sequence, fc.constantFrom(...REFUND_RULES), property), { numRuns: 200 });
  expectConsistent(await itemsOf(table, program), program);
});
