import type { Seconds } from '../../kernel/time.ts';
import { MAX_CUSTOMERS, NO_PROVIDER_STATE, type ProviderState } from './provider-state.ts';
import { isErased, type Referral } from './referral.ts';
import { STATES, type State } from './state.ts';

/**
 * Maximum length of an id of Stripe in characters
 * (https://docs.stripe.com/upgrades#what-changes-does-stripe-consider-to-be-backwards-compatible).
 */
export const MAX_PROVIDER_ID = 255;

/** What the referral knows of its events. */
export const stateAtProvider = ({ provider }: Referral): ProviderState => provider ?? NO_PROVIDER_STATE;

/**
 * Adds the Stripe customer of an event that changes nothing else, because later events may contain nothing but this
 * customer. Returns the same object if the referral has the customer already.
 */
export function addProviderCustomer(before: Referral, claim: string | null): Referral {
  if (claim === null || isErased(before) || stateAtProvider(before).customers.includes(claim)) return before;
  return withProviderEvent(withSilentWrite(before), null, claim);
}

/** The place of an event in the order of the provider's events. */
type Position = { readonly createdAt: Seconds; readonly state: State };

/** True if an event is older than another one. Within a second, the order of states decides. */
export function isBefore(one: Position, other: Position | null): boolean {
  if (other === null) return false;
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  return STATES.indexOf(one.state) < STATES.indexOf(other.state);
}

/** Prepares a write without an entry in the history: readers of the referral see no change. */
export function withSilentWrite(referral: Referral): Referral {
  const provider = stateAtProvider(referral);
  return {
    ...referral,
    provider: { ...provider, silentWrites: provider.silentWrites + 1 },
    version: referral.version + 1,
  };
}

/** Adds an event, if it is the latest one, and the name of the provider's customer. */
export function withProviderEvent(referral: Referral, event: Position | null, claim: string | null): Referral {
  const { customers, latest, silentWrites } = stateAtProvider(referral);
  const isLater = event !== null && !isBefore(event, latest);
  const isNew = claim !== null && !customers.includes(claim);
  return {
    ...referral,
    provider: {
      customers: isNew ? [...customers, claim].slice(-MAX_CUSTOMERS) : customers,
      latest: isLater ? { createdAt: event.createdAt, state: event.state } : latest,
      silentWrites,
    },
  };
}
