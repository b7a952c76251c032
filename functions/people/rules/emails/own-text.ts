import { InvalidField } from '../../../kernel/errors.ts';
import { fromText } from '../../../kernel/fields/field-list.ts';
import { parseText } from '../../../kernel/fields/fields.ts';
import type { EmailKind } from './kinds.ts';

/** The longest paragraph of a merchant. */
export const MAX_OWN_TEXT = 1000;
/** The most placeholders in a paragraph. More, each with a long address, would make an email longer than 20 KB. */
const MAX_PLACEHOLDERS = 10;

const PLACEHOLDERS = ['{first_name}', '{program}', '{link}'] as const;
const PLACEHOLDER = /(\{(?:first_name|program|link)\})/;

/** A part of a paragraph: text, or an address to open. */
export type Part = string | { readonly url: string };

/** What replaces the placeholders of a paragraph. */
export interface Replacements {
  /** `null` if nobody knows the name: the paragraph then leaves it out. */
  readonly firstName: string | null;
  readonly program: string;
  readonly link: Part;
}

/**
 * Checks the own paragraph of a merchant in the emails of a kind: one line of plain text, with braces only in placeholders. An
 * email to an address that nobody has confirmed has no name. Throws `InvalidField`, which does not repeat the text.
 */
export const parseOwnText = (kind: EmailKind, name: string, value: unknown): string =>
  fromText((field, text) => checkOwnText(kind, field, text))(name, value);

function checkOwnText(kind: EmailKind, field: string, text: string): string {
  const parts = parseText(field, text, MAX_OWN_TEXT).split(PLACEHOLDER);
  if (parts.some((part, index) => index % 2 === 0 && /[{}]/.test(part))) {
    throw new InvalidField(field, `must contain braces only in the placeholders ${PLACEHOLDERS.join(', ')}`);
  }
  if ((parts.length - 1) / 2 > MAX_PLACEHOLDERS) {
    throw new InvalidField(field, `must contain at most ${MAX_PLACEHOLDERS} placeholders`);
  }
  if (kind === 'confirm' && parts.includes('{first_name}')) {
    throw new InvalidField(field, 'must not contain {first_name}: anybody may have typed it');
  }
  return text;
}

/** Replaces the placeholders of a paragraph. Whatever replaces one is not read again. */
export function fillOwnText(text: string, { firstName, program, link }: Replacements): readonly Part[] {
  const values: Readonly<Record<string, Part>> = {
    '{first_name}': firstName ?? '',
    '{program}': program,
    '{link}': link,
  };
  return (firstName === null ? withoutName(text) : text).split(PLACEHOLDER).map((part) => values[part] ?? part);
}

/** Leaves out the name with the punctuation around it: "{first_name}, thank you, {first_name}!" is "Thank you!" */
function withoutName(text: string): string {
  return text
    .replace(/(^|[.!?] +)\{first_name\}[,:;!? ]*(\p{L}?)/gu, (_, before: string, letter: string) => {
      return before + letter.toUpperCase();
    })
    .replace(/,? *\{first_name\}(?=[.!?]|$)/g, '')
    .replace(/ *\{first_name\}/g, '');
}
