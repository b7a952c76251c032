import { ApiError } from '../../kit/api-error.ts';
import { parseDecimal } from '../../kit/format.ts';
import { inPageWords } from '../../kit/responses.ts';
import * as SETTINGS from '../../words/dashboard/settings.ts';

/** A row of a list that somebody edits. */
export type Row = Readonly<Record<string, string>>;
/** What a form contains: texts, and the rows of lists, by the names of their fields in the API. */
export type Draft = Readonly<Record<string, string | readonly Row[]>>;

/** What is sent: values by the names of their fields in the API. */
export type Changes = Readonly<Record<string, unknown>>;

interface Common {
  /** As in the API: its errors begin with it. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Other fields replace a field that is not shown, so it is not sent. */
  readonly isShown?: (draft: Draft) => boolean;
  /** What a field that may be out of sight belongs to. Its errors are also shown beside the button. */
  readonly inside?: string;
}

type Choice = readonly [value: string, label: string];

/** What one control needs. A `check` is `yes` in the draft, or empty. */
export interface Control {
  readonly label: string;
  readonly hint?: string;
  readonly kind?: 'text' | 'long' | 'choice' | 'check';
  readonly options?: readonly Choice[];
  readonly inputMode?: 'decimal' | 'numeric' | 'url' | 'email';
  readonly example?: string;
  readonly isRequired?: boolean;
}

interface Single extends Common, Control {
  /** Reads the value for the API, by default as it is. Throws a `fault`. */
  readonly parse?: (text: string, name: string) => unknown;
}

/** Any number of options, in the draft with spaces between them. */
interface Checks extends Common {
  readonly kind: 'checks';
  readonly options: readonly Choice[];
  /** What options mean, by their values. */
  readonly hints?: Readonly<Record<string, string>>;
  readonly parse: (chosen: string, name: string) => unknown;
}

export interface Column extends Control {
  readonly name: string;
  readonly isShown?: (row: Row) => boolean;
  /** Other names that errors of the API have for it. */
  readonly parts?: readonly string[];
}

export interface List extends Common {
  readonly kind: 'list';
  /** What a row is, such as "Rule". */
  readonly item: string;
  readonly add: string;
  readonly max: number;
  readonly columns: readonly Column[];
  /** Adds a row, by default an empty one at the end. */
  readonly addTo?: (draft: Draft) => readonly Row[];
  readonly parse: (rows: readonly Row[], name: string) => unknown;
}

/** A field of a form. */
export type Field = Single | Checks | List;

export const textIn = (draft: Draft, name: string): string => {
  const value = draft[name];
  return typeof value === 'string' ? value : '';
};

export const rowsIn = (draft: Draft, name: string): readonly Row[] => {
  const value = draft[name];
  return typeof value === 'object' ? value : [];
};

/** What is wrong with a field, in the form of the API's errors. */
export const fault = (name: string, says: string) => new ApiError(`${name} ${says}`, -1, 'invalid_field');

/** Returns the place and the rest of an error about a field; `undefined` for any other error. */
export function faultIn(error: ApiError | undefined): { readonly place: string; readonly says: string } | undefined {
  if (error?.code !== 'invalid_field') return undefined;
  const [, place, says] = /^([\w.[\]]+):? (.*)$/s.exec(error.sentence) ?? [];
  if (place === undefined || says === undefined) return undefined;
  return { place: place.replace(/\[(\d+)\]/g, '.$1'), says: inPageWords('', says) };
}

/** Reads a field for the API. Throws a `fault`. */
export function parsed(field: Field, draft: Draft): unknown {
  const { name } = field;
  if (field.kind === 'list') return field.parse(rowsIn(draft, name), name);
  const text = textIn(draft, name).trim();
  return field.parse ? field.parse(text, name) : text;
}

/** A text as the form has it. */
export const typed = (value: string | number | null): string => (value === null ? '' : String(value));

export const textOrNull = (text: string): string | null => text || null;

/** Reads a whole number; `null` for none. The API checks its range. */
export function wholeOrNull(text: string, name: string): number | null {
  if (text === '') return null;
  if (!/^\d{1,15}$/.test(text)) throw fault(name, SETTINGS.notWhole);
  return Number(text);
}

export function whole(text: string, name: string): number {
  const value = wholeOrNull(text, name);
  if (value === null) throw fault(name, SETTINGS.isRequired);
  return value;
}

/** Reads a number with decimals, also with a sign for percent; `null` for none. */
export function decimalOrNull(text: string, name: string): number | null {
  if (text === '') return null;
  const value = parseDecimal(text);
  if (value === undefined) throw fault(name, SETTINGS.notNumber);
  return value;
}

/** The changes that belong to some of the fields; `undefined` if there are none. */
export function changesOf(fields: readonly Field[], changes: Changes): Changes | undefined {
  const own = Object.entries(changes).filter(([name]) => fields.some((field) => field.name === name));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/** A name for the API from words, such as "gold-partners". */
export const slugOf = (words: string, separator: '-' | '_'): string =>
  words
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join(separator);
