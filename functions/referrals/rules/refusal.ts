import { DAY, type Seconds } from '../../kernel/time.ts';
import type { Actor } from './state.ts';

/** Why a request credited nobody. */
export const REFUSAL_OUTCOMES = [
  'mismatched_customer',
  'wrong_mode',
  'inactive_advocate',
  'unknown_slug',
  'code_unknown',
  'refused_field',
  'not_converted',
  'no_reference',
] as const;
export type RefusalOutcome = (typeof REFUSAL_OUTCOMES)[number];

/** A request that credited nobody. It contains nothing about the person. */
export interface Refusal {
  readonly at: Seconds;
  readonly source: Actor;
  readonly outcome: RefusalOutcome;
  /** The advocate of the request; `null` if it had none. */
  readonly advocateSlug: string | null;
  /** The promotion code of the request; `null` if it had none that is well-formed. */
  readonly code: string | null;
  /** The provider's id of the event; `null` for a request of the merchant. */
  readonly eventId: string | null;
}

/** The identifiers of a request; `null` for missing and invalid ones. */
export interface Identifiers {
  readonly email: string | null;
  readonly uid: string | null;
  readonly clickId: string | null;
  readonly paymentId: string | null;
  /** A promotion code in upper case. */
  readonly code: string | null;
}

export const NO_IDENTIFIERS: Identifiers = { email: null, uid: null, clickId: null, paymentId: null, code: null };

/** A refused request, as far as it can be read. */
export interface RefusedRequest extends Pick<Refusal, 'source' | 'eventId'> {
  readonly identifiers: Identifiers;
  /** The advocate, by slug or by the merchant's own id of it. */
  readonly advocate: { readonly slug: string } | { readonly uid: string } | null;
  /** `no_advocate`: the advocate is unknown or deactivated, which the response does not reveal. */
  readonly outcome: RefusalOutcome | 'no_advocate';
}

/** The refusals that are kept of an identifier, and for how long, in seconds. */
const MAX_REFUSALS = 20;
export const REFUSALS_KEPT_FOR = 30 * DAY;

/**
 * Adds a refusal. Returns the same list if it contains the refusal: a provider sends an event again, and a lost response
 * is followed by the same request.
 */
export function addRefusal(known: readonly Refusal[], refusal: Refusal): readonly Refusal[] {
  return known.some((other) => isSame(other, refusal)) ? known : [...known, refusal].slice(-MAX_REFUSALS);
}

/** True if two refusals are of one event, or of requests in the same second that do not differ. */
export function isSame(one: Refusal, other: Refusal): boolean {
  return (
    one.outcome === other.outcome &&
    one.source === other.source &&
    one.advocateSlug === other.advocateSlug &&
    one.code === other.code &&
    one.eventId === other.eventId &&
    (one.eventId !== null || one.at === other.at)
  );
}

/** The refusals that are not too old. DynamoDB deletes them late. */
export function recentRefusals(refusals: readonly Refusal[], now: Seconds): readonly Refusal[] {
  return refusals.filter(({ at }) => at > now - REFUSALS_KEPT_FOR);
}
