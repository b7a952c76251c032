import { InvalidField } from '../../../kernel/errors.ts';
import { choiceOf, type FieldList, fromText } from '../../../kernel/fields/field-list.ts';
import { parseText } from '../../../kernel/fields/fields.ts';
import { linesInput } from '../../../kernel/fields/lines.ts';
import { oneOf, text } from '../../../kernel/fields/parsers.ts';
import { NULLABLE_TEXT, textInput, textUpTo } from '../../../kernel/fields/schemas.ts';
import {
  FIELD_KINDS,
  type FormField,
  KEY_PATTERN,
  MAX_FIELDS,
  MAX_LABEL,
  MAX_OPTION,
  MAX_OPTIONS,
  parseFormFields,
  storedFormFields,
} from './form.ts';

/** Whether people may apply, and who approves them: nobody applies, the merchant decides, or nobody looks at them. */
export const APPLICATION_MODES = ['closed', 'review', 'automatic'] as const;
export type ApplicationMode = (typeof APPLICATION_MODES)[number];

const MAX_APPLY_TEXT = 2000;
const MAX_TERMS_URL = 500;
const MAX_TERMS_VERSION = 100;
const CLOSED: ApplicationMode = 'closed';
const NO_FIELDS: readonly FormField[] = [];

const FIELD = {
  type: 'object',
  required: ['key', 'label', 'kind'],
  properties: {
    key: { type: 'string', pattern: KEY_PATTERN, description: 'The name of the answer, unique in the form.' },
    label: { ...textUpTo(MAX_LABEL), description: 'The question.' },
    kind: {
      type: 'string',
      enum: FIELD_KINDS,
      description:
        '`text`: a line of at most 200 characters. `long`: at most 2,000 characters. `url`: an http or https address. `choice`: one of the options.',
    },
    required: { type: 'boolean', default: false },
    options: {
      type: 'array',
      maxItems: MAX_OPTIONS,
      items: textUpTo(MAX_OPTION),
      description: `For \`choice\`: 1 to ${MAX_OPTIONS} texts.`,
    },
  },
} as const;

const FIELD_NAMES = ['key', 'label', 'kind', 'required', 'options'] as const;

/** Everything that the service knows of the settings of a program's form for applications. */
export const FORM_FIELDS = {
  applications: {
    attribute: 'applications',
    stored: { parse: oneOf<ApplicationMode>(APPLICATION_MODES), empty: CLOSED },
    schema: { type: 'string', enum: APPLICATION_MODES },
    forms: ['api'],
    input: {
      schema: {
        type: 'string',
        enum: APPLICATION_MODES,
        description:
          '`closed`: nobody applies. `review`: you approve or reject. `automatic`: who confirms the address is approved, at most 50 a day.',
      },
      parse: choiceOf<ApplicationMode>(APPLICATION_MODES),
      rejectsNull: true,
    },
  },
  applyText: {
    attribute: 'apply_text',
    stored: { parse: text, empty: null },
    schema: NULLABLE_TEXT,
    forms: ['api', 'form'],
    input: linesInput(MAX_APPLY_TEXT, {
      description: `What applicants read above the form: plain text, at most ${MAX_APPLY_TEXT} characters.`,
      examples: ['Recommend us, and earn 20% of what your customers pay in their first year.'],
    }),
  },
  termsUrl: {
    attribute: 'terms_url',
    stored: { parse: text, empty: null },
    schema: NULLABLE_TEXT,
    forms: ['api', 'form'],
    input: {
      schema: {
        ...textUpTo(MAX_TERMS_URL),
        description: 'The https address of the terms that applicants accept.',
        examples: ['https://example.com/partner-terms'],
      },
      parse: fromText(parseTermsUrl),
    },
  },
  termsVersion: {
    attribute: 'terms_version',
    stored: { parse: text, empty: null },
    schema: NULLABLE_TEXT,
    forms: ['api', 'form'],
    input: textInput(MAX_TERMS_VERSION, {
      description: 'The version of the terms. With one, each application must contain it.',
      examples: ['2026-11'],
    }),
  },
  applicationFields: {
    attribute: 'application_fields',
    stored: { parse: storedFormFields, empty: NO_FIELDS },
    schema: { type: 'array', items: { ...FIELD, required: FIELD_NAMES, additionalProperties: false } },
    forms: ['api', 'form'],
    input: {
      schema: {
        type: 'array',
        maxItems: MAX_FIELDS,
        items: FIELD,
        description: `The questions of the form, at most ${MAX_FIELDS}. The list is replaced as a whole; \`[]\` clears it.`,
        examples: [[{ key: 'website', label: 'Your website', kind: 'url', required: true }]],
      },
      parse: parseFormFields,
      rejectsNull: true,
    },
  },
} as const satisfies FieldList;

function parseTermsUrl(name: string, value: string): string {
  const url = parseText(name, value, MAX_TERMS_URL);
  if (URL.canParse(url) && new URL(url).protocol === 'https:') return url;
  throw new InvalidField(name, 'must be an https address such as https://example.com/terms');
}
