import { fromText } from './field-list.ts';
import { parseText, TEXT_PATTERN } from './fields.ts';
import { parseWhole } from './numbers.ts';

/** JSON Schemas of single values, which the lists of fields and the requests share. */

export const ID = {
  type: 'string',
  description: 'UUIDv7.',
  examples: ['019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'],
} as const;

export const TIME = { type: 'integer', description: 'Unix seconds, UTC.', examples: [1_767_225_600] } as const;

/** The keywords of a text that `parseText` accepts. */
export const textKeywords = <const Max extends number>(maxLength: Max) =>
  ({ minLength: 1, maxLength, pattern: TEXT_PATTERN }) as const;

export const textUpTo = <const Max extends number>(maxLength: Max) =>
  ({ type: 'string', ...textKeywords(maxLength) }) as const;

/** How requests set a text of up to `max` characters. */
export const textInput = <const Max extends number, const Keywords extends object>(max: Max, keywords: Keywords) => ({
  schema: { ...textUpTo(max), ...keywords },
  parse: fromText((name, text) => parseText(name, text, max)),
});

/** How requests set a whole number from `min` to `maximum`. */
export const wholeInput = (
  min: number,
  maximum: number,
  keywords: { readonly description: string; readonly examples: [number] },
) => ({
  schema: { type: 'integer', minimum: min, maximum, ...keywords } as const,
  parse: (name: string, value: unknown) => parseWhole(name, value, maximum, min),
});

export const NULLABLE_TEXT = { type: ['string', 'null'] } as const;
