import type { Api } from '../../kit/api.ts';
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

/** Reads what is payable to an advocate now. */
export async function readPayable(api: Api, { month, affiliate_slug, currency }: Line): Promise<number> {
  const { body } = await api.send('get', '/v2/statements', { query: { month, affiliate_slug } });
  return (
    [body.data]
      .flat()
      .flatMap(linesOf)
      .find((line) => line.currency === currency)?.payable ?? 0
  );
}
