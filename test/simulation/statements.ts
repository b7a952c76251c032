import { isEntryKey, keyOf, programInKey } from '../../functions/kernel/dynamodb/keys.ts';
import type { Entry, EntryKind } from '../../functions/ledger/rules/entry-fields.ts';
import { parseEntry } from '../../functions/ledger/table/entries.ts';
import type { Change } from './fake/table.ts';
import type { PromiseName } from './knowledge.ts';
import type { ApiRequest, ApiResponse } from './service.ts';

/** A statement of the API. */
export interface ShownStatement {
  readonly id: string;
  readonly attributes: { readonly month: string; readonly currencies: readonly ShownCurrency[] };
}

type ShownCurrency = { readonly currency: string } & Readonly<Record<(typeof NUMBERS)[number] | 'payable', number>>;

const NUMBERS = [
  ...['payments', 'refunds', 'commissions', 'adjustments', 'settlements', 'opening', 'closing', 'settlement_count'],
] as const satisfies readonly string[];

const COMMISSION_OF = {
  ...{ payment: 'commissions', refund: 'commissions', void: 'commissions' },
  ...{ adjustment: 'adjustments', settlement: 'settlements' },
} as const satisfies Readonly<Record<EntryKind, string>>;

const monthOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 7);

/** Adds up the entries of an advocate on a statement of a month, as texts. It shares nothing with the service. */
export function expectedStatement(entries: readonly Entry[], month: string): string[] {
  const byCurrency = new Map<string, Record<string, number>>();
  const shown = new Set<string>();
  for (const { kind, currency, amount, commission, createdAt } of entries) {
    const sums = byCurrency.get(currency) ?? Object.fromEntries(NUMBERS.map((name) => [name, 0]));
    byCurrency.set(currency, sums);
    const add = (name: string, by: number) => {
      sums[name] = (sums[name] ?? 0) + by;
    };
    if (kind === 'settlement') add('settlement_count', 1);
    const own = monthOf(createdAt);
    if (own > month) continue;
    add('closing', commission);
    if (own < month) {
      add('opening', commission);
      continue;
    }
    shown.add(currency);
    if (kind === 'payment') add('payments', amount ?? 0);
    if (kind === 'refund') add('refunds', amount ?? 0);
    add(COMMISSION_OF[kind], commission);
  }
  return [...byCurrency]
    .filter(([currency, { opening }]) => shown.has(currency) || opening !== 0)
    .map(([currency, sums]) => [currency, ...NUMBERS.map((name) => sums[name])].join(' '))
    .sort();
}

/** The numbers of a statement of the API, as texts. */
export function shownStatement({ attributes }: ShownStatement): string[] {
  return attributes.currencies.map((sums) => [sums.currency, ...NUMBERS.map((name) => sums[name])].join(' '));
}

/** All entries in the order in which they were stored. They show what a statement could say at each moment. */
export class Statements {
  readonly #byOwner = new Map<string, { readonly number: number; readonly entry: Entry }[]>();
  count = 0;

  /** Notes a new entry. */
  add({ before, after }: Change): void {
    if (before || !after || !isEntryKey(keyOf(after))) return;
    const entry = parseEntry(after);
    const owner = `${programInKey(String(after['pk']))} ${entry.advocateSlug}`;
    const entries = this.#byOwner.get(owner) ?? [];
    this.#byOwner.set(owner, entries);
    entries.push({ number: this.count, entry });
    this.count += 1;
  }

  /**
   * Returns the promise that a response broke: a statement was true at no moment since its call began, or a settlement of
   * a statement was recorded after another settlement.
   */
  problemOf(
    { operation, shop, body = '' }: ApiRequest,
    response: ApiResponse | undefined,
    since: number,
  ): readonly [PromiseName, string] | undefined {
    if (operation === 'recordSettlement' && response?.status === 201) return this.#settled(shop.program.id, body);
    if (operation !== 'getStatements' && operation !== 'getOwnStatements') return undefined;
    if (response?.status !== 200) return undefined;
    const { data }: { data: ShownStatement | readonly ShownStatement[] } = JSON.parse(response.body);
    for (const statement of [data].flat()) {
      const { id, attributes } = statement as ShownStatement;
      const entries = this.#byOwner.get(`${shop.program.id} ${id}`) ?? [];
      const shown = shownStatement(statement as ShownStatement).join();
      const first = entries.findIndex(({ number }) => number >= since);
      const isTrue = Array.from({ length: first < 0 ? 1 : entries.length - first + 1 }, (_, index) => {
        const known = entries.slice(0, entries.length - index).map(({ entry }) => entry);
        return expectedStatement(known, attributes.month).join();
      }).includes(shown);
      if (!isTrue) return ['ledger', `The statement of ${id} for ${attributes.month} never was: ${shown}`];
    }
    return undefined;
  }

  #settled(program: string, body: string): readonly [PromiseName, string] | undefined {
    const { affiliate_slug, settlement_id, currency, settlement_count } = JSON.parse(body);
    if (settlement_count === undefined) return undefined;
    const all = (this.#byOwner.get(`${program} ${affiliate_slug}`) ?? []).map(({ entry }) => entry);
    const settlements = all.filter((entry) => entry.kind === 'settlement' && entry.currency === currency);
    const before = settlements.findIndex(({ settlementId }) => settlementId === settlement_id);
    if (before === settlement_count) return undefined;
    return ['ledger', `The settlement ${settlement_id} of ${settlement_count} others came after ${before}`];
  }
}
