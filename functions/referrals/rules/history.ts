import { later, type Seconds, seconds } from '../../kernel/time.ts';
import type { ProviderState } from './provider-state.ts';
import type { Actor, State } from './state.ts';

/** The kinds of entries in a referral's history. */
export const ENTRY_TYPES = ['state', 'reassignment', 'erasure'] as const;

/** An entry of a referral's history: a change of state, a move to another advocate, or the erasure of the person. */
export type HistoryEntry = StateEntry | ReassignmentEntry | ErasureEntry;

interface Entry {
  readonly setAt: Seconds;
  readonly by: Actor;
}

export interface StateEntry extends Entry {
  readonly type: 'state';
  readonly state: State;
  /** The slug of the advocate whom another reference of a conversion pointed to. */
  readonly lost?: string;
}

/** `from` and `to` are slugs. */
export interface ReassignmentEntry extends Entry {
  readonly type: 'reassignment';
  readonly from: string;
  readonly to: string;
}

export interface ErasureEntry extends Entry {
  readonly type: 'erasure';
}

/** Maximum number of history entries. It is small because every change writes all of them again. */
const MAX_HISTORY = 100;

/** The fields of a referral that every change sets. */
interface Changeable {
  readonly history: readonly HistoryEntry[];
  readonly version: number;
}

/** Returns the fields that every change sets. The oldest entry is dropped if there are more than 100. */
export function withEntry({ history, version }: Changeable, entry: HistoryEntry) {
  return { updatedAt: entry.setAt, history: [...history, entry].slice(-MAX_HISTORY), version: version + 1 };
}

/** Returns the fields that every change of state sets. */
export function stateChange(before: Changeable, state: State, setAt: Seconds, by: Actor) {
  return stateSet(before, { type: 'state', state, setAt, by });
}

/** The same for an entry, such as the entry of a conversion with another reference. */
export function stateSet(before: Changeable, entry: StateEntry) {
  return { state: entry.state, stateSetAt: entry.setAt, ...withEntry(before, entry) };
}

/** Stands for the time of the first payment if the referral paid before it was imported. */
export const PAID_AT_UNKNOWN_TIME = /* @__PURE__ */ seconds(0);

/**
 * Returns when a referral with this history paid first; `null` if it has not. A referral that was imported as `churned`
 * paid before, at an unknown time.
 */
export function firstPaymentIn(history: readonly HistoryEntry[]): Seconds | null {
  const [first] = history;
  if (first?.by === 'import' && first.type === 'state' && first.state === 'churned') return PAID_AT_UNKNOWN_TIME;
  return history.find((entry) => entry.type === 'state' && entry.state === 'paid')?.setAt ?? null;
}

/** The number of all entries of a referral's history, including dropped entries. Silent writes added none. */
export function entryCount({
  version,
  provider,
}: {
  readonly version: number;
  readonly provider: ProviderState | null;
}): number {
  return version - (provider?.silentWrites ?? 0);
}

/** The time of a change: `now`, but never before the last change, because the clocks of two functions may differ. */
export function monotonic({ updatedAt }: { readonly updatedAt: Seconds }, now: Seconds): Seconds {
  return later(now, updatedAt);
}
