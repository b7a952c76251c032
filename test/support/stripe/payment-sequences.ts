import fc from 'fast-check';
import type { State } from '../../../functions/domain/referral/state.ts';
import type { RefundRule } from '../../../functions/domain/referral/stripe-event.ts';
import type { JsonObject } from '../../../functions/http/openapi.ts';
import { aCancellation, aCheckout, anInvoice, aRefund, type EventFields } from './stripe.ts';

const KINDS = {
  paidCheckout: (fields: EventFields) => aCheckout(fields),
  unpaidCheckout: (fields: EventFields) => aCheckout({ ...fields, amount: 0 }),
  payment: (fields: EventFields) => anInvoice(fields),
  cancellation: (fields: EventFields) => aCancellation(fields),
  refund: (fields: EventFields) => aRefund(fields),
};
type Kind = keyof typeof KINDS;

/** Events of one customer, and the order in which they are delivered. */
export interface Sequence {
  readonly events: readonly { readonly kind: Kind; readonly second: number }[];
  /** Indexes of events: each occurs at least once. */
  readonly deliveries: readonly number[];
}

/** Sequences of 1 to 8 events within a few seconds, so that some have the same time, shuffled and duplicated. */
export const sequence: fc.Arbitrary<Sequence> = fc
  .array(fc.record({ kind: fc.constantFrom(...(Object.keys(KINDS) as Kind[])), second: fc.nat(3) }), {
    ...{ minLength: 1, maxLength: 8 },
  })
  .chain((events) =>
    fc
      .array(fc.nat(events.length - 1), { maxLength: 8 })
      .chain((again) => fc.shuffledSubarray([...events.keys(), ...again], { minLength: events.length + again.length }))
      .map((deliveries) => ({ events, deliveries })),
  );

/** Builds the events that are delivered, in this order. `first` is the second of the earliest one. */
export function deliveredEvents({ events, deliveries }: Sequence, first: number, fields: EventFields): JsonObject[] {
  return deliveries.map((index) => {
    const { kind, second } = events[index] ?? { kind: 'payment', second: 0 };
    return KINDS[kind]({ ...fields, id: `evt_${fields.id}_${index}`, created: first + second });
  });
}

/** The state in which a converted customer ends, by the contract: the events' own time decides about their order. */
export function orderedState({ events }: Sequence, onRefund: RefundRule): State {
  if (onRefund === 'reject' && events.some(({ kind }) => kind === 'refund')) return 'rejected';
  const paid = (second: number) =>
    events.some((event) => event.second === second && (event.kind === 'paidCheckout' || event.kind === 'payment'));
  const churned = (second: number) => events.some((event) => event.second === second && event.kind === 'cancellation');
  for (const second of [3, 2, 1, 0]) {
    // Within a second, a cancellation follows a payment.
    if (churned(second)) return 'churned';
    if (paid(second)) return 'paid';
  }
  return 'converted';
}
