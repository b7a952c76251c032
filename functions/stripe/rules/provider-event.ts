import type { GrId } from '../../kernel/fields/fields.ts';
import type { Seconds } from '../../kernel/time.ts';
import type { Money } from '../../ledger/rules/entry.ts';
import {
  isBefore,
  stateAtProvider,
  withProviderEvent,
  withSilentWrite,
} from '../../referrals/rules/provider-changes.ts';
import {
  type ConversionFields,
  convertClick,
  isConvertible,
  isErased,
  newReferral,
  type Referral,
} from '../../referrals/rules/referral.ts';
import { setState } from '../../referrals/rules/referral-changes.ts';
import { NOTHING_REPORTED } from '../../referrals/rules/referral-fields.ts';
import { isAllowed, type State } from '../../referrals/rules/state.ts';

/** An event of a payment provider that concerns a referral (docs/contract/stripe.md). */
export interface ProviderEvent {
  /** The provider's id of the event. */
  readonly id: string;
  /** The provider's time of the event. Events are ordered by it, not by their arrival. */
  readonly createdAt: Seconds;
  /** The state that the event leads to: `converted` for a checkout without a payment. */
  readonly state: Exclude<State, 'clicked'>;
  /** True for a checkout, the only event that creates a referral. */
  readonly isCheckout: boolean;
  /** The provider's id of the checkout; `null` for other events. */
  readonly checkoutId: string | null;
  /** The payment that the event reports; `null` if it reports none. */
  readonly payment: ProviderPayment | null;
  /** The references to the customer. At least one is not `null`. */
  readonly customer: ProviderCustomer;
  /** The version of the provider's API that a checkout has; `null` for other events. */
  readonly apiVersion: string | null;
  /** The provider's ids of the promotion codes of a checkout, in its order. */
  readonly promotions: readonly string[];
}

/** A payment as the provider reports it. */
export interface ProviderPayment extends Money {
  readonly id: string;
  /** What the customer paid in all, with tax and shipping. The amount is without. */
  readonly gross: number;
}

/** The references of an event to its customer; `null` for missing references. */
export interface ProviderCustomer {
  /** The merchant's own id of the customer. */
  readonly uid: string | null;
  /** The provider's id of the customer. */
  readonly providerId: string | null;
  readonly email: string | null;
  readonly grId: GrId | null;
}

/** A promotion code at the provider that belongs to an advocate. */
export interface ProviderPromotion {
  /** The provider's id. */
  readonly id: string;
  /** In upper case. */
  readonly code: string;
  readonly slug: string;
}

/** Why an event changed nothing. */
export const IGNORED = [
  'unknown_customer',
  'mismatched_customer',
  'no_identity',
  'erased',
  'stale',
  'duplicate',
  'refused_transition',
  'unreadable',
  'wrong_mode',
  'nothing_to_do',
  'unknown_payment',
  'unknown_slug',
  'code_taken',
  'promotion_code_taken',
  'too_many_codes',
  'other_currency',
  'several_invoices',
  'too_many',
] as const;
export type Ignored = (typeof IGNORED)[number];

/**
 * The result of an event: the state of the referral afterwards, `code` for a promotion code, or why it changed nothing; and
 * the id of the entry of the ledger that it wrote, now or before.
 */
export type EventResult = ({ readonly applied: State | 'code' } | { readonly ignored: Ignored }) & {
  readonly entry?: string;
};

/**
 * Returns whether the referral has another uid than the event, or other customers of the provider. Then a shared email
 * or click does not identify the customer: anyone can pay with any email, and people share devices. `claim` is the name
 * of the event's customer at the provider.
 */
export function isMismatched(referral: Referral, { uid }: ProviderCustomer, claim: string | null): boolean {
  const { customers } = stateAtProvider(referral);
  const hasOtherUid = uid !== null && referral.customerUid !== null && uid !== referral.customerUid;
  return hasOtherUid || (claim !== null && customers.length > 0 && !customers.includes(claim));
}

/**
 * Applies an event to the customer's referral. Returns the changed referral, or why nothing changes. An event whose
 * state is already set is also applied: it moves the time of the latest event. A checkout without a payment has nothing
 * to do, because the customer converted before. `claim` is the name of the provider's customer if no referral has
 * claimed it.
 */
export function applyEvent(
  before: Referral,
  event: ProviderEvent,
  claim: string | null,
  now: Seconds,
): Referral | Ignored {
  if (isErased(before)) return 'erased';
  if (event.state === 'converted') return 'nothing_to_do';
  // A refund in full is final, whatever its age.
  if (event.state !== 'rejected' && isBefore(event, stateAtProvider(before).latest)) return 'stale';
  const hasState = event.state === before.state;
  if (!hasState && !isAllowed('update', before, event.state)) return 'refused_transition';
  const after = hasState ? withSilentWrite(before) : setState(before, event.state, 'stripe', now);
  return withProviderEvent(after, event, claim);
}

/** A checkout that converts a customer. */
interface Checkout extends Pick<ConversionFields, 'target' | 'terms' | 'credit' | 'now'> {
  readonly event: ProviderEvent;
  readonly click: Referral | undefined;
  /** The id of the referral if the checkout does not convert the click. */
  readonly newId: string;
  /** As in `applyEvent`. */
  readonly claim: string | null;
}

/**
 * Creates the referral of a checkout: from the click, if it is the advocate's and unconverted, else a new one. A paid
 * checkout also sets the state to `paid`.
 */
export function convertByCheckout({ click, newId, event, claim, ...attributed }: Checkout): Referral {
  const { target, now } = attributed;
  const { email, uid } = event.customer;
  const reported = { ...NOTHING_REPORTED, email, customerUid: uid };
  const conversion: ConversionFields = { ...attributed, reported, actor: 'stripe', idempotencyRecord: null };
  const converted =
    click && isConvertible(click, target, now) ? convertClick(click, conversion) : newReferral(newId, conversion);
  // A checkout without a payment does not advance the latest event: a payment with an earlier `createdAt` may follow.
  const position = event.state === 'converted' ? null : event;
  return withProviderEvent(setState(converted, event.state, 'stripe', now), position, claim);
}
