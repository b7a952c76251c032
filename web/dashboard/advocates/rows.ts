import { inUnits } from '../../../functions/ledger/rules/units.ts';
import type { Schemas } from '../../kit/api.ts';
import { type Cell, cellsOf } from '../../kit/csv.ts';
import type { Filters } from '../router.ts';
import { api } from '../service.ts';

/** An advocate with its lifetime numbers. */
export type Row = Schemas['RankedAdvocate'];
type Totals = Row['attributes']['totals'];

/** By what the service sorts, the largest first. */
const SORTS = ['earned', 'balance', 'revenue', 'paying', 'conversions', 'clicks'] as const;
export type Sort = (typeof SORTS)[number];

export interface ListFilters {
  readonly status: 'active' | 'paused' | undefined;
  readonly group: string | undefined;
  readonly currency: string | undefined;
  readonly sort: Sort;
}

/** Reads the filters of an address that anybody may have written. */
export function parseFilters({ status, group, currency = '', sort }: Filters): ListFilters {
  return {
    status: status === 'active' || status === 'paused' ? status : undefined,
    group: group || undefined,
    currency: /^[a-z]{3}$/.test(currency) ? currency : undefined,
    sort: SORTS.find((each) => each === sort) ?? 'earned',
  };
}

interface ListQuery extends ListFilters {
  /** `''` lists all. */
  readonly search: string;
  readonly per_page: number;
}

/** Reads a page of the list. A search has no sort, and reads the numbers of what it found. */
export async function readRows(query: ListQuery, cursor: string | undefined, signal: AbortSignal) {
  const { status, group, currency, sort, search, per_page } = query;
  const filters = { active_eq: status && status === 'active', group_eq: group, per_page, cursor };
  const order = search === '' ? { sort, currency } : { search };
  const { body, next } = await api.send('get', '/v2/advocates', { query: { ...filters, ...order }, signal });
  const unknown = body.data.flatMap(({ attributes }) => ('totals' in attributes ? [] : [attributes.slug]));
  const numbers = await readTotals(unknown, signal);
  const rows = body.data.map(
    ({ attributes, ...resource }): Row => ({
      ...resource,
      attributes: 'totals' in attributes ? attributes : { ...attributes, totals: numbers.get(attributes.slug) ?? NONE },
    }),
  );
  return { rows, next };
}

const NONE: Totals = { clicks: 0, conversions: 0, paying: 0, churned: 0, rejected: 0, money: [] };

async function readTotals(slugs: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Totals>> {
  if (slugs.length === 0) return new Map();
  const query = { slugs: slugs.join(','), range: 'lifetime' } as const;
  const { data } = (await api.send('get', '/v2/statistics/advocates', { query, signal })).body;
  return new Map(data.map(({ id, attributes }) => [id, attributes]));
}

/** The row of an advocate who was just added. */
export const newRow = ({ id, type, attributes }: Schemas['ListedAdvocate']): Row => ({
  id,
  type,
  attributes: { ...attributes, totals: NONE },
});

/** The currencies with money, the largest revenue first: the service sorts by the first one unless another is chosen. */
export async function readCurrencies(signal: AbortSignal): Promise<readonly string[]> {
  const { data } = (await api.send('get', '/v2/statistics', { query: { range: 'lifetime' }, signal })).body;
  return data.attributes.total.money
    .toSorted((one, other) => other.revenue - one.revenue || (one.currency < other.currency ? -1 : 1))
    .map(({ currency }) => currency);
}

type MoneyName = 'revenue' | 'earned' | 'balance';

/** Money of an advocate in the smallest unit; `undefined` if it has no entry in the currency. */
export function moneyOf({ attributes: { totals } }: Row, name: MoneyName, currency: string): number | undefined {
  const sums = totals.money.find((each) => each.currency === currency);
  if (!sums) return undefined;
  const { revenue, commissions, adjustments, settled } = sums;
  const earned = commissions + adjustments;
  return { revenue, earned, balance: earned - settled }[name];
}

const COLUMNS = [
  'slug',
  'email',
  'first_name',
  'last_name',
  'uid',
  'company',
  'group',
  'active',
  'created_at',
  'referral_link',
] as const;
const COUNTS = ['clicks', 'conversions', 'paying'] as const;
const MONEY = ['revenue', 'earned', 'balance'] as const;
export const CSV_COLUMNS = [...COLUMNS, ...COUNTS, 'currency', ...MONEY];

export function csvCells(row: Row, currency: string | undefined): Cell[] {
  const money = (name: MoneyName): Cell => {
    const amount = currency === undefined ? undefined : moneyOf(row, name, currency);
    return currency === undefined || amount === undefined ? null : { decimal: inUnits(amount, currency) };
  };
  return [
    ...cellsOf(COLUMNS, row),
    ...COUNTS.map((name) => row.attributes.totals[name]),
    currency,
    ...MONEY.map(money),
  ];
}
