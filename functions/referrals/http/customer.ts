import { inputSchemas, parseInputs } from '../../kernel/fields/field-list.ts';
import { parseId, UUIDV7_PATTERN } from '../../kernel/ids.ts';
import type { CustomerReference } from '../rules/referral.ts';
import { REFERRAL_FIELDS } from '../rules/referral-fields.ts';

const { email, uid } = inputSchemas(REFERRAL_FIELDS);

/** The fields that identify the referral of a known customer. At least one of them is required. */
export const CUSTOMER_REFERENCE = {
  email,
  uid,
  id: { type: 'string', pattern: `^${UUIDV7_PATTERN}$`, description: 'The id of the referral.' },
} as const;

/** The alternatives of required fields in a body that identifies a known customer. */
export const NAMES_CUSTOMER = {
  anyOf: [{ required: ['email'] }, { required: ['uid'] }, { required: ['id'] }],
} as const;

/** Parses the reference to a known customer. The schema requires at least one of the fields. Throws `InvalidField`. */
export function parseReference(body: {
  readonly email?: string;
  readonly uid?: string;
  readonly id?: string;
}): CustomerReference {
  const { email = null, customerUid: uid = null } = parseInputs(REFERRAL_FIELDS, { email: body.email, uid: body.uid });
  return { email, uid, id: body.id === undefined ? null : parseId('id', body.id) };
}
