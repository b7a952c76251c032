import { InvalidField } from '../../../kernel/errors.ts';
import { emptyValues, type FieldList, fromText, type Values } from '../../../kernel/fields/field-list.ts';
import { EMAIL_PATTERN, parseEmail } from '../../../kernel/fields/fields.ts';
import { list, oneOf, type Parser, record, text, texts } from '../../../kernel/fields/parsers.ts';
import { NULLABLE_TEXT, textInput, textKeywords } from '../../../kernel/fields/schemas.ts';
import { FORM_FIELDS } from '../applications/form-settings.ts';
import { EMAIL_KINDS, type EmailKind, MERCHANT_CHOICES, type MerchantChoice } from './kinds.ts';
import { MAX_OWN_TEXT, parseOwnText } from './own-text.ts';

const MAX_POSTAL_ADDRESS = 300;

/** The merchant's own paragraph in the emails of a kind. In a change, an empty one removes it. */
export type EmailTexts = { readonly [Kind in EmailKind]?: string };

const NO_TEXTS: EmailTexts = {};
const CHOICES = { type: 'array', items: { type: 'string', enum: MERCHANT_CHOICES } } as const;
const NOTHING_OFF: readonly MerchantChoice[] = [];

/** Everything that the service knows of each setting of a program's emails and form, in the order of its resource. */
export const PEOPLE_FIELDS = {
  replyTo: {
    attribute: 'reply_to',
    stored: { parse: text, empty: null },
    schema: NULLABLE_TEXT,
    forms: ['api'],
    input: {
      schema: {
        type: 'string',
        pattern: EMAIL_PATTERN,
        description: 'The address that gets the answers to emails.',
        examples: ['partners@example.com'],
      },
      parse: fromText(parseEmail),
    },
  },
  /** Many countries require it in emails that one can switch off. */
  postalAddress: {
    attribute: 'postal_address',
    stored: { parse: text, empty: null },
    schema: NULLABLE_TEXT,
    forms: ['api'],
    input: textInput(MAX_POSTAL_ADDRESS, {
      description: `The merchant's address at the end of each email: at most ${MAX_POSTAL_ADDRESS} characters.`,
      examples: ['Example Shop Ltd, 1 High Street, London N1 9GU'],
    }),
  },
  emailTexts: {
    attribute: 'email_texts',
    stored: { parse: storedTexts, empty: NO_TEXTS },
    schema: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'The own paragraph in each kind of email, `{}` if there are none.',
    },
    forms: ['api'],
    input: {
      schema: {
        type: 'object',
        propertyNames: { enum: EMAIL_KINDS },
        additionalProperties: { type: ['string', 'null'], ...textKeywords(MAX_OWN_TEXT) },
        description: `An own paragraph for each kind of email (\`${EMAIL_KINDS.join('`, `')}\`), in addition to its sentences: plain text of 1 to ${MAX_OWN_TEXT} characters with at most 10 placeholders \`{first_name}\`, \`{program}\` and \`{link}\`. Kinds that are absent keep their paragraphs; \`null\` removes one.`,
        examples: [{ settled: 'Thank you, {first_name}, for recommending {program}.' }],
      },
      parse: parseTexts,
    },
  },
  /** The emails that nobody gets. */
  emailsOff: {
    attribute: 'emails_off',
    stored: { parse: storedChoices, empty: NOTHING_OFF },
    schema: CHOICES,
    forms: ['api'],
    input: {
      schema: {
        ...CHOICES,
        description: 'The emails that nobody gets. The list is replaced as a whole; `[]` clears it.',
        examples: [['paying']],
      },
      parse: parseChoices,
      rejectsNull: true,
    },
  },
  ...FORM_FIELDS,
} as const satisfies FieldList;

/** The settings of a program's emails and of its form for applications. */
export type PeopleSettings = Values<typeof PEOPLE_FIELDS>;

/** Changes settings. Paragraphs of other kinds stay, as in a JSON Merge Patch (RFC 7396). */
export function changeSettings(before: PeopleSettings, changes: Partial<PeopleSettings>): PeopleSettings {
  const texts: EmailTexts = { ...before.emailTexts, ...changes.emailTexts };
  return { ...before, ...changes, emailTexts: textsOf((kind) => texts[kind] || undefined) };
}

/** The settings of a program that has set none. */
export const NO_SETTINGS: PeopleSettings = emptyValues(PEOPLE_FIELDS);

/** Parses the paragraphs in an item; kinds that only a later version knows are left out. */
function storedTexts(value: unknown): EmailTexts | undefined {
  const stored = record(value);
  return stored && textsOf((kind) => text(stored[kind]));
}

function parseTexts(name: string, value: unknown): EmailTexts {
  const given = record(value);
  if (!given) throw new InvalidField(name, 'must be a JSON object');
  const kind: Parser<EmailKind> = oneOf(EMAIL_KINDS);
  if (Object.keys(given).some((key) => kind(key) === undefined)) {
    throw new InvalidField(name, `must have only these keys: ${EMAIL_KINDS.join(', ')}`);
  }
  return textsOf((each) => {
    const own = given[each];
    return own === undefined ? undefined : own === null ? '' : parseOwnText(each, `${name}.${each}`, own);
  });
}

function textsOf(textOf: (kind: EmailKind) => string | undefined): EmailTexts {
  return Object.fromEntries(
    EMAIL_KINDS.flatMap((kind) => {
      const own = textOf(kind);
      return own === undefined ? [] : [[kind, own]];
    }),
  );
}

function storedChoices(value: unknown): readonly MerchantChoice[] | undefined {
  return texts(value)
    ?.map(oneOf(MERCHANT_CHOICES))
    .filter((choice) => choice !== undefined);
}

function parseChoices(name: string, value: unknown): readonly MerchantChoice[] {
  const given = list(value);
  const known = MERCHANT_CHOICES.filter((choice) => given?.includes(choice));
  if (!given?.every((each) => known.some((choice) => choice === each))) {
    throw new InvalidField(name, `must be a list of ${MERCHANT_CHOICES.join(', ')}`);
  }
  return known;
}
