import { INDEXES, type IndexName } from '../../../functions/kernel/dynamodb/schema.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import type { HistoryEntry } from '../../../functions/referrals/rules/history.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { DEFAULT_EVENT_TYPES, type EventType } from '../../../functions/webhooks/rules/event.ts';
import { keyText } from '../fake/table.ts';
import type { KnownWebhook, PromiseName } from '../knowledge.ts';
import type { Shop } from '../shops.ts';
import type { Check } from './evidence.ts';
import { type StoredEntry, storedEntries } from './ledger.ts';
import { type Row, rowsOf } from './rows.ts';

/** The promises that hold once no request is under way, and all events are delivered. */
export const AT_REST = {
  *indexes({ table }) {
    const expected = new Map<string, string>();
    for (const row of rowsOf(table)) {
      for (const [index, keys] of Object.entries(indexKeysOf(row))) expected.set(`${index} ${keyText(row.item)}`, keys);
    }
    for (const [index, { partitionKey, sortKey }] of Object.entries(INDEXES)) {
      for (const { item } of rowsOf(table)) {
        // An index has the items that have both of its keys.
        if (item[partitionKey] === undefined || item[sortKey] === undefined) continue;
        const row = `${index} ${keyText(item)}`;
        const isExpected = `${item[partitionKey]} ${item[sortKey]}`.startsWith(expected.get(row) ?? 'missing');
        if (!isExpected) yield `${index} has ${item['pk']} at ${item[partitionKey]} ${item[sortKey]}`;
        expected.delete(row);
      }
    }
    for (const row of expected.keys()) yield `The row ${row} is missing`;
  },

  *events({ table, shops, knowledge, events }) {
    const rows = Map.groupBy(rowsOf(table), ({ program }) => program);
    const entries = Map.groupBy(storedEntries(table), ({ program }) => program);
    const changesOf = ({ program: { id } }: Shop) => ({ rows: rows.get(id) ?? [], entries: entries.get(id) ?? [] });
    for (const shop of shops) {
      yield* eventProblems('The bus', changesOf(shop), events.onBus.get(shop.program.id), {
        completeFrom: 0,
        types: DEFAULT_EVENT_TYPES,
      });
    }
    for (const [url, webhook] of knowledge.webhooks) {
      yield* eventProblems(url, changesOf(webhook.shop), events.received.get(url), webhook);
    }
    if (events.lost.length > 0) yield `${events.lost.length} changes were not published or delivered`;
  },
} satisfies Partial<Record<PromiseName, Check>>;

/** The keys of a row in each index, or their beginning, from what the row says elsewhere. */
function indexKeysOf({ program, referral }: Row): Partial<Record<IndexName, string>> {
  const { id, advocateSlug: slug, state, subId, createdAt, stateSetAt } = referral;
  const sort = (second: number) => `${String(second).padStart(12, '0')}#${id}`;
  const isClick = state === 'clicked';
  return {
    by_state: `${program}#${slug}#${state} ${sort(createdAt)}`,
    ...(subId !== null && { by_sub_id: `${program}#` }),
    ...(!isClick && {
      by_created_at: `${program}#${slug} ${sort(createdAt)}`,
      by_state_set_at: `${program}#${slug} ${sort(stateSetAt)}`,
      by_program_state: `${program}#${state} ${sort(stateSetAt)}`,
    }),
  };
}

/** The referrals and the entries of a program, whose events each destination gets. */
interface Changes {
  readonly rows: readonly Row[];
  readonly entries: readonly StoredEntry[];
}

/** Compares the events that a destination got with the histories of the rows and with the entries. */
function* eventProblems(
  destination: string,
  { rows, entries }: Changes,
  received: ReadonlySet<string> = new Set(),
  { completeFrom, types }: Pick<KnownWebhook, 'completeFrom' | 'types'>,
): Iterable<string> {
  const all = [
    ...rows.flatMap(({ referral }) => eventsOf(referral)),
    ...entries.flatMap(({ entry }) => eventOf(entry)),
  ];
  const expected = all.filter(({ type }) => types.includes(type));
  for (const { id, setAt } of expected) {
    if (completeFrom !== null && setAt >= completeFrom && !received.has(id))
      yield `${destination} lacks the event ${id}`;
  }
  const known = new Set(expected.map(({ id }) => id));
  const referrals = new Map(rows.map(({ referral }) => [referral.id, referral]));
  for (const event of received) {
    const [id = '', number] = event.split('.');
    const referral = referrals.get(id);
    // Clicks expire, and a history keeps its last entries only.
    const isOld = referral ? Number(number) <= firstNumber(referral) : types.includes('referral.clicked');
    if (!known.has(event) && !isOld) yield `${destination} got the event ${event}, which belongs to no change`;
  }
}

/** The number of the oldest entry in a history, from 1. */
const firstNumber = ({ version, provider, history }: Referral) =>
  version - (provider?.silentWrites ?? 0) - history.length + 1;

/** The events of a history. Imports cause none. */
function eventsOf(referral: Referral): { readonly id: string; readonly setAt: number; readonly type: EventType }[] {
  const first = firstNumber(referral);
  return referral.history.flatMap((entry, index) =>
    entry.by === 'import' ? [] : [{ id: `${referral.id}.${first + index}`, setAt: entry.setAt, type: typeOf(entry) }],
  );
}

/** The event of a payment or a refund. */
function eventOf({ id, kind, createdAt: setAt, by }: Entry) {
  const type = kind === 'payment' ? ('payment.recorded' as const) : ('payment.refunded' as const);
  return by === 'import' || (kind !== 'payment' && kind !== 'refund') ? [] : [{ id: `${id}.1`, setAt, type }];
}

function typeOf(entry: HistoryEntry): EventType {
  if (entry.type === 'state') return `referral.${entry.state}`;
  return entry.type === 'erasure' ? 'referral.erased' : 'referral.reassigned';
}
