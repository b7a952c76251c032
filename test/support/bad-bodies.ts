import type { OperationId } from '../../functions/routes.ts';
import { newId } from './program.ts';

/** Part of many invalid values. No response may contain it. */
export const SECRET = 'sekret';

/** Invalid only as an international domain name, which the pattern in the OpenAPI document cannot check. */
export const LONG_DOMAIN = `a@${'b'.repeat(250)}.example`;

const NOT_TEXT: unknown[] = [42, 0, true, false, [], [SECRET], {}, { email: SECRET }];
const EMAILS = [
  ...NOT_TEXT,
  SECRET,
  ' ',
  `${SECRET}@localhost`,
  `${SECRET}@shop.example\r\nBcc: x@y.example`,
  `${SECRET}\ud800@shop.example`,
  `${SECRET}\u0000@shop.example`,
  `${SECRET} x@shop.example`,
  `${'a'.repeat(65)}@shop.example`,
  LONG_DOMAIN,
];
const IDS = [
  ...NOT_TEXT,
  'x'.repeat(129),
  `${SECRET}\u0000`,
  `${SECRET}\n`,
  `${SECRET}\t`,
  `${SECRET}\u007f`,
  `${SECRET}\u0085`,
  `${SECRET}\ud800`,
  `\udc00${SECRET}`,
];
const SLUGS = [...NOT_TEXT, 'x'.repeat(65), `${SECRET} x`, `${SECRET}_x`, `${SECRET}\n`, 'é', `a.${newId()}`];
const GR_IDS = [
  ...NOT_TEXT,
  SECRET,
  '-',
  newId(),
  `${SECRET}.${newId().toUpperCase()}`,
  `${SECRET}.${newId()}\n`,
  ` ${SECRET}.${newId()}`,
  `${SECRET} x.${newId()}`,
  `.${newId()}`,
  `${'x'.repeat(65)}.${newId()}`,
  `${SECRET}.00000000-0000-4000-8000-000000000000`,
];
const STATES = [...NOT_TEXT, SECRET, 'clicked', 'new', 'Paid', 'PAID', 'paid ', 'paid\n', 'paid,churned'];
const PUBLIC_KEYS = [...NOT_TEXT, SECRET, 'x', 'pk_', 'pk_1', 'pk_019A2B3C4D5E7F608A1B2C3D4E5F6071', `pk_${newId()}`];

interface Ids {
  /** The program's public key. */
  readonly publicKey: string;
  /** The advocate's slug. */
  readonly slug: string;
}

/** A POST route, one of its valid bodies, and invalid variants of it. Each invalid body gets a 400. */
export interface BodyTarget {
  readonly name: string;
  readonly operation: OperationId;
  /** How the caller identifies itself: a page sends its origin, and its body holds the public key. */
  readonly caller: 'token' | 'page' | 'anyone';
  readonly validBody: (ids: Ids) => Readonly<Record<string, unknown>>;
  /** The invalid values of each field. The error begins with the field and "must". */
  readonly invalid: Readonly<Record<string, readonly unknown[]>>;
  /** The error if these fields, separated by spaces, are missing, null or empty. */
  readonly required: Readonly<Record<string, string>>;
}

const email = () => `${newId()}@shop.example`;
const grId = (slug: string) => `${slug}.${newId()}`;
const NO_CUSTOMER = 'email or uid is required';
const NO_AFFILIATE = 'affiliate_slug or gr_id is required';
const NO_AFFILIATE_V1 = 'gr_id, or both pk and uid, are required';
const CONVERSION_V2 = { email: EMAILS, uid: IDS, sub_id: IDS, affiliate_slug: SLUGS, gr_id: GR_IDS };

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
      sub_id: 'news',
    }),
    invalid: CONVERSION_V2,
    required: { 'email uid': NO_CUSTOMER, 'affiliate_slug gr_id': NO_AFFILIATE },
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
      sub_id: 'news',
    }),
    invalid: CONVERSION_V2,
    required: { 'email uid': NO_CUSTOMER, gr_id: NO_AFFILIATE },
  },
  {
    name: 'a state',
    operation: 'setState',
    caller: 'token',
    validBody: () => ({ email: email(), uid: newId(), state: 'paid' }),
    invalid: { email: EMAILS, uid: IDS, state: STATES },
    required: { 'email uid': NO_CUSTOMER, state: 'state is required' },
  },
  {
    name: 'a click',
    operation: 'trackClick',
    caller: 'anyone',
    validBody: ({ publicKey, slug }) => ({ pk: publicKey, gr_id: grId(slug), sub_id: 'news' }),
    invalid: { pk: PUBLIC_KEYS, gr_id: GR_IDS, sub_id: IDS },
    required: { pk: 'pk is required', gr_id: 'gr_id is required' },
  },
];

/** Bodies that are invalid for one reason, and the error that each of them gets. */
export interface InvalidBodies {
  readonly reason: string;
  /** Builds the bodies from a valid body of the target. */
  readonly bodies: (valid: object) => unknown[];
  readonly error: RegExp;
}

export function invalidBodies({ caller, invalid, required }: BodyTarget): InvalidBodies[] {
  return [
    ...Object.entries(invalid).map(([field, values]) => ({
      reason: `an invalid ${field}`,
      bodies: (valid: object) => values.map((value) => ({ ...valid, [field]: value })),
      error: new RegExp(`^${field} must `),
    })),
    ...Object.entries(required).map(([fields, error]) => ({
      reason: `no ${fields.replaceAll(' ', ' and no ')}`,
      bodies: (valid: object) =>
        [undefined, null, ''].map((absent) => ({
          ...valid,
          ...Object.fromEntries(fields.split(' ').map((field) => [field, absent])),
        })),
      error: new RegExp(`^${error}$`),
    })),
    // A page whose body is not an object sends no public key: it gets a 401 instead.
    ...(caller === 'page'
      ? []
      : [{ reason: 'a body that is not an object', bodies: () => [null, [], 1, 'x'], error: /^The body must be / }]),
  ];
}
