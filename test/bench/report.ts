/** A table of results. `name` marks its place in the document. */
export interface Section {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** True for a table that is only printed, because another document contains its figures. */
  readonly isOnlyPrinted?: boolean;
}

/** The same figure here and at a peer. */
export interface Comparison {
  readonly figure: string;
  readonly unit: string;
  readonly here: number;
  readonly peer: string;
  readonly there: number;
  /** True for a figure such as requests a second. Of all others, less is better. */
  readonly isMoreBetter?: boolean;
}

/** The results of one benchmark. */
export interface Report {
  readonly sections: readonly Section[];
  readonly comparisons: readonly Comparison[];
}

/** Formats a number with three significant digits: 0.123, 12.3, 1,234. */
export function figure(value: number): string {
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return Number(value.toFixed(digits)).toLocaleString('en', { maximumFractionDigits: 10 });
}

/** The median of numbers. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** A quantile of numbers, such as 0.99. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Formats a Markdown table with padded columns. */
export function markdownTable({ head, rows }: Pick<Section, 'head' | 'rows'>): string {
  const widths = head.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(widthOf)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => pad(cells[column] ?? '', width)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

const widthOf = (text: string) => [...text].length;
const pad = (text: string, width: number) => text + ' '.repeat(width - widthOf(text));

/** The figures that are worse here than at a peer, the largest factor first. */
export function slowerHere(comparisons: readonly Comparison[]): Section {
  const slower = comparisons
    .map((comparison) => ({ ...comparison, factor: factorOf(comparison) }))
    // A difference of two percent is noise.
    .filter(({ factor }) => factor > 1.02)
    .toSorted((one, other) => other.factor - one.factor);
  return {
    name: 'slower',
    head: ['figure', 'here', 'there', 'peer', 'factor'],
    rows: slower.map(({ figure: name, unit, here, there, peer, factor }) => [
      name,
      `${figure(here)} ${unit}`.trimEnd(),
      `${figure(there)} ${unit}`.trimEnd(),
      peer,
      figure(factor),
    ]),
  };
}

/** How many times worse the figure is here. */
function factorOf({ here, there, isMoreBetter = false }: Comparison): number {
  return isMoreBetter ? there / here : here / there;
}

/** Replaces what stands between the markers of a section in a document. Throws an error if the markers are missing. */
export function splice(document: string, { name }: Pick<Section, 'name'>, content: string): string {
  const [begin, end] = [`<!-- bench: ${name} -->\n`, '\n<!-- /bench -->'];
  const start = document.indexOf(begin);
  const stop = document.indexOf(end, start);
  if (start < 0 || stop < 0) throw new Error(`The document has no markers for ${name}.`);
  return `${document.slice(0, start + begin.length)}\n${content}\n${document.slice(stop)}`;
}
