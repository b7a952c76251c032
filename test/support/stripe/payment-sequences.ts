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

interface TimedEvent {
  readonly kind: Kind;
  readonly second: number;
}

/** Events of one customer, and the order in which they are delivered. */
export interface Sequence {
  /** The checkout that creates the referral, before all others are delivered; `null` for a customer who converted. */
  readonly creation: TimedEvent | null;
  readonly events: readonly TimedEvent[];
  /** Indexes of events: each occurs at least once. */
  readonly deliveries: readonly number[];
}

const oneOf = (...kinds: readonly Kind[]): fc.Arbitrary<TimedEvent> =>
  fc.record({ kind: fc.constantFrom(...kinds), second: fc.nat(3) });

/** Sequences of 1 to 8 events within a few seconds, so that some have the same time, shuffled and duplicated. */
export const sequence: fc.Arbitrary<Sequence> = fc
  .record({
    creation: fc.option(oneOf('paidCheckout', 'unpaidCheckout')),
    events: fc.array(oneOf(...(Object.keys(KINDS) as Kind[])), { minLength: 1, maxLength: 8 }),
  })
  .chain(({ creation, events }) =>
    fc
      .array(fc.nat(events.length - 1), { maxLength: 8 })
      .chain((again) => fc.shuffledSubarray([...events.keys(), ...again], { minLength: events.length + again.length }))
      .map((deliveries) => ({ creation, events, deliveries })),
  );

/** Builds the checkout that creates the referral, if there is one, and the events that are delivered after it. */
export function deliveredEvents(
  { creation, events, deliveries }: Sequence,
  /** The second of the earliest event. */
  first: number,
  fields: EventFields,
): { readonly creation: JsonObject | null; readonly deliveries: JsonObject[] } {
  const eventOf = ({ kind, second }: TimedEvent, name: string | number) =>
    KINDS[kind]({ ...fields, id: `evt_${fields.id}_${name}`, created: first + second });
  return {
    creation: creation && eventOf(creation, 'creation'),
    deliveries: deliveries.map((index) => eventOf(events[index] ?? { kind: 'payment', second: 0 }, index)),
  };
}

/** The state in which the customer ends, by the contract: the events' own time decides about their order. */
export function orderedState({ creation, events: others }: Sequence, onRefund: RefundRule): State {
  const events = creation ? [creation, ...others] : others;
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
