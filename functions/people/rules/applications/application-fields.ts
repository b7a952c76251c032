import type { FieldList, Values } from '../../../kernel/fields/field-list.ts';
import { boolean, oneOf, text, texts, wholeSeconds } from '../../../kernel/fields/parsers.ts';
import { NULLABLE_TEXT, TIME } from '../../../kernel/fields/schemas.ts';
import { type Answer, storedAnswers } from './form.ts';

/** `unconfirmed`: nobody has shown that the address is theirs. `pending`: the merchant decides. */
export const APPLICATION_STATES = ['unconfirmed', 'pending', 'approved', 'rejected'] as const;
export type ApplicationState = (typeof APPLICATION_STATES)[number];

/** Why an application was not approved automatically. */
export const APPLICATION_FLAGS = ['disposable_email', 'answer_missing', 'advocate_exists'] as const;
export type ApplicationFlag = (typeof APPLICATION_FLAGS)[number];

const NO_FLAGS: readonly ApplicationFlag[] = [];
const NO_ANSWERS: readonly Answer[] = [];
const NULLABLE_TIME = { type: ['integer', 'null'], description: 'Unix seconds.' } as const;
const BOTH = ['api', 'applicant'] as const;

/** Everything that the service knows of each field of an application. `applicant` is what its link shows. */
export const APPLICATION_FIELDS = {
  /** UUIDv7. */
  id: { attribute: 'id', stored: { parse: text } },
  state: {
    attribute: 'state',
    stored: { parse: oneOf<ApplicationState>(APPLICATION_STATES) },
    schema: { type: 'string', enum: APPLICATION_STATES },
    forms: BOTH,
  },
  email: { attribute: 'email', stored: { parse: text }, schema: { type: 'string' }, forms: BOTH },
  firstName: {
    attribute: 'first_name',
    stored: { parse: text, empty: null },
    schema: NULLABLE_TEXT,
    forms: BOTH,
  },
  lastName: { attribute: 'last_name', stored: { parse: text, empty: null }, schema: NULLABLE_TEXT, forms: BOTH },
  answers: {
    attribute: 'answers',
    stored: { parse: storedAnswers, empty: NO_ANSWERS },
    schema: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'label', 'answer'],
        properties: { key: { type: 'string' }, label: { type: 'string' }, answer: { type: 'string' } },
        additionalProperties: false,
      },
      description: 'Questions as they were asked, with the answers as they were typed: show both as text.',
    },
    forms: BOTH,
  },
  termsVersion: {
    attribute: 'terms_version',
    stored: { parse: text, empty: null },
    schema: { ...NULLABLE_TEXT, description: 'The version of the terms that the applicant accepted.' },
    forms: BOTH,
  },
  createdAt: { attribute: 'created_at', stored: { parse: wholeSeconds }, schema: TIME, forms: BOTH },
  confirmedAt: {
    attribute: 'confirmed_at',
    stored: { parse: wholeSeconds, empty: null },
    schema: { ...NULLABLE_TIME, description: 'When the applicant confirmed the email; `null`: not yet.' },
    forms: ['api'],
  },
  flags: {
    attribute: 'flags',
    stored: { parse: storedFlags, empty: NO_FLAGS },
    schema: {
      type: 'array',
      items: { type: 'string', enum: APPLICATION_FLAGS },
      description: 'What to look at, and why an application was not approved automatically.',
    },
    forms: ['api'],
  },
  /** Until when a repeated confirmation approves it without the merchant; `null` if the merchant decides. */
  automaticUntil: { attribute: 'automatic_until', stored: { parse: wholeSeconds, empty: null } },
  decidedAt: {
    attribute: 'decided_at',
    stored: { parse: wholeSeconds, empty: null },
    schema: NULLABLE_TIME,
    forms: ['api'],
  },
  /** The advocate that an approval created. */
  slug: {
    attribute: 'slug',
    stored: { parse: text, empty: null },
    name: 'affiliate_slug',
    schema: { ...NULLABLE_TEXT, description: 'The advocate; `null` if the application is not approved.' },
    forms: ['api'],
  },
  /** What the merchant says about a rejection. */
  note: { attribute: 'note', stored: { parse: text, empty: null }, schema: NULLABLE_TEXT, forms: ['api'] },
  /** True if the applicant gets an email about the rejection. */
  notify: {
    attribute: 'notify',
    stored: { parse: boolean, empty: null },
    schema: { type: ['boolean', 'null'] },
    forms: ['api'],
  },
  mayApplyAgain: {
    attribute: 'may_apply_again',
    stored: { parse: boolean, empty: null },
    schema: { type: ['boolean', 'null'] },
    forms: ['api'],
  },
} as const satisfies FieldList;

/** What somebody who wants to be an advocate sent. */
export type Application = Values<typeof APPLICATION_FIELDS>;

function storedFlags(value: unknown): readonly ApplicationFlag[] | undefined {
  return texts(value)
    ?.map(oneOf(APPLICATION_FLAGS))
    .filter((flag) => flag !== undefined);
}
