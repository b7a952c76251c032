import type { Seconds } from '../../kernel/time.ts';

/**
 * How many refunds and disputes count for a payment, and how many links wait for one: with ids of the largest size, both
 * fit into an item twice.
 */
export const MAX_FACTS = 150;
export const MAX_LINKS = 500;

/** What Stripe has reported of a charge that was refunded, or of a dispute. Amounts are in the smallest unit. */
export interface ProviderFact {
  readonly kind: 'charge' | 'dispute';
  /** The id of the charge or of the dispute. */
  readonly id: string;
  /** The payment intent of the charge, or the charge if it has none. */
  readonly source: string;
  readonly currency: string;
  /** The amount of the charge; 0 for a dispute. */
  readonly charged: number;
  /** What is refunded of the charge in all, or withdrawn by the dispute; 0 after it was reinstated. */
  readonly returned: number;
  /** The event that reported it, and its time. */
  readonly eventId: string;
  readonly createdAt: Seconds;
}

/** What an event of Stripe reports of the money of a payment intent, or of a charge without one. */
export interface ProviderReport {
  readonly eventId: string;
  readonly createdAt: Seconds;
  /** The payment intent, or the charge. */
  readonly source: string;
  /** The invoice that it pays; `null` if the event does not contain it. */
  readonly invoice: string | null;
  /** What was refunded or disputed; `null` if the event only reports the invoice. */
  readonly fact: ProviderFact | null;
}

/** What Stripe has reported of a payment. */
export interface ProviderReports {
  /** What the customer paid in all; `null` for a payment that the API or an import recorded. */
  readonly gross: number | null;
  /** What was refunded before Stripe's first report, as a part of the payment's amount. */
  readonly refundedBefore: number;
  /** At most one fact of each charge and dispute. */
  readonly facts: readonly ProviderFact[];
}

/**
 * Adds facts. Of each charge the largest refunded amount counts, of each dispute the newest event: so neither order nor
 * repetition matters. Returns the same array if nothing changes.
 */
export function mergeFacts(known: readonly ProviderFact[], added: readonly ProviderFact[]): readonly ProviderFact[] {
  return added.reduce((facts, fact) => {
    const same = facts.find(({ kind, id }) => kind === fact.kind && id === fact.id);
    if (same && !supersedes(fact, same)) return facts;
    return [...facts.filter((other) => other !== same), fact];
  }, known);
}

/** True if a fact of the same charge or dispute counts instead of another one. */
function supersedes(one: ProviderFact, other: ProviderFact): boolean {
  if (one.kind === 'charge' && one.returned !== other.returned) return one.returned > other.returned;
  if (one.createdAt !== other.createdAt) {
    return one.kind === 'charge' ? one.createdAt < other.createdAt : one.createdAt > other.createdAt;
  }
  // Within a second, funds are withdrawn before they are reinstated.
  if (one.returned !== other.returned) return one.returned < other.returned;
  return one.eventId < other.eventId;
}
