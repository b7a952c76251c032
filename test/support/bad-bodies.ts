import type { OperationId } from '../../functions/routes.ts';
import {
  ADVOCATE,
  CHANGES,
  CONVERSION_V2,
  EMAILS,
  FLAGS,
  GR_IDS,
  IDS,
  LIFETIMES,
  MONTHS,
  NAMES,
  NOT_TEXT,
  PUBLIC_KEYS,
  RATES,
  REFERENCE,
  RULES,
  SECRET,
  SLUGS,
  STATES,
  SUB_IDS,
} from './bad-values.ts';
import { newId } from './program.ts';

interface Ids {
  /** The program's public key. */
  readonly publicKey: string;
  /** The advocate's slug. */
  readonly slug: string;
}

/** A route with a body, one of its valid bodies, and invalid variants of it. Each invalid body returns 400. */
export interface BodyTarget {
  readonly name: string;
  readonly operation: OperationId;
  /** How the caller identifies itself: a page sends its origin, and its body holds the public key. */
  readonly caller: 'token' | 'page' | 'anyone';
  readonly validBody: (ids: Ids) => Readonly<Record<string, unknown>>;
  /** The invalid values of each field. The error starts with the field and "must". */
  readonly invalid: Readonly<Record<string, readonly unknown[]>>;
  /** The error if these fields, separated by spaces, are missing, null or empty. */
  readonly required: Readonly<Record<string, string>>;
  /** True if a random text can be a valid body: its response is then 200. */
  readonly findsAnyText?: true;
}

const STRIPE_IDS = [...NOT_TEXT, 'é', 'a'.repeat(256)];
const email = () => `${newId()}@shop.example`;
const grId = (slug: string) => `${slug}.${newId()}`;
const NO_CUSTOMER = 'email or uid is required';
const NO_REFERENCE = 'email, uid or id is required';
const NO_AFFILIATE = 'affiliate_slug, gr_id or code is required';
const NO_AFFILIATE_V1 = 'gr_id, or both pk and uid, are required';
const aReference = () => ({ email: email(), uid: newId(), id: newId() });

export const BODY_TARGETS: BodyTarget[] = [
  {
    name: 'a V1 conversion with gr_id',
    operation: 'trackConversionV1',
    caller: 'token',
    validBody: ({ slug }) => ({ email: email(), gr_id: grId(slug) }),
    invalid: { email: EMAILS, gr_id: GR_IDS },
    required: { email: 'email is required', gr_id: NO_AFFILIATE_V1, 'email gr_id': NO_AFFILIATE_V1 },
  },
  {
    name: 'a V1 conversion with pk and uid',
    operation: 'trackConversionV1',
    caller: 'token',
    validBody: ({ publicKey }) => ({ email: email(), pk: publicKey, uid: 'partner-1' }),
    // A string that is not a public key gets the error of an unknown affiliate instead.
    invalid: { email: EMAILS, gr_id: GR_IDS, pk: NOT_TEXT, uid: IDS },
    required: { pk: NO_AFFILIATE_V1, uid: NO_AFFILIATE_V1, 'pk uid': NO_AFFILIATE_V1 },
  },
  {
    name: 'a conversion',
    operation: 'trackConversionV2',
    caller: 'token',
    validBody: ({ slug }) => ({
      email: email(),
      uid: newId(),
      affiliate_slug: slug,
      gr_id: grId(slug),
      code: 'JANE20',
      sub_id: 'news',
    }),
    invalid: CONVERSION_V2,
    required: { 'email uid': NO_CUSTOMER, 'affiliate_slug gr_id code': NO_AFFILIATE },
  },
  {
    name: 'a conversion from a page',
    operation: 'trackConversionV2',
    caller: 'page',
    validBody: ({ publicKey, slug }) => ({
      pk: publicKey,
      email: email(),
      uid: newId(),
      gr_id: grId(slug),
      code: 'JANE20',
      sub_id: 'news',
    }),
    invalid: CONVERSION_V2,
    required: { 'email uid': NO_CUSTOMER, 'gr_id code': NO_AFFILIATE },
  },
  {
    name: 'a state',
    operation: 'setState',
    caller: 'token',
    validBody: () => ({ ...aReference(), state: 'paid' }),
    invalid: { ...REFERENCE, state: STATES },
    required: { 'email uid id': NO_REFERENCE, state: 'state is required' },
  },
  {
    name: 'a lookup',
    operation: 'lookUpReferral',
    caller: 'token',
    validBody: aReference,
    invalid: REFERENCE,
    required: { 'email uid id': NO_REFERENCE },
  },
  {
    name: 'a search',
    operation: 'searchReferrals',
    caller: 'token',
    validBody: ({ slug }) => ({ text: slug }),
    invalid: { text: ['a'.repeat(255), '\u0000', ...NOT_TEXT], cursor: [1] },
    required: { text: 'text is required' },
    findsAnyText: true,
  },
  {
    name: 'a message of an assistant',
    operation: 'callMcp',
    caller: 'token',
    validBody: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: {} } }),
    invalid: {
      jsonrpc: ['1.0', SECRET, ...NOT_TEXT],
      id: [1.5, true, {}, []],
      method: NOT_TEXT,
      params: [1, true, SECRET, []],
    },
    required: { jsonrpc: 'jsonrpc is required', method: 'method is required' },
  },
  ...Object.entries({ ...REFERENCE, gr_id: GR_IDS, code: SLUGS, payment_id: STRIPE_IDS }).map(
    ([by, values]): BodyTarget => ({
      name: `a question by ${by}`,
      operation: 'explainCustomer',
      caller: 'token',
      validBody: ({ slug }) => {
        const others = { gr_id: grId(slug), code: 'JANE20', payment_id: 'in_1' };
        const all: Readonly<Record<string, string>> = { ...aReference(), ...others };
        return { [by]: all[by], affiliate_slug: slug };
      },
      invalid: { [by]: values, affiliate_slug: SLUGS },
      required: { [by]: 'email, uid, id, gr_id, code or payment_id is required' },
      findsAnyText: true,
    }),
  ),
  {
    name: 'an erasure',
    operation: 'eraseCustomer',
    caller: 'token',
    validBody: aReference,
    invalid: REFERENCE,
    required: { 'email uid id': NO_REFERENCE },
  },
  {
    name: 'a move',
    operation: 'reassignReferral',
    caller: 'token',
    validBody: ({ slug }) => ({ ...aReference(), affiliate_slug: slug }),
    invalid: { ...REFERENCE, affiliate_slug: SLUGS },
    required: { 'email uid id': NO_REFERENCE, affiliate_slug: 'affiliate_slug is required' },
  },
  {
    name: 'a new advocate',
    operation: 'createAdvocate',
    caller: 'token',
    validBody: () => ({ email: email(), first_name: 'Sam', uid: newId(), slug: newId(), commission_percentage: 12.5 }),
    invalid: { email: EMAILS, ...ADVOCATE, slug: SLUGS, commission_percentage: RATES, group: SLUGS },
    required: { email: 'email is required' },
  },
  {
    name: 'a change of an advocate',
    operation: 'updateAdvocate',
    caller: 'token',
    validBody: () => ({ email: email(), first_name: null, uid: newId(), commission_percentage: null, active: false }),
    invalid: {
      email: [...EMAILS, null, ''],
      ...CHANGES,
      commission_percentage: [...RATES, ''],
      group: [...SLUGS, ''],
      active: [...FLAGS, null, ''],
    },
    required: {},
  },
  {
    name: 'a token',
    operation: 'createAdvocateToken',
    caller: 'token',
    validBody: () => ({ expires_in: 60 }),
    invalid: { expires_in: LIFETIMES },
    required: {},
  },
  {
    name: 'a group',
    operation: 'putGroup',
    caller: 'token',
    validBody: () => ({ title: 'Partners', commission_percentage: 12.5, commission_months: 12 }),
    invalid: { title: NAMES, commission_percentage: RATES, commission_months: MONTHS, commission_rules: RULES },
    required: {},
  },
  {
    name: 'a code',
    operation: 'putCode',
    caller: 'token',
    validBody: ({ slug }) => ({ affiliate_slug: slug, active: true, promotion_code_id: 'promo_1' }),
    invalid: { affiliate_slug: SLUGS, active: FLAGS, promotion_code_id: [...STRIPE_IDS, ' ', `${SECRET} x`] },
    required: { affiliate_slug: 'affiliate_slug is required' },
  },
  {
    name: 'a click',
    operation: 'trackClick',
    caller: 'anyone',
    validBody: ({ publicKey, slug }) => ({ pk: publicKey, gr_id: grId(slug), sub_id: 'news' }),
    invalid: { pk: PUBLIC_KEYS, gr_id: GR_IDS, sub_id: SUB_IDS },
    required: { pk: 'pk is required', gr_id: 'gr_id is required' },
  },
];

/** Bodies that are invalid for one reason, and the error that each of them gets. */
interface InvalidBodies {
  /** Builds the bodies from a valid body of the target. */
  readonly bodies: (valid: object) => unknown[];
  readonly error: RegExp;
}

export function invalidBodies({ caller, invalid, required }: BodyTarget): InvalidBodies[] {
  return [
    ...Object.entries(invalid).map(([field, values]) => ({
      bodies: (valid: object) => values.map((value) => ({ ...valid, [field]: value })),
      error: new RegExp(`^${field} must `),
    })),
    ...Object.entries(required).map(([fields, error]) => ({
      bodies: (valid: object) =>
        [undefined, null, ''].map((absent) => ({
          ...valid,
          ...Object.fromEntries(fields.split(' ').map((field) => [field, absent])),
        })),
      error: new RegExp(`^${error}$`),
    })),
    // A page whose body is not an object sends no public key and returns 401 instead.
    ...(caller === 'page' ? [] : [{ bodies: () => [null, [], 1, true, 'x'], error: /^The body must be / }]),
  ];
}
