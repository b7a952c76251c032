import type { JSONSchema } from 'json-schema-to-ts';
import { ADVOCATE_FIELDS } from '../../kernel/accounts/rules/advocate-fields.ts';
import { EMAIL_CHOICES } from '../../kernel/accounts/rules/email-choices.ts';
import { MEMBER_FIELDS } from '../../kernel/accounts/rules/member.ts';
import { changeSchemas, inputSchemas, schemasIn } from '../../kernel/fields/field-list.ts';
import { EMAIL_PATTERN } from '../../kernel/fields/fields.ts';
import { dataOf, exact, resource } from '../../kernel/http/schema.ts';
import { PROGRAM_TOKEN } from '../../program/http/schema.ts';
import { EMAIL_KINDS } from '../rules/emails/kinds.ts';
import { PEOPLE_FIELDS } from '../rules/emails/settings.ts';
import { PAGES } from '../rules/link-budget.ts';
import { APPLICATION_BODIES } from './applications/schema.ts';

const EMAIL = { type: 'string', pattern: EMAIL_PATTERN, examples: ['jane.doe@example.com'] } as const;
const CODE = {
  type: 'string',
  description: 'The code in the link of the email.',
  examples: ['A'.repeat(86)],
} as const;

export const SIGN_IN_BODY = {
  type: 'object',
  required: ['pk', 'email', 'page'],
  properties: {
    pk: { type: 'string', description: 'The public key of the program.', examples: [`pk_${'0'.repeat(32)}`] },
    email: { ...EMAIL, description: 'The address that gets the link. The response does not say whether it is known.' },
    page: {
      type: 'string',
      enum: PAGES,
      description: 'Where the link leads: `portal` for advocates, `dashboard` for members.',
    },
  },
} as const satisfies JSONSchema;

export const SESSION_BODY = {
  type: 'object',
  required: ['code'],
  properties: {
    code: CODE,
    keep: {
      type: 'boolean',
      default: false,
      description: 'True for 30 days (members: 7 days) instead of 12 hours, on a device of the person.',
    },
  },
} as const satisfies JSONSchema;

export const CODE_BODY = {
  type: 'object',
  required: ['code'],
  properties: { code: CODE },
} as const satisfies JSONSchema;

export const AFFILIATE_CHANGES_BODY = /* @__PURE__ */ (() => {
  const { first_name, last_name, payout_method, payout_account } = changeSchemas(ADVOCATE_FIELDS);
  return {
    type: 'object',
    properties: {
      first_name,
      last_name,
      payout_method: { ...payout_method, description: 'How you are paid. Needs a sign-in of the last 15 minutes.' },
      payout_account,
      emails_off: {
        type: 'array',
        items: { type: 'string', enum: EMAIL_CHOICES },
        description: 'The emails that you do not want.',
        examples: [['paying']],
      },
    },
  } as const satisfies JSONSchema;
})();

export const MEMBER_BODY = /* @__PURE__ */ (() =>
  ({
    type: 'object',
    required: ['email', 'scopes'],
    properties: inputSchemas(MEMBER_FIELDS),
  }) as const satisfies JSONSchema)();

export const MEMBER_CHANGES_BODY = /* @__PURE__ */ (() =>
  ({ type: 'object', properties: changeSchemas(MEMBER_FIELDS) }) as const satisfies JSONSchema)();

export const PEOPLE_CHANGES_BODY = /* @__PURE__ */ (() =>
  ({ type: 'object', properties: changeSchemas(PEOPLE_FIELDS) }) as const satisfies JSONSchema)();

export const PREVIEW_BODY = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string', enum: EMAIL_KINDS, description: 'The email to show.', examples: ['settled'] } },
} as const satisfies JSONSchema;

export const PERSON_BODY = {
  type: 'object',
  required: ['email'],
  properties: { email: { ...EMAIL, description: 'The address to forget.' } },
} as const satisfies JSONSchema;

export const SESSION = /* @__PURE__ */ resource('session', {
  token: { type: 'string', description: 'A token. It is shown only once.', examples: [`rta_${'0'.repeat(36)}`] },
  expires_at: { type: 'integer', description: 'When the token expires, in Unix seconds.' },
});
export const SESSION_DATA = /* @__PURE__ */ dataOf(SESSION);

export const MEMBER = /* @__PURE__ */ (() => resource('member', schemasIn(MEMBER_FIELDS, 'api')))();
export const MEMBER_DATA = /* @__PURE__ */ dataOf(MEMBER);
export const MEMBER_LIST = /* @__PURE__ */ exact({ data: { type: 'array', items: MEMBER } });
export const REMOVED_MEMBER = /* @__PURE__ */ exact({
  data: MEMBER,
  meta: exact({
    tokens: { type: 'array', items: PROGRAM_TOKEN, description: 'The tokens that ended with the member.' },
  }),
});

export const PEOPLE_SETTINGS = /* @__PURE__ */ (() => resource('people', schemasIn(PEOPLE_FIELDS, 'api')))();
export const PEOPLE_SETTINGS_DATA = /* @__PURE__ */ dataOf(PEOPLE_SETTINGS);

export const EMAIL_PREVIEW = /* @__PURE__ */ resource('email', {
  subject: { type: 'string' },
  text: { type: 'string' },
  html: { type: 'string' },
});
export const EMAIL_PREVIEW_DATA = /* @__PURE__ */ dataOf(EMAIL_PREVIEW);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  signInBody: SIGN_IN_BODY,
  sessionBody: SESSION_BODY,
  codeBody: CODE_BODY,
  affiliateChangesBody: AFFILIATE_CHANGES_BODY,
  memberBody: MEMBER_BODY,
  memberChangesBody: MEMBER_CHANGES_BODY,
  peopleChangesBody: PEOPLE_CHANGES_BODY,
  previewBody: PREVIEW_BODY,
  personBody: PERSON_BODY,
  ...APPLICATION_BODIES,
};
