/** The most rows of a file. */
export const MAX_IMPORT = 500;

/** The columns that an import reads, each with its names. They are compared without case, and with `_` as a space. */
const COLUMNS = [
  ['email', ['email', 'e-mail', 'email address']],
  ['first_name', ['first name', 'firstname']],
  ['last_name', ['last name', 'lastname']],
  ['slug', ['slug', 'link name']],
  ['uid', ['uid', 'your id']],
  ['company', ['company']],
  ['commission_percentage', ['commission percentage', 'commission']],
  ['group', ['group']],
] as const;

type Column = (typeof COLUMNS)[number][0];
export type ImportFields = Readonly<Partial<Record<Column, string>>>;

export interface ImportRow {
  /** The number of the row in the file; the first line has the names. */
  readonly line: number;
  readonly fields: ImportFields;
  /** All cells as they are in the file. */
  readonly cells: readonly string[];
}

export interface ImportFile {
  /** The first line. */
  readonly head: readonly string[];
  /** Columns that an import does not know. */
  readonly ignored: readonly string[];
  readonly hasEmail: boolean;
  readonly rows: readonly ImportRow[];
}

/** Reads a CSV file whose first line names the columns. Lines without a value are left out. */
export function parseImport(text: string): ImportFile {
  const [head = [], ...lines] = parseCsv(text);
  const columns = head.map(columnOf);
  const rows = lines.map((cells, index): ImportRow => {
    const pairs = columns.flatMap((column, at) => {
      const value = cells[at]?.trim() ?? '';
      return column && value !== '' ? [[column, value] as const] : [];
    });
    return { line: index + 2, fields: Object.fromEntries(pairs), cells };
  });
  return {
    head,
    ignored: head.filter((name, at) => columns[at] === undefined && name.trim() !== ''),
    hasEmail: columns.includes('email'),
    rows: rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
  };
}

function columnOf(name: string): Column | undefined {
  const plain = name.trim().toLowerCase().replaceAll('_', ' ');
  return COLUMNS.find(([, names]) => names.some((each) => each === plain))?.[0];
}

/** Returns the rows that repeat the email, the link name or the id of an earlier one, by number, with the first one's. */
export function repeatedRows(rows: readonly ImportRow[]): ReadonlyMap<number, number> {
  const known = new Map<string, number>();
  return new Map(
    rows.flatMap(({ line, fields: { email, slug = '', uid = '' } }) => {
      // Such a row is never imported.
      if (email === undefined) return [];
      const keys = [`e${email.toLowerCase()}`, `s${slug.toLowerCase()}`, `u${uid}`].filter((key) => key.length > 1);
      const first = keys.flatMap((key) => known.get(key) ?? [])[0];
      for (const key of keys) known.set(key, first ?? line);
      return first === undefined ? [] : [[line, first] as const];
    }),
  );
}

/** Reads lines and cells of RFC 4180. The separator is the first of comma, semicolon and tab in the first line. */
function parseCsv(text: string): string[][] {
  const content = text.replace(/^\uFEFF/, '');
  const [first = ''] = content.split(/\r?\n/, 1);
  const separator = /[,;\t]/.exec(first)?.[0] ?? ',';
  const lines: string[][] = [[]];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|\\r|$)`, 'y');
  while (cell.lastIndex < content.length) {
    const [, quoted, plain = '', end = ''] = cell.exec(content) ?? [];
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== '' && end !== separator) lines.push([]);
  }
  return lines;
}
