import { emptyValues, fromText, type KeysWith, type Values } from '../../kernel/fields/field-list.ts';
import {
  EMAIL_PATTERN,
  MAX_SUB_ID,
  MAX_UID,
  parseEmail,
  parseSubId,
  parseText,
  SUB_ID_PATTERN,
} from '../../kernel/fields/fields.ts';
import { METADATA, METADATA_INPUT, NO_METADATA, parseMetadata, storedMetadata } from '../../kernel/fields/metadata.ts';
import { list, number, oneOf, type Parser, text, wholeSeconds } from '../../kernel/fields/parsers.ts';
import { NULLABLE_TEXT, TIME, textUpTo } from '../../kernel/fields/schemas.ts';
import { FLAGS, type Flag } from './self-referral.ts';
import { STATES } from './state.ts';

const flags: Parser<readonly Flag[]> = (value) => list(value)?.flatMap((element) => oneOf(FLAGS)(element) ?? []);
const NO_FLAGS: readonly Flag[] = [];
const OPTIONAL_TEXT = { parse: text, empty: null } as const;
const OPTIONAL_TIME = { parse: wholeSeconds, empty: null } as const;

/** By what a conversion is credited to an advocate. */
export const CREDITED_BY = ['link', 'code', 'slug', 'uid', 'import'] as const;
export type CreditedBy = (typeof CREDITED_BY)[number];

const MERCHANT = ['merchant', 'details'] as const;
const LISTS = ['affiliate', 'own', ...MERCHANT] as const;
const EVERYWHERE = ['v1', 'v2', ...LISTS] as const;

/**
 * Everything that the service knows of each field of a referral. Item, indexes, requests, resources, files and erasure
 * follow from this list, in its order. The forms are: the response to a conversion in V1 and in V2, the lists of the
 * affiliate (V1, and `own` of V2) and of the merchant, the details that a lookup returns, the data of events as of their
 * delivery, and the columns of files.
 */
export const REFERRAL_FIELDS = {
  /** UUIDv7. A click that converts keeps its id. */
  id: { attribute: 'id', stored: { parse: text }, listed: 'key' },
  advocateSlug: {
    attribute: 'affiliate_slug',
    stored: { parse: text },
    schema: { type: 'string', description: 'The slug of the advocate who referred the customer.' },
    forms: MERCHANT,
  },
  email: {
    attribute: 'email',
    stored: OPTIONAL_TEXT,
    listed: 'projected',
    schema: { ...NULLABLE_TEXT, description: '`null` for a click, or if it is unknown or was erased.' },
    forms: [...EVERYWHERE, 'file'],
    input: {
      schema: {
        type: 'string',
        pattern: EMAIL_PATTERN,
        description:
          'Email of the customer: at most 254 characters after normalization (white space at both ends removed, lower case, domain in ASCII).',
        examples: ['visitor@example.com'],
      },
      parse: fromText(parseEmail),
    },
    personal: true,
  },
  /** The merchant's own id of the customer. */
  customerUid: {
    attribute: 'uid',
    stored: OPTIONAL_TEXT,
    listed: 'projected',
    schema: {
      ...NULLABLE_TEXT,
      description: "The merchant's own id of the customer; `null` if it is unknown or was erased.",
    },
    forms: ['v2', ...MERCHANT, 'event', 'file'],
    input: {
      schema: {
        ...textUpTo(MAX_UID),
        description: `The merchant's own id of the customer: 1 to ${MAX_UID} characters without control characters, case-sensitive.`,
        examples: ['customer-4711'],
      },
      parse: fromText((name, uid) => parseText(name, uid, MAX_UID)),
    },
    personal: true,
  },
  state: {
    attribute: 'state',
    stored: { parse: oneOf(STATES) },
    listed: 'key',
    schema: { type: 'string', enum: STATES },
    forms: [...EVERYWHERE, 'file'],
  },
  subId: {
    attribute: 'sub_id',
    stored: OPTIONAL_TEXT,
    listed: 'projected',
    schema: NULLABLE_TEXT,
    forms: [...LISTS, 'file'],
    input: {
      schema: {
        ...textUpTo(MAX_SUB_ID),
        pattern: SUB_ID_PATTERN,
        description: `The advocate's own name for a link or a campaign: 1 to ${MAX_SUB_ID} characters without control characters, compared exactly.`,
        examples: ['newsletter'],
      },
      parse: fromText(parseSubId),
    },
  },
  createdAt: {
    attribute: 'created_at',
    stored: { parse: wholeSeconds },
    listed: 'key',
    schema: TIME,
    forms: [...EVERYWHERE, 'file'],
  },
  stateSetAt: {
    attribute: 'state_set_at',
    stored: { parse: wholeSeconds },
    listed: 'projected',
    schema: TIME,
    forms: [...EVERYWHERE, 'file'],
  },
  updatedAt: {
    attribute: 'updated_at',
    stored: { parse: wholeSeconds },
    listed: 'projected',
    schema: TIME,
    forms: [...EVERYWHERE, 'file'],
  },
  convertedAt: {
    attribute: 'converted_at',
    stored: OPTIONAL_TIME,
    listed: 'projected',
    schema: { type: ['integer', 'null'], description: 'When the customer signed up, in Unix seconds.' },
    forms: ['own', ...MERCHANT, 'file'],
  },
  /** Percent, fixed when the referral was created. */
  commissionPercentage: {
    attribute: 'rate',
    stored: { parse: number, empty: null },
    listed: 'projected',
    name: 'commission_percentage',
    schema: { type: ['number', 'null'], description: '`null` if no rate is set.' },
    forms: [...LISTS, 'file'],
  },
  /** The id of the rules that decide its commissions instead of a rate, fixed when the referral was created. */
  commissionRulesId: {
    attribute: 'rules',
    stored: OPTIONAL_TEXT,
    listed: 'projected',
    name: 'commission_rules_id',
    schema: { ...NULLABLE_TEXT, description: 'The id of the rules that decide its commissions instead of a rate.' },
    forms: ['own', ...MERCHANT, 'file'],
  },
  commissionEndDate: {
    attribute: 'rate_ends',
    stored: OPTIONAL_TIME,
    listed: 'projected',
    name: 'commission_end_date',
    schema: {
      type: ['integer', 'null'],
      examples: [1_798_761_600],
      description: 'Unix seconds, UTC; `null` before the conversion, or if the commission never ends.',
    },
    forms: [...LISTS, 'file'],
  },
  /** For the merchant only. Empty before a conversion, and after the person was erased. */
  flags: {
    attribute: 'flags',
    stored: { parse: flags, empty: NO_FLAGS },
    listed: 'projected',
    schema: {
      type: 'array',
      items: { type: 'string', enum: FLAGS },
      description:
        '`self_referral`: the customer is the advocate who referred it, by email or `uid`. Affiliates do not see flags, and flags change no state.',
    },
    forms: [...MERCHANT, 'event', 'file'],
    personal: true,
  },
  /** Fields of the merchant's own. */
  metadata: {
    attribute: 'metadata',
    stored: { parse: storedMetadata, empty: NO_METADATA },
    schema: METADATA,
    forms: ['v2', 'details', 'event', 'file'],
    input: { schema: METADATA_INPUT, parse: parseMetadata, isServerOnly: true },
    personal: true,
  },
  /** By what its conversion was credited; `null` before a conversion. */
  creditedBy: {
    attribute: 'credited_by',
    stored: { parse: oneOf(CREDITED_BY), empty: null },
    schema: {
      type: ['string', 'null'],
      enum: [...CREDITED_BY, null],
      description:
        'By what the conversion was credited: the link, a promotion code, the slug or `uid` of the advocate.',
    },
    forms: ['details'],
  },
  code: {
    attribute: 'code',
    stored: OPTIONAL_TEXT,
    listed: 'projected',
    schema: { ...NULLABLE_TEXT, description: 'The promotion code that credited the conversion.' },
    forms: ['own', 'details'],
  },
  /**
   * When it became `paid` for the first time, which its history may have dropped; `null` if it never did. The second 0 is
   * an unknown time before an import.
   */
  paidAt: { attribute: 'paid_at', stored: OPTIONAL_TIME },
  /** The months of the terms of a click, for its conversion after the terms became rules; `null` after a conversion. */
  commissionMonths: { attribute: 'months', stored: { parse: number, empty: null } },
  /** When the table deletes an unconverted click; `null` if it never does. */
  expiresAt: { attribute: 'expires_at', stored: OPTIONAL_TIME },
  /** Name of the idempotency record of the conversion, which is deleted when the person is erased. */
  idempotencyRecord: { attribute: 'idempotency_record', stored: OPTIONAL_TEXT, personal: true },
  /** Number of writes, for optimistic locking: a write fails if there was another one since the read. */
  version: { attribute: 'version', stored: { parse: number } },
} as const;

export type ReferralFields = Values<typeof REFERRAL_FIELDS>;

/** What a conversion reports of the customer. It becomes part of the referral. */
export type ReportedFields = Pick<ReferralFields, KeysWith<typeof REFERRAL_FIELDS, { input: object }>>;

/** The fields of a referral that nobody has set yet. */
export const NO_VALUES = emptyValues(REFERRAL_FIELDS);
/** A conversion that reports nothing. */
export const NOTHING_REPORTED = emptyValues(REFERRAL_FIELDS, 'input');
/** What an erasure leaves of the fields about the person. */
export const ERASED = emptyValues(REFERRAL_FIELDS, 'personal');
