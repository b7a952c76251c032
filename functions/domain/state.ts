import { StateRefused } from './errors.ts';
import type { Seconds } from './time.ts';

/** The states of a referral, in the order of a successful one. */
export const STATES = ['clicked', 'converted', 'paid', 'churned', 'rejected'] as const;
export type State = (typeof STATES)[number];

/** The cause of a change of state: a visitor's click, a conversion, or a caller who sets the state. */
export type Cause = 'click' | 'conversion' | 'update';

/** The ways into a state that one cause opens. */
export interface Transition {
  readonly cause: Cause;
  readonly to: State;
  /** `null`: the referral is new. */
  readonly from: readonly (State | null)[];
  /** Only for a referral that was converted before. */
  readonly restores?: true;
}

/** All transitions. The rules, the conditions of the table and the documents are generated from this list. */
export const TRANSITIONS: readonly Transition[] = [
  { cause: 'click', to: 'clicked', from: [null] },
  { cause: 'conversion', to: 'converted', from: [null, 'clicked'] },
  { cause: 'update', to: 'paid', from: ['converted', 'churned'] },
  { cause: 'update', to: 'churned', from: ['converted', 'paid'] },
  { cause: 'update', to: 'rejected', from: ['clicked', 'converted', 'paid', 'churned'] },
  { cause: 'update', to: 'converted', from: ['rejected'], restores: true },
];

/** The states that can be set: only a visitor's click leads to `clicked`. */
export const SETTABLE_STATES = STATES.filter((state) => state !== 'clicked');

/** The transition by which `cause` leads into a state; `undefined` if it never does. */
export function transitionTo(cause: Cause, to: State): Transition | undefined {
  return TRANSITIONS.find((transition) => transition.cause === cause && transition.to === to);
}

/** The actors that change a state. A program's token stands for the merchant, its public key for a page. */
export const ACTORS = ['visitor', 'merchant', 'page', 'operator', 'import'] as const;
export type Actor = (typeof ACTORS)[number];

/** An entry of a referral's history. */
export interface StateEntry {
  readonly state: State;
  readonly setAt: Seconds;
  readonly by: Actor;
}

/** What the rules need to know about a referral. */
interface Stateful {
  readonly state: State;
  /** `null`: never. */
  readonly convertedAt: Seconds | null;
}

/** True if `cause` may bring a referral, or a new one (`null`), into a state. */
export function isAllowed(cause: Cause, referral: Stateful | null, to: State): boolean {
  const transition = transitionTo(cause, to);
  if (!transition?.from.includes(referral?.state ?? null)) return false;
  return !transition.restores || (referral?.convertedAt ?? null) !== null;
}

/** Throws `StateRefused` if the state cannot follow the referral's present one. */
export function assertSettable(referral: Stateful, to: State): void {
  const possible = SETTABLE_STATES.filter((state) => isAllowed('update', referral, state));
  if (!possible.some((state) => state === to)) throw new StateRefused(referral.state, possible);
}
