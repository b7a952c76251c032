import { InvalidField } from './errors.ts';

// Control characters of ASCII and Latin-1, and the line and paragraph separators that some loggers and CSV readers break at.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u;

/**
 * The characters that `parseText` accepts, for documents. The second alternative is a surrogate pair: a reader whose
 * regular expressions work on UTF-16 units instead of code points accepts the same texts.
 */
export const TEXT_PATTERN =
  '^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$';

/**
 * Checks a text that is stored and compared exactly (`sub_id`, `uid`, names): 1 to `max` characters, no control
 * characters, no lone surrogates. Returns it unchanged. Throws `InvalidField` naming `field`.
 */
export function parseText(field: string, text: string, max: number): string {
  // Characters are code points, as JSON Schema counts them. A text of more than twice as many units is not even counted.
  if (text.length === 0 || text.length > 2 * max || [...text].length > max) {
    throw new InvalidField(field, `must be 1 to ${max} characters long`);
  }
  if (UNPRINTABLE.test(text) || !text.isWellFormed()) {
    throw new InvalidField(field, 'must not contain control characters or lone surrogates');
  }
  return text;
}

export const MAX_UID = 128;
export const MAX_SUB_ID = 128;
export const MAX_NAME = 200;
