import { STATEMENT_COLUMNS } from '../../functions/ledger/rules/statement-file.ts';
import { inUnits } from '../../functions/ledger/rules/units.ts';
import * as COMMON from '../words/common.ts';
import type { Schemas } from './api.ts';
import { ApiError } from './api-error.ts';
import type { Cell } from './csv.ts';

type Statement = Schemas['Statement'];

export type StatementLine = {
  readonly month: string;
  readonly affiliate_slug: string;
} & Statement['attributes']['currencies'][number];

export function linesOf({ id, attributes: { month, currencies } }: Statement): StatementLine[] {
  return currencies.map((sums) => ({ month, affiliate_slug: id, ...sums }));
}

/** The cells of a line. Throws a sentence to show if the browser has rounded a sum, which may be larger than 2^53. */
export function statementCells(line: StatementLine): Cell[] {
  return STATEMENT_COLUMNS.map((name) => {
    const value = line[name];
    if (typeof value === 'string') return value;
    if (!Number.isSafeInteger(value)) throw new ApiError(COMMON.tooManyDigits, -1);
    return { decimal: inUnits(value, line.currency) };
  });
}
