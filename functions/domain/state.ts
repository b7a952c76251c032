import { StateRefused } from './errors.ts';
import type { Seconds } from './time.ts';

/** The states of a referral, in the order in which a good one goes through them. */
export const STATES = ['clicked', 'converted', 'paid', 'churned', 'rejected'] as const;
export type State = (typeof STATES)[number];

/** What brings a referral into a state: a visitor's click, a conversion, or somebody who sets the state. */
export type Cause = 'click' | 'conversion' | 'update';

/** A way into a state. */
export interface Transition {
  readonly cause: Cause;
  readonly to: State;
  /** `null`: from nothing, the referral is new. */
  readonly from: readonly (State | null)[];
  /** Open only to a referral that was converted before. */
  readonly restores?: true;
}

/** Every way into every state (decisions, "States"): rules, conditions of the table and documents are made of this list. */
export const TRANSITIONS: readonly Transition[] = [
  { cause: 'click', to: 'clicked', from: [null] },
  { cause: 'conversion', to: 'converted', from: [null, 'clicked'] },
  { cause: 'update', to: 'paid', from: ['converted', 'churned'] },
  { cause: 'update', to: 'churned', from: ['converted', 'paid'] },
  { cause: 'update', to: 'rejected', from: ['clicked', 'converted', 'paid', 'churned'] },
  { cause: 'update', to: 'converted', from: ['rejected'], restores: true },
];

/** The states that can be set: all but the one that only a visitor makes. */
export const SETTABLE_STATES = STATES.filter((state) => state !== 'clicked');

/** The way by which `cause` leads into a state; `undefined` where it never does. */
export function transitionTo(cause: Cause, to: State): Transition | undefined {
  return TRANSITIONS.find((transition) => transition.cause === cause && transition.to === to);
}

/** Who brought a referral into a state: a program's token is the merchant's, its public key the page's. */
export const ACTORS = ['visitor', 'merchant', 'page', 'operator', 'import'] as const;
export type Actor = (typeof ACTORS)[number];

/** One line of a referral's history. */
export interface StateEntry {
  readonly state: State;
  readonly setAt: Seconds;
  readonly by: Actor;
}

/** What the rules must know of a referral. */
interface Stateful {
  readonly state: State;
  /** `null`: never. */
  readonly convertedAt: Seconds | null;
}

/** True where `cause` may bring the referral, or from `null` a new one, into the state. */
export function isAllowed(cause: Cause, referral: Stateful | null, to: State): boolean {
  const transition = transitionTo(cause, to);
  if (!transition?.from.includes(referral?.state ?? null)) return false;
  return !transition.restores || (referral?.convertedAt ?? null) !== null;
}

/** Throws `StateRefused` where the state cannot be set after the one that the referral has. */
export function assertSettable(referral: Stateful, to: State): void {
  if (!isAllowed('update', referral, to)) throw new StateRefused(referral.state);
}
