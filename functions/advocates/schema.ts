import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { EMAIL_PATTERN, MAX_NAME, MAX_UID, NAME_PATTERN, SLUG_PATTERN } from '../domain/fields.ts';
import { text } from '../http/customer.ts';
import { dataOf, ID, LIST_PARAMETERS, listOf, resource, TIME } from '../http/schema.ts';

export const ADVOCATES_QUERY = { type: 'object', properties: LIST_PARAMETERS } as const satisfies JSONSchema;

const EMAIL = {
  type: 'string',
  pattern: EMAIL_PATTERN,
  description: 'Email of the advocate, normalized like that of a customer. Several advocates may have the same one.',
  examples: ['jane.doe@example.com'],
} as const;
const NAME = { minLength: 1, maxLength: MAX_NAME, pattern: NAME_PATTERN } as const;
const FIRST_NAME = { ...NAME, description: `At most ${MAX_NAME} characters.`, examples: ['Jane'] } as const;
const LAST_NAME = { ...NAME, description: `At most ${MAX_NAME} characters.`, examples: ['Doe'] } as const;
const UID = {
  ...text(MAX_UID),
  description: `The merchant's own id of the advocate, unique in the program: 1 to ${MAX_UID} characters, case-sensitive.`,
  examples: ['partner-42'],
} as const;
const COMPANY_ID = { ...text(MAX_UID), description: "The merchant's id of the advocate's organization." } as const;
const COMPANY = { ...NAME, description: "The name of the advocate's organization." } as const;
const RATE = {
  minimum: 0,
  maximum: 100,
  description:
    "The advocate's own rate in percent, for referrals created from now on. Without it, the program's applies.",
  examples: [25],
} as const;

export const NEW_ADVOCATE_BODY = {
  type: 'object',
  required: ['email'],
  properties: {
    email: EMAIL,
    first_name: { type: 'string', ...FIRST_NAME },
    last_name: { type: 'string', ...LAST_NAME },
    slug: {
      type: 'string',
      pattern: `^${SLUG_PATTERN}$`,
      description:
        'The name in links, stored in lower case. It can never change. By default it is derived from the names.',
      examples: ['jane-doe'],
    },
    uid: { type: 'string', ...UID },
    company_id: { type: 'string', ...COMPANY_ID },
    company: { type: 'string', ...COMPANY },
    commission_percentage: { type: 'number', ...RATE },
  },
} as const satisfies JSONSchema;
export type NewAdvocateBody = FromSchema<typeof NEW_ADVOCATE_BODY>;

const TEXT = { type: ['string', 'null'] } as const;

/** Fields that are absent stay as they are; `null` clears a field. */
export const ADVOCATE_CHANGES_BODY = {
  type: 'object',
  properties: {
    email: EMAIL,
    first_name: { ...TEXT, ...FIRST_NAME },
    last_name: { ...TEXT, ...LAST_NAME },
    uid: { ...TEXT, ...UID },
    company_id: { ...TEXT, ...COMPANY_ID },
    company: { ...TEXT, ...COMPANY },
    commission_percentage: { type: ['number', 'null'], ...RATE },
    active: {
      type: 'boolean',
      description: 'False deactivates the advocate: it gets no new referrals, and within 30 seconds no new clicks.',
    },
  },
} as const satisfies JSONSchema;
export type AdvocateChangesBody = FromSchema<typeof ADVOCATE_CHANGES_BODY>;

export const ADVOCATE_TOKEN_BODY = {
  type: 'object',
  properties: {
    expires_in: {
      type: 'integer',
      minimum: 60,
      maximum: 31_536_000,
      default: 3600,
      description: 'Seconds until the token expires: from 60 to 31,536,000 (a year), and 3,600 by default.',
    },
  },
} as const satisfies JSONSchema;

const NULLABLE = { type: ['string', 'null'] } as const;
const ATTRIBUTES = {
  id: ID,
  uid: { type: ['string', 'null'], description: "The merchant's own id of the advocate." },
  email: { type: 'string' },
  first_name: NULLABLE,
  last_name: NULLABLE,
  slug: { type: 'string', description: "The advocate's name in links." },
  referral_link: { type: 'string', examples: ['https://example.com/?via=jane-doe'] },
  company_id: {
    type: ['string', 'null'],
    description: "The advocate's organization. If it has neither id nor name, both are those of the program.",
  },
  company: NULLABLE,
  created_at: TIME,
} as const;

export const ADVOCATE = /* @__PURE__ */ resource('advocate', ATTRIBUTES) satisfies JSONSchema;
export type AdvocateResource = FromSchema<typeof ADVOCATE>;
export const ADVOCATE_LIST = /* @__PURE__ */ listOf(ADVOCATE);

export const ADVOCATE_V2 = /* @__PURE__ */ resource('advocate', {
  ...ATTRIBUTES,
  active: { type: 'boolean', description: 'False if the advocate is deactivated.' },
  commission_percentage: {
    type: ['number', 'null'],
    description: "The advocate's own rate in percent; `null` if the program's applies.",
  },
}) satisfies JSONSchema;
export type AdvocateV2Resource = FromSchema<typeof ADVOCATE_V2>;
export const ADVOCATE_V2_DATA = /* @__PURE__ */ dataOf(ADVOCATE_V2);
export const ADVOCATE_V2_LIST = /* @__PURE__ */ listOf(ADVOCATE_V2);

export const ADVOCATE_TOKEN = /* @__PURE__ */ resource('token', {
  token: {
    type: 'string',
    description: 'An affiliate token. It is shown only once.',
    examples: [`rta_${'0'.repeat(36)}`],
  },
  expires_at: TIME,
}) satisfies JSONSchema;
export type AdvocateTokenResource = FromSchema<typeof ADVOCATE_TOKEN>;
export const ADVOCATE_TOKEN_DATA = /* @__PURE__ */ dataOf(ADVOCATE_TOKEN);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  advocatesQuery: ADVOCATES_QUERY,
  newAdvocateBody: NEW_ADVOCATE_BODY,
  advocateChangesBody: ADVOCATE_CHANGES_BODY,
  advocateTokenBody: ADVOCATE_TOKEN_BODY,
};
