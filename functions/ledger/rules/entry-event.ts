import { attributesIn } from '../../kernel/fields/field-list.ts';
import { rfc3339, type Seconds } from '../../kernel/time.ts';
import { ENTRY_FIELDS, type Entry, type EntryKind } from './entry-fields.ts';

/** The types of events of the ledger. They are sent only to webhooks that subscribe to them by name. */
export const ENTRY_EVENT_TYPES = ['payment.recorded', 'payment.refunded'] as const;
export type EntryEventType = (typeof ENTRY_EVENT_TYPES)[number];

/** The kinds of entries that have events. */
export const EVENT_KINDS = ['payment', 'refund'] as const satisfies readonly EntryKind[];

/** A new entry of the ledger. It contains nothing about the person but the ids of payments. */
export interface EntryEvent {
  /** `<entry id>.1`: entries never change. */
  readonly id: string;
  readonly type: EntryEventType;
  /** When the entry was written. */
  readonly setAt: Seconds;
  readonly entry: Entry;
}

/** Returns the event of an entry; `undefined` for imported entries, voids, adjustments and settlements. */
export function eventOfEntry(entry: Entry): EntryEvent | undefined {
  const kind = EVENT_KINDS.find((each) => each === entry.kind);
  if (!kind || entry.by === 'import') return undefined;
  const type = kind === 'payment' ? 'payment.recorded' : 'payment.refunded';
  return { id: `${entry.id}.1`, type, setAt: entry.createdAt, entry };
}

/** Builds the body of an event (docs/contract/events.md). */
export function entryEventBody({ type, setAt, entry }: EntryEvent) {
  const data = { id: entry.id, ...attributesIn(ENTRY_FIELDS, 'api', entry) };
  return { type, timestamp: rfc3339(setAt), data };
}
