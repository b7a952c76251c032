import type { AttributionTarget } from '../../kernel/accounts/rules/advocate.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { addCalendarMonths, DAY, LAST_SECOND, type Seconds, seconds } from '../../kernel/time.ts';
import { type HistoryEntry, monotonic, stateChange } from './history.ts';
import type { ProviderState } from './provider-state.ts';
import { NO_VALUES, type ReferralFields, type ReportedFields } from './referral-fields.ts';
import { flagsOf } from './self-referral.ts';
import { type Actor, isAllowed } from './state.ts';

/** A click or a customer referred by an advocate. Invariant: `createdAt <= stateSetAt <= updatedAt`. */
export interface Referral extends ReferralFields {
  /** The last 100 changes, oldest first. */
  readonly history: readonly HistoryEntry[];
  /** `null` if no event of Stripe was applied. */
  readonly provider: ProviderState | null;
}

/** A customer, with an email, the merchant's own id, or both. */
export interface Customer {
  readonly email: string | null;
  readonly uid: string | null;
}

/** Identifies the referral of a customer, by at least one of email, uid and the referral's id. */
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
  return convertClick(emptyReferral(program, target, id, now), conversion);
}

/** True if a conversion for this advocate converts the click: it is the advocate's, unconverted and not expired. */
export function isConvertible(click: Referral, target: AttributionTarget, now: Seconds): boolean {
  return (
    isAllowed('conversion', click, 'converted') &&
    click.advocateSlug === target.slug &&
    (click.expiresAt === null || click.expiresAt > now)
  );
}

/** Converts a click. It keeps its id, `createdAt` and rate, and its own sub id takes precedence over the reported one. */
export function convertClick(click: Stateless, conversion: ConversionFields): Referral {
  const { program, target, reported, actor, idempotencyRecord, now } = conversion;
  const { commissionMonths } = program;
  const { email, customerUid: uid } = reported;
  const convertedAt = monotonic(click, now);
  return {
    ...click,
    ...reported,
    convertedAt,
    subId: click.subId ?? reported.subId,
    commissionEndDate: commissionMonths === null ? null : addCalendarMonths(convertedAt, commissionMonths),
    expiresAt: null,
    flags: flagsOf({ email, uid }, target),
    idempotencyRecord,
    ...stateChange(click, 'converted', convertedAt, actor),
  };
}

/** True if the person of a referral was erased: a conversion needs an email or a uid. */
export function isErased({ convertedAt, email, customerUid }: Referral): boolean {
  return convertedAt !== null && email === null && customerUid === null;
}

/** A referral before its first state. */
type Stateless = Omit<Referral, 'state' | 'stateSetAt'>;

function emptyReferral(program: Program, target: AttributionTarget, id: string, now: Seconds): Stateless {
  return {
    ...NO_VALUES,
    id,
    advocateSlug: target.slug,
    createdAt: now,
    updatedAt: now,
    commissionPercentage: rateOf(program, target),
    history: [],
    provider: null,
    version: 0,
  };
}

/** The rate of a referral in percent: the advocate's own rate, or else the program's. */
export function rateOf(program: Program, target: AttributionTarget): number | null {
  return target.commissionPercentage ?? program.commissionPercentage;
}
