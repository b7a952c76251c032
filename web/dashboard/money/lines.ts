import type { Api } from '../../kit/api.ts';
import type { Schemas } from '../../kit/api-types.ts';
import { moneyInUnits } from '../../kit/money.ts';

type Statement = Schemas['Statement'];

/** The statement of an advocate in one currency. */
export type Line = {
  readonly month: string;
  readonly affiliate_slug: string;
} & Statement['attributes']['currencies'][number];

export const SUMS = ['opening', 'commissions', 'adjustments', 'settlements', 'closing', 'payable'] as const;
/** The attributes of the API in the columns of the file. */
export const FILE = ['month', 'affiliate_slug', 'currency', 'payments', 'refunds', ...SUMS] as const;

export const keyOf = ({ affiliate_slug, currency }: Line) => `${affiliate_slug} ${currency}`;

export const cellsOf = (line: Line) =>
  FILE.map((name) => {
    const value = line[name];
    return typeof value === 'number' ? { decimal: moneyInUnits(value, line.currency) } : value;
  });

/** Sums above 2^53 were rounded when the page read them, so they are not settled here. */
export const canBeSettled = ({ payable }: Line) => payable > 0 && Number.isSafeInteger(payable);

/** Reads a page of the statements of a month. */
export async function readStatements(api: Api, month: string, cursor: string | undefined, signal: AbortSignal) {
  const query = { month, ...(cursor !== undefined && { cursor }) };
  const { body, next } = await api.send('get', '/v2/statements', { query, signal });
  return { rows: linesOf(body.data), next };
}

/** Reads what is payable to an advocate now. */
export async function readPayable(api: Api, { month, affiliate_slug, currency }: Line): Promise<number> {
  const { body } = await api.send('get', '/v2/statements', { query: { month, affiliate_slug } });
  return linesOf(body.data).find((line) => line.currency === currency)?.payable ?? 0;
}

function linesOf(data: Statement | readonly Statement[]): Line[] {
  return [data]
    .flat()
    .flatMap(({ id, attributes: { month, currencies } }: Statement) =>
      currencies.map((sums) => ({ month, affiliate_slug: id, ...sums })),
    );
}
