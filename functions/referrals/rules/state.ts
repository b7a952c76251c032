import { StateRefused } from '../../kernel/errors.ts';
import type { Seconds } from '../../kernel/time.ts';

/** The states of a referral, in their usual order. */
export const STATES = ['clicked', 'converted', 'paid', 'churned', 'rejected'] as const;
export type State = (typeof STATES)[number];

/** The cause of a change of state: a visitor's click, a conversion, or an explicit update. */
export type Cause = 'click' | 'conversion' | 'update';

/** The states from which a cause leads to another state. */
export interface Transition {
  readonly cause: Cause;
  readonly to: State;
  /** `null` stands for a new referral. */
  readonly from: readonly (State | null)[];
  /** Allowed only if the referral was converted before. */
  readonly restores?: true;
}

/** All transitions (docs/contract/tracking.md, States). The rules and the conditions of writes are derived from this list. */
export const TRANSITIONS: readonly Transition[] = [
  { cause: 'click', to: 'clicked', from: [null] },
  { cause: 'conversion', to: 'converted', from: [null, 'clicked'] },
  { cause: 'update', to: 'paid', from: ['converted', 'churned'] },
  { cause: 'update', to: 'churned', from: ['converted', 'paid'] },
  { cause: 'update', to: 'rejected', from: ['clicked', 'converted', 'paid', 'churned'] },
  { cause: 'update', to: 'converted', from: ['rejected'], restores: true },
];

/** The states that an update can set: all but `clicked`, which only a visitor's click sets. */
export const SETTABLE_STATES = STATES.filter((state) => state !== 'clicked');

/** Returns the transition by which `cause` leads to a state; `undefined` if it never does. */
export function transitionTo(cause: Cause, to: State): Transition | undefined {
  return TRANSITIONS.find((transition) => transition.cause === cause && transition.to === to);
}

/** The actors that change a state. A program token identifies the merchant, a public key a page. */
export const ACTORS = ['visitor', 'merchant', 'page', 'operator', 'import', 'stripe'] as const;
export type Actor = (typeof ACTORS)[number];

/** The fields of a referral that the rules read. */
interface Stateful {
  readonly state: State;
  /** `null` if it was never converted. */
  readonly convertedAt: Seconds | null;
}

/** True if `cause` may change the state of a referral, or of a new one (`null`), to `to`. */
export function isAllowed(cause: Cause, referral: Stateful | null, to: State): boolean {
  const transition = transitionTo(cause, to);
  if (!transition?.from.includes(referral?.state ?? null)) return false;
  return !transition.restores || (referral?.convertedAt ?? null) !== null;
}

/** Throws `StateRefused` if an update cannot change the referral's state to `to`. */
export function assertSettable(referral: Stateful, to: State): void {
  const allowed = SETTABLE_STATES.filter((state) => isAllowed('update', referral, state));
  if (!allowed.some((state) => state === to)) throw new StateRefused(referral.state, allowed);
}
