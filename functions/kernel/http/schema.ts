import { MAX_SUB_ID, SEGMENT_PATTERN, SLUG_PATTERN, SUB_ID_PATTERN } from '../fields/fields.ts';
import { ID, TIME } from '../fields/schemas.ts';
import { UUIDV7_PATTERN } from '../ids.ts';
import { MOMENT_PATTERN } from '../time.ts';

/** Schemas that several operations share. Validators, types and the OpenAPI document are derived from them. */

const TIMESTAMP =
  '`YYYY-MM-DD HH:MM:SS +ZZZZ` or RFC 3339, percent-encoded; a `+` that arrives as a space counts as `+`.';

export function timestampParameter(meaning: string) {
  return {
    type: 'string',
    pattern: MOMENT_PATTERN,
    description: `${meaning} ${TIMESTAMP}`,
    examples: ['2026-01-31 00:00:00 +0000', '2026-01-31T00:00:00Z'],
  } as const;
}

/** Parameters of every list. */
export const LIST_PARAMETERS = {
  created_at_lt: /* @__PURE__ */ timestampParameter('Created strictly before this moment.'),
  created_at_gt: /* @__PURE__ */ timestampParameter('Created strictly after this moment.'),
  page: {
    type: 'integer',
    minimum: 1,
    maximum: 999_999_999,
    default: 1,
    description:
      'Page number: an exact offset into the list as it is at the time of the request. A page that skips more than 100,000 rows returns 400: follow the `Link` header, which reads any depth at the same price.',
  },
  per_page: { type: 'integer', minimum: 1, maximum: 50, default: 25, description: 'Rows per page.' },
  cursor: {
    type: 'string',
    // base64url.
    pattern: '^[A-Za-z0-9_-]+$',
    description:
      'Replaces `page`: continues right after the last row of the page whose `Link` header contains it, without gaps or ' +
      'repetitions while rows are added. Valid only for the same list, filters and token owner. It does not expire.',
  },
} as const;

/**
 * An object that has exactly these properties.
 *
 * The schemas of responses are for documents and types only. At their definitions, the mark @__PURE__ lets esbuild leave
 * them out of the bundles.
 */
export function exact<const Properties extends object>(properties: Properties) {
  const isName = (name: string): name is keyof Properties & string => Object.hasOwn(properties, name);
  const required = Object.keys(properties).filter(isName);
  return { type: 'object', required, additionalProperties: false, properties } as const;
}

export const PAGINATION = /* @__PURE__ */ exact({
  page: { type: 'integer' },
  per_page: { type: 'integer' },
  has_more: { type: 'boolean', description: 'True if and only if more rows follow.' },
});

export const ERROR = /* @__PURE__ */ exact({
  error: { type: 'string', description: 'A sentence that says what is wrong. It never repeats a value.' },
});

/** Parameters in the paths of routes, by their names. */
export const PATH_PARAMETERS = {
  slug: {
    type: 'string',
    pattern: `^${SLUG_PATTERN}$`,
    description: "The advocate's slug, in upper or lower case. A malformed slug is unknown.",
  },
  program: {
    type: 'string',
    pattern: `^${UUIDV7_PATTERN}$`,
    description: 'The id of the program.',
  },
  run: {
    type: 'string',
    pattern: SEGMENT_PATTERN,
    description: 'The name of the payout run.',
  },
  code: {
    type: 'string',
    pattern: `^${SLUG_PATTERN}$`,
    description: 'The code, in upper or lower case.',
  },
  name: {
    type: 'string',
    pattern: `^${SLUG_PATTERN}$`,
    description: 'The name of the group, in upper or lower case.',
  },
  rules_id: {
    type: 'string',
    description: 'The id of the rules. A malformed id is unknown.',
  },
  id: {
    type: 'string',
    pattern: `^${UUIDV7_PATTERN}$`,
    description: 'The id of the token, the webhook or the member. A malformed id is unknown.',
  },
  application: {
    type: 'string',
    pattern: `^${UUIDV7_PATTERN}$`,
    description: 'The id of the application. A malformed id is unknown.',
  },
  pk: {
    type: 'string',
    description: 'The public key of the program. A malformed key is unknown.',
  },
  value: {
    type: 'string',
    description: 'The value in the link of an email. A malformed value is unknown.',
  },
} as const;

/** The affiliate of a request in V2. */
export const AFFILIATE_SLUG = {
  type: 'string',
  pattern: `^${SLUG_PATTERN}$`,
  description: "The advocate's slug, in upper or lower case.",
} as const;

/** Only referrals with this sub id. */
export const SUB_ID_FILTER = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_SUB_ID,
  pattern: SUB_ID_PATTERN,
  description: 'Only referrals with exactly this sub id.',
  examples: ['newsletter'],
} as const;

/** A resource, `{id, type, attributes}`. All attributes are required. */
export function resource<
  const Type extends string,
  const Attributes extends object,
  const Id extends object = typeof ID,
>(type: Type, attributes: Attributes, id?: Id) {
  return exact({ id: id ?? ID, type: { type: 'string', const: type }, attributes: exact(attributes) });
}

/** The body of a response with one resource. */
export function dataOf<Resource>(data: Resource) {
  return exact({ data });
}

/** The body of a response with a page of resources. */
export function listOf<Resource>(items: Resource) {
  return exact({ data: { type: 'array', items }, meta: exact({ pagination: PAGINATION }) });
}

/** When a token expires. */
export const EXPIRES_AT = {
  ...TIME,
  type: ['integer', 'null'],
  description: 'Unix seconds, UTC; `null` if the token never expires.',
} as const;
/** How a token came to be. */
export const SIGNED_IN = { type: 'boolean', description: 'True for a token from a sign-in.' } as const;
