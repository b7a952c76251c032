import type { AttributionTarget } from '../advocate.ts';
import type { Program } from '../program.ts';
import { addCalendarMonths, DAY, LAST_SECOND, type Seconds, seconds } from '../time.ts';
import { type HistoryEntry, monotonic, stateChange } from './history.ts';
import { NO_VALUES, type ReferralFields, type ReportedFields } from './referral-fields.ts';
import { flagsOf } from './self-referral.ts';
import { type Actor, isAllowed } from './state.ts';
import type { StripeState } from './stripe-state.ts';

/** A click or a customer referred by an advocate. Invariant: `createdAt <= stateSetAt <= updatedAt`. */
export interface Referral extends ReferralFields {
  /** The last 100 changes, oldest first. */
  readonly history: readonly HistoryEntry[];
  /** `null` if no event of Stripe was applied. */
  readonly stripe: StripeState | null;
}

/** A customer: at least one of the email and the merchant's own id. */
export interface Customer {
  readonly email: string | null;
  readonly uid: string | null;
}

/** Names the referral of a customer: by at least one of email, uid and the referral's id. */
export interface CustomerReference extends Customer {
  readonly id: string | null;
}

/** Everything that turns a click into a referral, or creates one. */
export interface ConversionFields {
  readonly program: Program;
  readonly target: AttributionTarget;
  readonly reported: ReportedFields;
  readonly actor: Actor;
  readonly idempotencyRecord: string | null;
  readonly now: Seconds;
}

/** Creates the referral of a click on an advocate's link. */
export function newClick(
  program: Program,
  target: AttributionTarget,
  click: { readonly id: string; readonly subId: string | null },
  now: Seconds,
): Referral {
  const empty = emptyReferral(program, target, click.id, now);
  const expiresAt = seconds(Math.min(now + program.attributionDays * DAY, LAST_SECOND));
  return { ...empty, subId: click.subId, expiresAt, ...stateChange(empty, 'clicked', now, 'visitor') };
}

/** Creates the referral of a conversion without a click. */
export function newReferral(id: string, conversion: ConversionFields): Referral {
  const { program, target, now } = conversion;
  return converted(emptyReferral(program, target, id, now), conversion, now);
}

/** True if a conversion for this advocate converts the click: it is the advocate's, unconverted and not expired. */
export function isConvertible(click: Referral, target: AttributionTarget, now: Seconds): boolean {
  return (
    isAllowed('conversion', click, 'converted') &&
    click.advocateSlug === target.slug &&
    (click.expiresAt === null || click.expiresAt > now)
  );
}

/** Converts a click. It keeps its id, `createdAt`, rate and sub id; its reported sub id counts if the click has none. */
export function convertClick(click: Referral, conversion: ConversionFields): Referral {
  return converted(click, conversion, monotonic(click, conversion.now));
}

/** True if the person of a referral was erased: a conversion needs an email or a uid. */
export function isErased({ convertedAt, email, customerUid }: Referral): boolean {
  return convertedAt !== null && email === null && customerUid === null;
}

/** A referral before its first state. */
type Stateless = Omit<Referral, 'state' | 'stateSetAt' | 'updatedAt'>;

function emptyReferral(program: Program, target: AttributionTarget, id: string, now: Seconds): Stateless {
  return {
    ...NO_VALUES,
    id,
    advocateSlug: target.slug,
    createdAt: now,
    commissionPercentage: rateOf(program, target),
    history: [],
    stripe: null,
    version: 0,
  };
}

/** The rate of a referral in percent: the advocate's own one, or else the program's. */
export function rateOf(program: Program, target: AttributionTarget): number | null {
  return target.commissionPercentage ?? program.commissionPercentage;
}

function converted(before: Stateless, conversion: ConversionFields, moment: Seconds): Referral {
  const { program, target, reported, actor, idempotencyRecord } = conversion;
  const { commissionMonths } = program;
  const { email, customerUid: uid } = reported;
  return {
    ...before,
    ...reported,
    convertedAt: moment,
    subId: before.subId ?? reported.subId,
    commissionEndDate: commissionMonths === null ? null : addCalendarMonths(moment, commissionMonths),
    expiresAt: null,
    flags: flagsOf({ email, uid }, target),
    idempotencyRecord,
    ...stateChange(before, 'converted', moment, actor),
  };
}
