import type { AttributionTarget } from '../../kernel/accounts/rules/advocate.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import type { Terms } from '../../kernel/accounts/rules/terms.ts';
import { addCalendarMonths, DAY, LAST_SECOND, type Seconds, seconds } from '../../kernel/time.ts';
import { type HistoryEntry, monotonic, stateChange, stateSet } from './history.ts';
import type { ProviderState } from './provider-state.ts';
import { type CreditedBy, NO_VALUES, type ReferralFields, type ReportedFields } from './referral-fields.ts';
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

/** The advocate of a new referral, and what the referral earns it. */
export interface Attributed {
  readonly target: AttributionTarget;
  readonly terms: Terms;
}

/** By what a conversion was credited, and the advocate whom another reference of it pointed to; `null` if to no other. */
export interface Credit {
  readonly by: CreditedBy;
  /** The promotion code that decided; `null` if none did. */
  readonly code: string | null;
  readonly lost: string | null;
}

/** Everything that turns a click into a referral, or creates one. */
export interface ConversionFields extends Attributed {
  readonly credit: Credit;
  readonly reported: ReportedFields;
  readonly actor: Actor;
  readonly idempotencyRecord: string | null;
  readonly now: Seconds;
}

/** Creates the referral of a click on an advocate's link. */
export function newClick(
  { attributionDays }: Pick<Program, 'attributionDays'>,
  { target, terms }: Attributed,
  click: { readonly id: string; readonly subId: string | null },
  now: Seconds,
): Referral {
  const empty = { ...emptyReferral(target, terms, click.id, now), commissionMonths: terms.commissionMonths };
  const expiresAt = seconds(Math.min(now + attributionDays * DAY, LAST_SECOND));
  return { ...empty, subId: click.subId, expiresAt, ...stateChange(empty, 'clicked', now, 'visitor') };
}

/** Creates the referral of a conversion without a click. */
export function newReferral(id: string, conversion: ConversionFields): Referral {
  const { target, terms, now } = conversion;
  return convertClick(emptyReferral(target, terms, id, now), conversion);
}

/** True if a conversion for this advocate converts the click: it is the advocate's, unconverted and not expired. */
export function isConvertible(click: Referral, target: AttributionTarget, now: Seconds): boolean {
  return (
    isAllowed('conversion', click, 'converted') &&
    click.advocateSlug === target.slug &&
    (click.expiresAt === null || click.expiresAt > now)
  );
}

/**
 * Converts a click. It keeps its id, `createdAt` and its percentage or rules, and its own sub id takes precedence over the
 * reported one. The months of a percentage are fixed by the conversion; by the click, if the terms have become rules.
 */
export function convertClick(click: Stateless, conversion: ConversionFields): Referral {
  const { terms, credit, target, reported, actor, idempotencyRecord, now } = conversion;
  const months = terms.commissionRulesId === null ? terms.commissionMonths : click.commissionMonths;
  const { email, customerUid: uid } = reported;
  const convertedAt = monotonic(click, now);
  const lost = credit.lost === null ? {} : { lost: credit.lost };
  const entry = { type: 'state', state: 'converted', setAt: convertedAt, by: actor, ...lost } as const;
  return {
    ...click,
    ...reported,
    convertedAt,
    subId: click.subId ?? reported.subId,
    creditedBy: credit.by,
    code: credit.code,
    commissionEndDate: click.commissionRulesId === null ? endOfCommission(convertedAt, months) : null,
    commissionMonths: null,
    expiresAt: null,
    flags: flagsOf({ email, uid }, target),
    idempotencyRecord,
    ...stateSet(click, entry),
  };
}

/** When the commission of a conversion ends; `null` without months. */
export function endOfCommission(convertedAt: Seconds, months: number | null): Seconds | null {
  return months === null ? null : addCalendarMonths(convertedAt, months);
}

/** True if the person of a referral was erased: a conversion needs an email or a uid. */
export function isErased({ convertedAt, email, customerUid }: Referral): boolean {
  return convertedAt !== null && email === null && customerUid === null;
}

/** A referral before its first state. */
type Stateless = Omit<Referral, 'state' | 'stateSetAt'>;

function emptyReferral(
  target: AttributionTarget,
  { commissionPercentage, commissionRulesId }: Terms,
  id: string,
  now: Seconds,
): Stateless {
  return {
    ...NO_VALUES,
    id,
    advocateSlug: target.slug,
    createdAt: now,
    updatedAt: now,
    commissionPercentage,
    commissionRulesId,
    history: [],
    provider: null,
    version: 0,
  };
}
