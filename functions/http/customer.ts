import { EMAIL_PATTERN, MAX_SUB_ID, MAX_UID, parseEmail, parseText, TEXT_PATTERN } from '../domain/fields.ts';
import { parseId, UUIDV7_PATTERN } from '../domain/ids.ts';
import type { Customer, CustomerReference } from '../domain/referral/referral.ts';

/** The keywords of a string that `parseText` accepts. */
export const text = <const Max extends number>(maxLength: Max) =>
  ({ minLength: 1, maxLength, pattern: TEXT_PATTERN }) as const;

export const EMAIL = {
  type: 'string',
  pattern: EMAIL_PATTERN,
  description:
    'Email of the customer: at most 254 characters after normalization (white space at both ends removed, lower case, domain in ASCII).',
  examples: ['visitor@example.com'],
} as const;

/** The fields of a new customer. */
export const CUSTOMER = {
  email: EMAIL,
  uid: {
    type: 'string',
    ...text(MAX_UID),
    description: `The merchant's own id of the customer: 1 to ${MAX_UID} characters without control characters, case-sensitive.`,
    examples: ['customer-4711'],
  },
} as const;

/** The fields that name the referral of a known customer. At least one of them is required. */
export const CUSTOMER_REFERENCE = {
  ...CUSTOMER,
  id: { type: 'string', pattern: `^${UUIDV7_PATTERN}$`, description: 'The id of the referral.' },
} as const;

export const SUB_ID = {
  type: 'string',
  ...text(MAX_SUB_ID),
  description: `The advocate's own name for a link or a campaign: 1 to ${MAX_SUB_ID} characters without control characters, compared exactly.`,
  examples: ['newsletter'],
} as const;

/** The alternatives of required fields in a body that names a known customer. */
export const NAMES_CUSTOMER = {
  anyOf: [{ required: ['email'] }, { required: ['uid'] }, { required: ['id'] }],
} as const;

/** Parses the customer of a V2 body. The schema requires at least one of the fields. Throws `InvalidField`. */
export function customerOf({ email, uid }: { readonly email?: string; readonly uid?: string }): Customer {
  return {
    email: email === undefined ? null : parseEmail('email', email),
    uid: uid === undefined ? null : parseText('uid', uid, MAX_UID),
  };
}

/** Parses the reference to a known customer. The schema requires at least one of the fields. Throws `InvalidField`. */
export function referenceOf(body: {
  readonly email?: string;
  readonly uid?: string;
  readonly id?: string;
}): CustomerReference {
  return { ...customerOf(body), id: body.id === undefined ? null : parseId('id', body.id) };
}
