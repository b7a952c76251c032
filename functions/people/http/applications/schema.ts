import type { JSONSchema } from 'json-schema-to-ts';
import { ADVOCATE_FIELDS } from '../../../kernel/accounts/rules/advocate-fields.ts';
import { PAGE_FIELDS } from '../../../kernel/accounts/rules/page-fields.ts';
import { inputSchemas, schemasIn } from '../../../kernel/fields/field-list.ts';
import { EMAIL_PATTERN } from '../../../kernel/fields/fields.ts';
import { dataOf, exact, LIST_PARAMETERS, listOf, resource } from '../../../kernel/http/schema.ts';
import { APPLICATION_FIELDS, APPLICATION_STATES } from '../../rules/applications/application-fields.ts';
import { MAX_FIELDS } from '../../rules/applications/form.ts';
import { FORM_FIELDS } from '../../rules/applications/form-settings.ts';

const MAX_NOTE = 1000;

export const APPLICATION_BODY = /* @__PURE__ */ (() => {
  const { first_name, last_name } = inputSchemas(ADVOCATE_FIELDS);
  return {
    type: 'object',
    required: ['pk', 'email'],
    properties: {
      pk: { type: 'string', description: 'The public key of the program.', examples: [`pk_${'0'.repeat(32)}`] },
      email: {
        type: 'string',
        pattern: EMAIL_PATTERN,
        description: 'The address of the applicant, which gets a link to confirm it.',
        examples: ['jane.doe@example.com'],
      },
      first_name,
      last_name,
      answers: {
        type: 'object',
        maxProperties: MAX_FIELDS,
        additionalProperties: { type: ['string', 'null'] },
        description: 'The answers by the keys of the questions.',
        examples: [{ website: 'https://example.com' }],
      },
      terms_version: {
        type: 'string',
        description:
          'The version of the terms that the applicant accepted, which must be the current one. Absent if the form has none.',
        examples: ['2026-11'],
      },
      leave_empty: {
        type: 'string',
        description: 'Leave it empty, and hide it from people. An application that has it is ignored.',
      },
    },
  } as const satisfies JSONSchema;
})();

export const APPLICATIONS_QUERY = /* @__PURE__ */ (() => {
  const { per_page, cursor } = LIST_PARAMETERS;
  return {
    type: 'object',
    properties: {
      state_eq: {
        type: 'string',
        enum: APPLICATION_STATES,
        default: 'pending',
        description: 'Only applications in this state.',
      },
      per_page,
      cursor,
    },
  } as const satisfies JSONSchema;
})();

/** All fields of a new advocate but its email, which the applicant confirmed. */
export const APPROVAL_BODY = /* @__PURE__ */ (() => {
  const { email: _, ...properties } = inputSchemas(ADVOCATE_FIELDS);
  return { type: 'object', properties } as const satisfies JSONSchema;
})();

export const REJECTION_BODY = {
  type: 'object',
  properties: {
    note: {
      type: 'string',
      maxLength: MAX_NOTE,
      description: `What you say about it, in the email and beside the application: at most ${MAX_NOTE} characters.`,
      examples: ['We only work with shops in Germany at present.'],
    },
    notify: { type: 'boolean', default: false, description: 'True: the applicant gets an email with the note.' },
    may_apply_again: {
      type: 'boolean',
      default: false,
      description: 'True: the address may apply again immediately. By default after 180 days.',
    },
  },
} as const satisfies JSONSchema;

export const APPLICATION = /* @__PURE__ */ (() => resource('application', schemasIn(APPLICATION_FIELDS, 'api')))();
export const APPLICATION_LIST = /* @__PURE__ */ listOf(APPLICATION);
export const APPLICATION_DATA = /* @__PURE__ */ dataOf(APPLICATION);

/** What a link shows of its application. */
export const SENT_APPLICATION_DATA = /* @__PURE__ */ (() =>
  dataOf(
    resource('application', {
      ...schemasIn(APPLICATION_FIELDS, 'applicant'),
      program: exact({ name: { type: 'string' }, site_url: { type: 'string' } }),
    }),
  ))();

export const APPLICATION_FORM_DATA = /* @__PURE__ */ (() =>
  dataOf(
    resource(
      'application_form',
      {
        program_name: { type: 'string' },
        accent: PAGE_FIELDS.accent.schema,
        logo_version: PAGE_FIELDS.logoVersion.schema,
        ...schemasIn(FORM_FIELDS, 'form'),
      },
      { type: 'string', description: 'The public key of the program.' },
    ),
  ))();

/** The schemas from which `bin/generate` creates the validators. */
export const APPLICATION_BODIES = {
  applicationBody: APPLICATION_BODY,
  applicationsQuery: APPLICATIONS_QUERY,
  approvalBody: APPROVAL_BODY,
  rejectionBody: REJECTION_BODY,
};
