import { InvalidField } from '../../errors.ts';
import { AMOUNTS_KEYWORDS, NO_AMOUNTS, parseAmounts, storedAmounts } from '../../fields/amounts.ts';
import { type FieldList, fromText } from '../../fields/field-list.ts';
import { number, text } from '../../fields/parsers.ts';
import { NULLABLE_TEXT, wholeInput } from '../../fields/schemas.ts';

/** The forms of what an affiliate sees of the program itself. */
export const SHOWN = ['api', 'admin', 'affiliate'] as const;

/** Every month has it. */
const LAST_PAYOUT_DAY = 28;
const ACCENT = /^#[0-9A-Fa-f]{6}$/;

/** The fields of a program that its pages show to advocates, in the order of its resource. */
export const PAGE_FIELDS = {
  /** The least balance that the merchant pays, by currency. */
  minimumPayout: {
    attribute: 'minimum_payout',
    stored: { parse: storedAmounts, empty: NO_AMOUNTS },
    schema: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      description:
        "What the merchant pays at least, by currency, in the currency's smallest unit; `{}` for no minimum.",
    },
    forms: SHOWN,
    input: {
      schema: {
        type: 'object',
        ...AMOUNTS_KEYWORDS,
        description:
          "What you pay at least, by currency, in the currency's smallest unit. Affiliates see it; a payout run has its own `minimum`. The object is replaced as a whole; `{}` clears it.",
        examples: [{ eur: 5000 }],
      },
      parse: (name: string, value: unknown) => parseAmounts(name, value, 0),
      rejectsNull: true,
    },
  },
  /** The day of the month on which the merchant pays; `null` if it has not chosen one. */
  payoutDay: {
    attribute: 'payout_day',
    stored: { parse: number, empty: null },
    schema: {
      type: ['integer', 'null'],
      description: 'The day of the month on which the merchant pays; `null` if it has set none.',
    },
    forms: SHOWN,
    input: wholeInput(1, LAST_PAYOUT_DAY, {
      description: 'The day of the month on which you pay. Affiliates see it.',
      examples: [5],
    }),
  },
  /** The color of the program in its pages. */
  accent: {
    attribute: 'accent',
    stored: { parse: text, empty: null },
    schema: { ...NULLABLE_TEXT, description: 'The color of the program in its pages, such as `#0b6e4f`.' },
    forms: SHOWN,
    input: {
      schema: {
        type: 'string',
        pattern: ACCENT.source,
        description: 'The color of the program in its pages: `#` and six hexadecimal digits.',
        examples: ['#0b6e4f'],
      },
      parse: fromText(parseAccent),
    },
  },
  /** Depends on the bytes of the logo, and stands in its address, so that a browser never shows an earlier one. */
  logoVersion: {
    attribute: 'logo_version',
    stored: { parse: text, empty: null },
    schema: {
      ...NULLABLE_TEXT,
      description: 'The version of the logo, for `/v2/logo/{pk}?v=<logo_version>`; `null` without a logo.',
    },
    forms: SHOWN,
  },
} as const satisfies FieldList;

function parseAccent(field: string, text: string): string {
  if (!ACCENT.test(text)) throw new InvalidField(field, 'must be # and six hexadecimal digits, such as #0b6e4f');
  return text.toLowerCase();
}
