import { InvalidField } from '../../../kernel/errors.ts';
import { parseText } from '../../../kernel/fields/fields.ts';
import { parseLines } from '../../../kernel/fields/lines.ts';
import { list, oneOf, type Parser, record, text, texts } from '../../../kernel/fields/parsers.ts';

/** What an answer is: a line, several lines, an address of the web, or one of the options. */
export const FIELD_KINDS = ['text', 'long', 'url', 'choice'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

export const MAX_FIELDS = 10;
export const MAX_LABEL = 200;
export const MAX_OPTIONS = 50;
export const MAX_OPTION = 100;
export const KEY_PATTERN = '^[a-z][a-z0-9_]{0,39}$';
/** The longest answers, in code points. */
export const MAX_ANSWERS = { text: 200, long: 2000, url: 500, choice: MAX_OPTION } as const;

/** The most code points of all answers, and of all labels and options: a request has at most 16 KiB. */
const MAX_TOTAL = 4000;
const TOO_LONG = 'must have at most 4,000 characters in all';
const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + [...text].length, 0);

/** A question of a program's form. */
export interface FormField {
  /** The name of the answer, unique in the form. */
  readonly key: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** What `choice` accepts; `[]` for the other kinds. */
  readonly options: readonly string[];
}

/** An answer, with the question as it was asked. */
export interface Answer {
  readonly key: string;
  readonly label: string;
  readonly answer: string;
}

/** Parses the questions of a form from a request. Throws `InvalidField`. */
export function parseFormFields(name: string, value: unknown): readonly FormField[] {
  const given = list(value);
  if (!given || given.length > MAX_FIELDS)
    throw new InvalidField(name, `must be a list of at most ${MAX_FIELDS} fields`);
  const fields = given.map((each, index) => parseFormField(`${name}.${index}`, each));
  const keys = fields.map(({ key }) => key);
  if (new Set(keys).size < keys.length) throw new InvalidField(name, 'must have a different key in each field');
  const texts = fields.flatMap(({ label, options }) => [label, ...options]);
  if (lengthOf(texts) > MAX_TOTAL) throw new InvalidField(name, TOO_LONG);
  return fields;
}

function parseFormField(name: string, value: unknown): FormField {
  const { key = '', label = '', kind, required = false, options = [] } = record(value) ?? {};
  if (typeof key !== 'string' || !new RegExp(KEY_PATTERN).test(key)) {
    throw new InvalidField(
      `${name}.key`,
      'must be a letter, then up to 39 letters, digits or underscores in lower case',
    );
  }
  const known = oneOf(FIELD_KINDS)(kind);
  if (!known) throw new InvalidField(`${name}.kind`, `must be one of ${FIELD_KINDS.join(', ')}`);
  if (typeof required !== 'boolean') throw new InvalidField(`${name}.required`, 'must be true or false');
  return {
    key,
    label: parseText(`${name}.label`, text(label) ?? '', MAX_LABEL),
    kind: known,
    required,
    options: parseOptions(`${name}.options`, options, known),
  };
}

function parseOptions(name: string, value: unknown, kind: FieldKind): readonly string[] {
  const options = texts(value);
  const isChoice = kind === 'choice';
  if (!options || options.length > 0 !== isChoice || options.length > MAX_OPTIONS) {
    throw new InvalidField(
      name,
      `must be a list of 1 to ${MAX_OPTIONS} texts for the kind choice, and absent for others`,
    );
  }
  for (const option of options) parseText(name, option, MAX_OPTION);
  if (new Set(options).size < options.length) throw new InvalidField(name, 'must have each option once');
  return options;
}

/** Parses the questions in an item. */
export const storedFormFields: Parser<readonly FormField[]> = (value) =>
  list(value)?.flatMap((each) => {
    const { key, label, kind, required, options } = record(each) ?? {};
    const known = oneOf(FIELD_KINDS)(kind);
    // A kind that only a later version knows is left out.
    if (typeof key !== 'string' || typeof label !== 'string' || !known) return [];
    return [{ key, label, kind: known, required: required === true, options: texts(options) ?? [] }];
  });

/** Parses the answers in an item. */
export const storedAnswers: Parser<readonly Answer[]> = (value) =>
  list(value)?.flatMap((each) => {
    const { key, label, answer } = record(each) ?? {};
    if (typeof key !== 'string' || typeof label !== 'string' || typeof answer !== 'string') return [];
    return [{ key, label, answer }];
  });

/**
 * Parses the answers to a form, by their keys. An empty answer counts as absent. Throws `InvalidField` for a missing, unknown
 * or malformed one.
 */
export function parseAnswers(
  fields: readonly FormField[],
  given: Readonly<Record<string, unknown>>,
): readonly Answer[] {
  if (Object.keys(given).some((key) => !fields.some((field) => field.key === key))) {
    const keys = fields.map(({ key }) => key).join(', ');
    throw new InvalidField('answers', fields.length === 0 ? 'must be empty' : `must have only these keys: ${keys}`);
  }
  const answers = fields.flatMap((field) => {
    const { key, label, required } = field;
    const value = Object.hasOwn(given, key) ? (given[key] ?? '') : '';
    const name = `answers.${key}`;
    if (typeof value !== 'string') throw new InvalidField(name, 'must be a string');
    if (value.trim() !== '') return [{ key, label, answer: parseAnswer(name, field, value) }];
    if (required) throw new InvalidField(name, 'is required');
    return [];
  });
  if (lengthOf(answers.map(({ answer }) => answer)) > MAX_TOTAL) throw new InvalidField('answers', TOO_LONG);
  return answers;
}

function parseAnswer(name: string, { kind, options }: FormField, value: string): string {
  const max = MAX_ANSWERS[kind];
  switch (kind) {
    case 'text':
      return parseText(name, value, max);
    case 'long':
      return parseLines(name, value, max);
    case 'url': {
      const text = parseText(name, value.trim(), max);
      // People type addresses as they say them.
      const address = /^[\w-]+(?:\.[\w-]+)+(?:[/?#:]|$)/.test(text) ? `https://${text}` : text;
      if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
      throw new InvalidField(name, 'must be a web address such as https://example.com');
    }
    case 'choice':
      if (options.includes(value)) return value;
      throw new InvalidField(name, 'must be one of the options of the form');
  }
}

/** True if a question that must be answered, as the form is now, has no answer. */
export const lacksAnswer = (fields: readonly FormField[], answers: readonly Answer[]): boolean =>
  fields.some(({ key, required }) => required && !answers.some((answer) => answer.key === key));
