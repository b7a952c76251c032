/** A line of a table of results, by the titles of its columns. */
export type Row = Readonly<Record<string, string | number>>;

/** The results of one benchmark. */
export interface Measured {
  /** The date, the machine and the versions. */
  readonly measured: string;
  readonly rows: readonly Row[];
}

/** The results of all benchmarks by their names, as `docs/benchmarks.json` contains them. */
export type Results = Readonly<Record<string, Measured>>;

/** Names in the results. */
export const SERVICE = 'the service';
export const TOOLBOX = 'DynamoDB-Toolbox';
export const FASTIFY = 'Fastify with PostgreSQL';
/** A naive bundle of the service, which compiles its schemas at run time. */
export const UNCOMPILED = 'naive build, ajv at run time';
/** Ways to a page. */
export const BY_NUMBER = 'by number';
export const BY_LINK = 'by `Link`';
export const OFFSET = 'OFFSET';
export const KEYSET = 'keyset';

/** The median of numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The cell of a column, in the row of a benchmark that has the same cells as `match`. Throws an error without one. */
export function cellOf(results: Results, benchmark: string, match: Row, column: string): number {
  const rows = results[benchmark]?.rows ?? [];
  const row = rows.find((each) => Object.entries(match).every(([title, cell]) => each[title] === cell));
  const cell = row?.[column];
  if (typeof cell !== 'number') throw new Error(`${benchmark} has no ${column} of ${JSON.stringify(match)}.`);
  return cell;
}
