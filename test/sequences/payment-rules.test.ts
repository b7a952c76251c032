import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { REFUND_RULES, type RefundRule } from '../../functions/domain/program-fields.ts';
import { entryCount } from '../../functions/domain/referral/history.ts';
import { applyPayment, convertByCheckout } from '../../functions/domain/referral/payment.ts';
import { newReferral, type Referral } from '../../functions/domain/referral/referral.ts';
import { seconds } from '../../functions/domain/time.ts';
import type { JsonObject } from '../../functions/http/openapi.ts';
import { conversionOf } from '../support/conversion.ts';
import { deliveredEvents, orderedState, type Sequence, sequence } from '../support/stripe/payment-sequences.ts';
import { customerEvent } from '../support/stripe/stripe.ts';
import { affiliate, NOW, program, REFERRAL_ID } from '../unit/samples.ts';

const known = newReferral(REFERRAL_ID, {
  program,
  target: affiliate,
  ...conversionOf({ email: 'a@shop.example' }),
  now: NOW,
});

const FIELDS = { id: 'a', uid: '1001', email: 'a@shop.example', customer: 'cus_1' };

/** The referral that a checkout creates. */
function createdBy(checkout: JsonObject): Referral {
  const event = customerEvent(checkout, { mode: 'live', onRefund: 'ignore' });
  if (typeof event === 'string') throw new Error(`The checkout was ignored: ${event}.`);
  return convertByCheckout({
    program,
    target: affiliate,
    click: undefined,
    newId: REFERRAL_ID,
    event,
    claim: null,
    now: NOW,
  });
}

/** Applies events one after the other, and ignores repeated events. */
function applied(first: Referral, events: readonly JsonObject[], onRefund: RefundRule): Referral {
  const ids = new Set<string>();
  return events.reduce<Referral>((before, json, index) => {
    const event = customerEvent(json, { mode: 'live', onRefund });
    if (typeof event === 'string' || ids.has(event.id)) return before;
    const after = applyPayment(before, event, null, seconds(NOW + index));
    if (typeof after === 'string') return before;
    ids.add(event.id);
    return after;
  }, first);
}

test.each(REFUND_RULES)('5,000 shuffled and duplicated sequences end like ordered ones, if refunds %s', (onRefund) => {
  const states = new Set<string>();
  const property = (delivered: Sequence) => {
    // The first event happened before the conversion: only the events' own times count.
    const { creation, deliveries } = deliveredEvents(delivered, NOW - 2, FIELDS);
    const after = applied(creation ? createdBy(creation) : known, deliveries, onRefund);
    expect(after.state).toBe(orderedState(delivered, onRefund));
    expect(after.history).toHaveLength(entryCount(after));
    states.add(after.state);
  };
  fc.assert(fc.property(sequence, property), { numRuns: 5000 });
  expect(states.size).toBe(onRefund === 'reject' ? 4 : 3);
});
