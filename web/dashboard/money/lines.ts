import type { Api } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { type StatementLine as Line, linesOf } from '../../kit/statement-file.ts';

export const SUMS = ['opening', 'commissions', 'adjustments', 'settlements', 'closing', 'payable'] as const;
export const keyOf = ({ affiliate_slug, currency }: Line) => `${affiliate_slug} ${currency}`;

/** Sums above 2^53 were rounded when the page read them, so they are not settled here. */
export const canBeSettled = ({ payable }: Line) => payable > 0 && Number.isSafeInteger(payable);

/** Reads a page of the statements of a month. */
export async function readStatements(api: Api, month: string, cursor: string | undefined, signal: AbortSignal) {
  const query = { month, ...(cursor !== undefined && { cursor }) };
  const { body, next } = await api.send('get', '/v2/statements', { query, signal });
  return { rows: [body.data].flat().flatMap(linesOf), next };
}

/** What a settlement comes from. */
export type Balance = Pick<Line, 'payable' | 'settlement_count'>;

/** Reads what is payable to an advocate now, and how many settlements that includes. */
export async function readBalance(api: Api, { month, affiliate_slug, currency }: Line): Promise<Balance> {
  const { body } = await api.send('get', '/v2/statements', { query: { month, affiliate_slug } });
  const lines = [body.data].flat().flatMap(linesOf);
  return lines.find((line) => line.currency === currency) ?? { payable: 0, settlement_count: 0 };
}

/** True if a settlement was refused because another one came first. */
export const isOvertaken = (error: unknown) => error instanceof ApiError && error.code === 'balance_changed';
