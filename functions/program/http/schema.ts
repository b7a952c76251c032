import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { PROGRAM_FIELDS } from '../../kernel/accounts/rules/program-fields.ts';
import { MAX_TOKEN_NAME, SCOPES } from '../../kernel/accounts/rules/token.ts';
import { changeSchemas, fieldsIn, schemasIn } from '../../kernel/fields/field-list.ts';
import { ID, NULLABLE_TEXT, TIME } from '../../kernel/fields/schemas.ts';
import { COMMISSION_RULES_CHANGE, SHOWN_RULES_OR_NULL } from '../../kernel/http/commission-rules.ts';
import { EXPIRES_AT, exact, resource, SIGNED_IN } from '../../kernel/http/schema.ts';

/** The fields that the API shows. */
export const API_FIELDS = fieldsIn(PROGRAM_FIELDS, 'api');

/** Fields that are absent stay as they are. */
export const PROGRAM_CHANGES_BODY = /* @__PURE__ */ (() =>
  ({
    type: 'object',
    properties: { ...changeSchemas(API_FIELDS), commission_rules: COMMISSION_RULES_CHANGE },
  }) as const satisfies JSONSchema)();

const SCOPE_LIST = { type: 'array', items: { type: 'string', enum: SCOPES } } as const;
export const NEW_TOKEN_BODY = {
  type: 'object',
  required: ['scopes'],
  properties: {
    scopes: {
      ...SCOPE_LIST,
      minItems: 1,
      description: 'What the token allows. The calling token must have each of these scopes.',
      examples: [['read', 'track']],
    },
    name: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_TOKEN_NAME,
      description: 'What the token is for.',
      examples: ['Shop server'],
    },
    expires_in: {
      type: 'integer',
      minimum: 60,
      maximum: 31_536_000,
      description: 'Seconds until the token expires: from 60 to 31,536,000 (a year). By default it never expires.',
    },
  },
} as const satisfies JSONSchema;

const TOKEN_ATTRIBUTES = { name: NULLABLE_TEXT, scopes: SCOPE_LIST } as const;
const LISTED_ATTRIBUTES = {
  ...TOKEN_ATTRIBUTES,
  created_at: TIME,
  expires_at: EXPIRES_AT,
  member_id: {
    type: ['string', 'null'],
    description: 'The member who created the token, which ends with the member; `null` for others.',
  },
} as const;

/** The member in a response, or `null`. */
const CALLING_MEMBER = /* @__PURE__ */ (() =>
  ({
    ...exact({ id: ID, name: NULLABLE_TEXT, email: { type: 'string' } }),
    type: ['object', 'null'],
    description: 'The member who signed in, or who created the token; `null` for other tokens.',
  }) as const)();

export const PROGRAM = /* @__PURE__ */ (() =>
  resource('program', { ...schemasIn(PROGRAM_FIELDS, 'api'), commission_rules: SHOWN_RULES_OR_NULL }))();
export const PROGRAM_DATA = /* @__PURE__ */ (() =>
  exact({
    data: PROGRAM,
    meta: exact({
      token: exact({
        id: ID,
        ...TOKEN_ATTRIBUTES,
        expires_at: EXPIRES_AT,
        signed_in: SIGNED_IN,
        member: CALLING_MEMBER,
      }),
    }),
  }))();

export const PROGRAM_TOKEN = /* @__PURE__ */ resource('token', LISTED_ATTRIBUTES);
export const PROGRAM_TOKEN_LIST = /* @__PURE__ */ exact({ data: { type: 'array', items: PROGRAM_TOKEN } });
export const NEW_PROGRAM_TOKEN = /* @__PURE__ */ resource('token', {
  token: { type: 'string', description: 'The token. It is shown only once.', examples: [`rtp_${'0'.repeat(36)}`] },
  ...LISTED_ATTRIBUTES,
}) satisfies JSONSchema;
export const NEW_PROGRAM_TOKEN_DATA = /* @__PURE__ */ exact({ data: NEW_PROGRAM_TOKEN });

export type ProgramTokenResource = FromSchema<typeof PROGRAM_TOKEN>;

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  programChangesBody: PROGRAM_CHANGES_BODY,
  newTokenBody: NEW_TOKEN_BODY,
};
