import { Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { isEmpty } from '../../functions/kernel/fields/field-list.ts';
import { escapeFormula } from '../../functions/kernel/fields/formula.ts';
import { exactNumbers } from '../../functions/kernel/json.ts';
import { inUnits } from '../../functions/ledger/rules/units.ts';
import type { Brought } from '../../functions/referrals/rules/money.ts';
import { type AdminCommand, type CliContext, type OnProgram, onProgram, type ProgramOptions } from './cli.ts';
import { wantsJson, writePieces } from './output.ts';

const FORMATS = ['csv', 'ndjson'] as const;
type Format = (typeof FORMATS)[number];

export const FORMAT_REMARK = `The default format is csv; with --json it is ndjson, one JSON object per line. Times are Unix
seconds. In csv, a value that a spreadsheet would run as a formula starts with an apostrophe`;

/** An amount of a row: in CSV and tables in units, such as 49.00, in NDJSON in the smallest unit, as in the API. */
export class Money {
  readonly #amount: bigint | number;
  readonly #currency: string;

  constructor(amount: bigint | number, currency: string) {
    this.#amount = amount;
    this.#currency = currency;
  }

  toString(): string {
    return inUnits(this.#amount, this.#currency);
  }

  toJSON(): bigint | number {
    return this.#amount;
  }
}

/** Amounts in several currencies: in CSV and tables in units, such as `49.00 usd, 10.00 eur`, in JSON in the smallest unit. */
export class Amounts {
  readonly #byCurrency: readonly (readonly [currency: string, amount: bigint])[];

  constructor(byCurrency: readonly (readonly [currency: string, amount: bigint])[]) {
    this.#byCurrency = byCurrency;
  }

  toString(): string {
    return this.#byCurrency.map(([currency, amount]) => `${inUnits(amount, currency)} ${currency}`).join(', ');
  }

  toJSON(): unknown {
    return exactNumbers(Object.fromEntries(this.#byCurrency));
  }
}

/** The columns of what a referral has brought its advocate. */
export const BROUGHT_COLUMNS = ['payments', 'revenue', 'commission'] as const;
export const broughtColumns = ({ payments, money }: Brought) => ({
  payments,
  revenue: new Amounts(money.map(({ currency, revenue }) => [currency, revenue])),
  commission: new Amounts(money.map(({ currency, commission }) => [currency, commission])),
});

type Pages<Column extends string> = AsyncIterable<readonly Readonly<Record<Column, unknown>>[]>;

/** Adds `--format`, and the action that writes the rows of a program. `prepare` checks the options, which needs no table. */
export function writesRows<Column extends string, Options extends object>(
  command: AdminCommand,
  context: CliContext,
  columns: readonly Column[],
  prepare: (options: Options, format: Format) => OnProgram<Pages<Column>>,
): AdminCommand {
  return command
    .addOption(new Option('--format <format>', 'format of the rows').choices(FORMATS))
    .action(async (options: Options & ProgramOptions) => {
      const format = formatOf(command);
      const rowsOf = prepare(options, format);
      await onProgram(context, options, async (on) => exportRows(context, format, columns, await rowsOf(on)));
    });
}

/** The format of the rows of a command: by its option `--format`, or NDJSON with `--json`, else CSV. */
export function formatOf(command: AdminCommand): Format {
  return command.opts<{ format?: Format }>().format ?? (wantsJson(command) ? 'ndjson' : 'csv');
}

export async function exportRows<Column extends string>(
  { output }: Pick<CliContext, 'output'>,
  format: Format,
  columns: readonly Column[],
  pages: Pages<Column>,
): Promise<void> {
  await writePieces(output, format === 'csv' ? csv(columns, pages) : ndjson(pages));
}

async function* csv<Column extends string>(columns: readonly Column[], pages: Pages<Column>) {
  const text = (rows: readonly (readonly unknown[])[]) =>
    stringify([...rows], { cast: { string: escapeFormula, object: String } });
  yield text([columns]);
  for await (const rows of pages) yield text(rows.map((row) => columns.map((column) => cellOf(row[column]))));
}

async function* ndjson<Column extends string>(pages: Pages<Column>) {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** A cell: `true` or `false`, the elements of a list, separated by spaces, or JSON of an object. An empty one is an empty cell. */
function cellOf(value: unknown): unknown {
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value instanceof Money || value instanceof Amounts) return value;
  if (isEmpty(value)) return '';
  return Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
}

export async function* mapPages<Element, Row>(
  pages: AsyncIterable<readonly Element[]>,
  toRow: (element: Element) => Row,
) {
  for await (const page of pages) yield page.map(toRow);
}
