import type { Terms } from '../../kernel/accounts/rules/terms.ts';
import { NotConverted } from '../../kernel/errors.ts';
import { namesSet } from '../../kernel/fields/field-list.ts';
import type { Seconds } from '../../kernel/time.ts';
import { monotonic, stateChange, withEntry } from './history.ts';
import { type Attributed, endOfCommission, type Referral } from './referral.ts';
import { ERASED, REFERRAL_FIELDS } from './referral-fields.ts';
import { flagsOf } from './self-referral.ts';
import { type Actor, assertSettable, type State } from './state.ts';

/** Sets the state. Returns the same object if the referral already has that state. Throws `StateRefused`. */
export function setState(referral: Referral, to: State, actor: Actor, now: Seconds): Referral {
  if (referral.state === to) return referral;
  assertSettable(referral, to);
  const moment = monotonic(referral, now);
  const paidAt = to === 'paid' ? (referral.paidAt ?? moment) : referral.paidAt;
  return { ...referral, paidAt, ...stateChange(referral, to, moment, actor) };
}

/** The move of a referral to another advocate. */
interface Reassignment extends Attributed {
  readonly actor: Actor;
  readonly now: Seconds;
}

/**
 * Moves a referral to another advocate, at that advocate's terms. State, its times and the end of the commission stay; a
 * referral with rules has no end, and gets the end of its new percentage.
 * Returns the same object if it already belongs to the advocate. Throws `NotConverted` if it never converted.
 */
export function reassign(referral: Referral, { target, terms, actor, now }: Reassignment): Referral {
  const { advocateSlug: from, email, customerUid: uid, convertedAt } = referral;
  if (convertedAt === null) throw new NotConverted();
  if (from === target.slug) return referral;
  const moment = monotonic(referral, now);
  return {
    ...referral,
    advocateSlug: target.slug,
    commissionPercentage: terms.commissionPercentage,
    commissionRulesId: terms.commissionRulesId,
    commissionEndDate: endAfterMove({ ...referral, convertedAt }, terms),
    flags: flagsOf({ email, uid }, target),
    ...withEntry(referral, { type: 'reassignment', from, to: target.slug, setAt: moment, by: actor }),
  };
}

function endAfterMove(
  { commissionRulesId, commissionEndDate, convertedAt }: Referral & { readonly convertedAt: Seconds },
  terms: Terms,
): Seconds | null {
  if (terms.commissionRulesId !== null) return null;
  return commissionRulesId === null ? commissionEndDate : endOfCommission(convertedAt, terms.commissionMonths);
}

/** Removes everything that identifies the person. Returns the same object if there is nothing to remove. */
export function erasePerson(referral: Referral, actor: Actor, now: Seconds): Referral {
  const { provider } = referral;
  const isSet = namesSet(REFERRAL_FIELDS, 'personal', referral).length > 0;
  if (!isSet && !provider?.customers.length) return referral;
  return {
    ...referral,
    ...ERASED,
    provider: provider && { ...provider, customers: [] },
    ...withEntry(referral, { type: 'erasure', setAt: monotonic(referral, now), by: actor }),
  };
}
