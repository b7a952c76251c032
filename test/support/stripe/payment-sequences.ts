import fc from 'fast-check';
import type { RefundRule } from '../../../functions/kernel/accounts/rules/program-fields.ts';
import type { JsonObject } from '../../../functions/openapi/operation.ts';
import type { State } from '../../../functions/referrals/rules/state.ts';
import { aCancellation, aCheckout, anInvoice, aRefund, type EventFields } from './stripe.ts';

const KINDS = {
  paidCheckout: (fields: EventFields) => aCheckout(fields),
  unpaidCheckout: (fields: EventFields) => aCheckout({ ...fields, amount: 0 }),
  payment: (fields: EventFields) => anInvoice(fields),
  cancellation: (fields: EventFields) => aCancellation(fields),
  refund: (fields: EventFields) => aRefund(fields),
};
type Kind = keyof typeof KINDS;

/** The references that lead to a referral which knows all three of them. */
const ALL_REFERENCES = ['uid', 'email', 'customer'] as const;
type Reference = (typeof ALL_REFERENCES)[number];

interface TimedEvent {
  readonly kind: Kind;
  readonly second: number;
  /** The references that the event contains. */
  readonly by: readonly Reference[];
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
  fc
    .record({
      kind: fc.constantFrom(...kinds),
      second: fc.nat(3),
      by: fc.subarray([...ALL_REFERENCES], { minLength: 1 }),
    })
    // The end of a subscription contains no email.
    .filter(({ kind, by }) => kind !== 'cancellation' || by.join() !== 'email');

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

/** The fields of a customer's events: the prefix of their ids, and all references. */
export type CustomerFields = EventFields & Record<Reference | 'id', string>;

/** Builds the checkout that creates the referral, if there is one, and the events that are delivered after it. */
export function deliveredEvents(
  { creation, events, deliveries }: Sequence,
  /** The second of the earliest event. */
  first: number,
  { uid, email, customer, ...fields }: CustomerFields,
): { readonly creation: JsonObject | null; readonly deliveries: JsonObject[] } {
  const references = { uid, email, customer };
  const eventOf = ({ kind, second, by }: TimedEvent, name: string | number) => {
    const contained = Object.fromEntries(by.map((reference) => [reference, references[reference]]));
    return KINDS[kind]({ ...fields, ...contained, id: `evt_${fields.id}_${name}`, created: first + second });
  };
  return {
    // The referral knows all references from the beginning.
    creation: creation && eventOf({ ...creation, by: ALL_REFERENCES }, 'creation'),
    deliveries: deliveries.flatMap((index) => {
      const event = events[index];
      return event ? [eventOf(event, index)] : [];
    }),
  };
}

/** Builds events of any kind that contain nothing but these fields. */
export const anyEvents = (fields: EventFields): JsonObject[] => Object.values(KINDS).map((build) => build(fields));

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
