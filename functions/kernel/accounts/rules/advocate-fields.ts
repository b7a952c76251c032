import { choiceOf, type FieldList, fromText } from '../../fields/field-list.ts';
import { EMAIL_PATTERN, MAX_NAME, MAX_UID, parseEmail, parseSlug, SLUG_PATTERN } from '../../fields/fields.ts';
import { METADATA, METADATA_INPUT, NO_METADATA, parseMetadata, storedMetadata } from '../../fields/metadata.ts';
import { parsePercentage } from '../../fields/numbers.ts';
import { boolean, number, oneOf, text, wholeSeconds } from '../../fields/parsers.ts';
import { ID, NULLABLE_TEXT, TIME, textInput } from '../../fields/schemas.ts';
import { EMAIL_CHOICES, NOTHING_OFF, storedChoices } from './email-choices.ts';
import { parseGroupName } from './group.ts';
import { MAX_PAYOUT_ACCOUNT, PAYOUT_METHODS, type PayoutMethod, storedAccount } from './payout-account.ts';

const V2 = ['v2', 'details'] as const;
const BOTH = ['v1', ...V2] as const;

const NEEDS_SCOPE = '`null` also for a token without the scope `payouts`.';

/** An id in the merchant's records. */
const idInput = <const Keywords extends object>(keywords: Keywords) => textInput(MAX_UID, keywords);

/** The name of a person or a company. */
const nameInput = <const Keywords extends object>(keywords: Keywords) => textInput(MAX_NAME, keywords);

/**
 * Everything that the service knows of each field of an advocate. Item, indexes, requests, resources and files follow
 * from this list, in its order. The forms are the resources of V1, of V2's list and of V2, what needs the scope `payouts`,
 * the columns of files, and what the advocate sees. `target` marks the fields that clicks and conversions need, which the claim of a uid contains.
 */
export const ADVOCATE_FIELDS = {
  /** UUIDv7. */
  id: { attribute: 'id', stored: { parse: text }, listed: 'key', schema: ID, forms: [...BOTH, 'file'] },
  email: {
    attribute: 'email',
    stored: { parse: text, empty: null },
    listed: 'projected',
    schema: { ...NULLABLE_TEXT, description: '`null` if the advocate was erased.' },
    forms: [...BOTH, 'file', 'target'],
    personal: true,
    input: {
      schema: {
        type: 'string',
        pattern: EMAIL_PATTERN,
        description: "Email of the advocate, normalized like a customer's. Several advocates may have the same email.",
        examples: ['jane.doe@example.com'],
      },
      parse: fromText(parseEmail),
      rejectsNull: true,
    },
  },
  firstName: {
    personal: true,
    attribute: 'first_name',
    stored: { parse: text, empty: null },
    listed: 'projected',
    schema: NULLABLE_TEXT,
    forms: [...BOTH, 'file', 'affiliate'],
    input: nameInput({ description: `At most ${MAX_NAME} characters.`, examples: ['Jane'] }),
  },
  lastName: {
    personal: true,
    attribute: 'last_name',
    stored: { parse: text, empty: null },
    listed: 'projected',
    schema: NULLABLE_TEXT,
    forms: [...BOTH, 'file', 'affiliate'],
    input: nameInput({ description: `At most ${MAX_NAME} characters.`, examples: ['Doe'] }),
  },
  /** Links contain it. It never changes. */
  slug: {
    attribute: 'slug',
    stored: { parse: text },
    listed: 'projected',
    schema: { type: 'string', description: "The advocate's name in links." },
    forms: [...BOTH, 'file', 'target', 'affiliate'],
    input: {
      schema: {
        type: 'string',
        pattern: `^${SLUG_PATTERN}$`,
        description:
          'The name in links, stored in lower case. It can never change. By default it is derived from the names.',
        examples: ['jane-doe'],
      },
      parse: fromText(parseSlug),
      isFixed: true,
    },
  },
  /** The merchant's own id of the advocate, unique in the program. */
  uid: {
    personal: true,
    attribute: 'uid',
    stored: { parse: text, empty: null },
    listed: 'projected',
    schema: { ...NULLABLE_TEXT, description: "The merchant's own id of the advocate." },
    forms: [...BOTH, 'file', 'target'],
    input: idInput({
      description: `The merchant's own id of the advocate, unique in the program: 1 to ${MAX_UID} characters, case-sensitive.`,
      examples: ['partner-42'],
    }),
  },
  /** The advocate's organization in the merchant's records. */
  companyId: {
    personal: true,
    attribute: 'company_id',
    stored: { parse: text, empty: null },
    listed: 'projected',
    schema: {
      ...NULLABLE_TEXT,
      description: "The advocate's organization. If id and name are both missing, they are the program's.",
    },
    forms: [...BOTH, 'file'],
    input: idInput({ description: "The merchant's id of the advocate's organization." }),
  },
  company: {
    personal: true,
    attribute: 'company',
    stored: { parse: text, empty: null },
    listed: 'projected',
    schema: NULLABLE_TEXT,
    forms: [...BOTH, 'file'],
    input: nameInput({ description: "The name of the advocate's organization." }),
  },
  /** The advocate's own rate in percent; `null` if the terms of its group or program apply. */
  commissionPercentage: {
    attribute: 'rate',
    stored: { parse: number, empty: null },
    listed: 'projected',
    name: 'commission_percentage',
    schema: {
      type: ['number', 'null'],
      description: "The advocate's own rate in percent; `null` if the terms of its group or program apply.",
    },
    forms: [...V2, 'file', 'target'],
    input: {
      schema: {
        type: 'number',
        minimum: 0,
        maximum: 100,
        description:
          "The advocate's own rate in percent, for referrals created from now on. Without it, the terms of its group or program apply.",
        examples: [25],
      },
      parse: parsePercentage,
    },
  },
  /** The name of the group whose terms apply unless the advocate has a rate; `null` without a group. */
  group: {
    attribute: 'group',
    stored: { parse: text, empty: null },
    listed: 'projected',
    schema: {
      ...NULLABLE_TEXT,
      description: 'The name of the group whose terms apply unless the advocate has a rate.',
    },
    forms: [...V2, 'file', 'target'],
    input: {
      schema: {
        type: 'string',
        pattern: `^${SLUG_PATTERN}$`,
        description:
          'The name of a group, whose terms apply to referrals from now on unless the advocate has a rate. Requires the scope `admin`.',
        examples: ['partners'],
      },
      parse: parseGroupName,
    },
  },
  createdAt: {
    attribute: 'created_at',
    stored: { parse: wholeSeconds },
    listed: 'key',
    schema: TIME,
    forms: [...BOTH, 'file'],
  },
  /** False if the advocate is deactivated: it gets no new clicks and no new referrals. */
  active: {
    attribute: 'active',
    stored: { parse: boolean },
    listed: 'projected',
    schema: { type: 'boolean', description: 'False if the advocate is deactivated.' },
    forms: [...V2, 'file', 'target', 'affiliate'],
  },
  /** Fields of the merchant's own. */
  metadata: {
    personal: true,
    attribute: 'metadata',
    stored: { parse: storedMetadata, empty: NO_METADATA },
    schema: METADATA,
    forms: ['details', 'file'],
    input: { schema: METADATA_INPUT, parse: parseMetadata },
  },
  /** How the advocate is paid. It is set together with the account, which `withPayoutAccount` checks. */
  payoutMethod: {
    personal: true,
    attribute: 'payout_method',
    stored: { parse: oneOf<PayoutMethod>(PAYOUT_METHODS), empty: null },
    schema: { type: ['string', 'null'], enum: [...PAYOUT_METHODS, null], description: NEEDS_SCOPE },
    forms: ['details', 'payouts', 'file'],
    input: {
      schema: {
        type: 'string',
        enum: PAYOUT_METHODS,
        description: 'How the advocate is paid. Requires the scope `payouts`; both fields are set together.',
      },
      parse: choiceOf<PayoutMethod>(PAYOUT_METHODS),
    },
  },
  payoutAccount: {
    personal: true,
    attribute: 'payout_account',
    stored: { parse: text, empty: null },
    schema: { ...NULLABLE_TEXT, description: NEEDS_SCOPE },
    forms: ['details', 'payouts', 'file'],
    input: textInput(MAX_PAYOUT_ACCOUNT, {
      description: 'An email for `paypal`, an IBAN for `bank`, at most 200 characters for `other`. Likewise.',
      examples: ['DE02 1203 0000 0000 2020 51'],
    }),
  },
  /** Until when nobody pays to the account: the advocate changed it, or got another address. It may have passed. */
  payoutPendingUntil: {
    personal: true,
    attribute: 'payout_pending_until',
    stored: { parse: wholeSeconds, empty: null },
    schema: {
      type: ['integer', 'null'],
      description: 'Until when payout runs and files leave the advocate out, because it changed its account.',
    },
    forms: ['details', 'payouts'],
  },
  /** The account before the advocate's own change, to which its undoing returns; `null` without such a change. */
  payoutBefore: { personal: true, attribute: 'payout_before', stored: { parse: storedAccount, empty: null } },
  /** The emails that the advocate does not want. */
  emailsOff: {
    personal: true,
    attribute: 'emails_off',
    stored: { parse: storedChoices, empty: NOTHING_OFF },
    schema: {
      type: 'array',
      items: { type: 'string', enum: EMAIL_CHOICES },
      description: 'The emails that the advocate switched off.',
    },
    forms: ['affiliate'],
  },
  /** The secret in the links that switch emails off; `null` until the first email. */
  unsubscribe: { personal: true, attribute: 'unsubscribe', stored: { parse: text, empty: null } },
  /** When the advocate first signed in with an email. */
  signedInAt: { personal: true, attribute: 'signed_in_at', stored: { parse: wholeSeconds, empty: null } },
  /** The application that an approval made an advocate of; `null` without one. */
  application: { personal: true, attribute: 'application', stored: { parse: text, empty: null } },
  /** The version of the terms that the advocate accepted in its application, and when. */
  termsVersion: {
    personal: true,
    attribute: 'terms_version',
    stored: { parse: text, empty: null },
    schema: {
      ...NULLABLE_TEXT,
      description: 'The version of the terms that the advocate accepted in its application.',
    },
    forms: ['details'],
  },
  acceptedAt: {
    personal: true,
    attribute: 'accepted_at',
    stored: { parse: wholeSeconds, empty: null },
    schema: { type: ['integer', 'null'], description: 'When the advocate accepted the terms.' },
    forms: ['details'],
  },
  /** When the merchant last sent how to sign in. */
  invitedAt: { attribute: 'invited_at', stored: { parse: wholeSeconds, empty: null } },
  /** How often the email was changed, which ends sign-ins and links. */
  emailVersion: { attribute: 'email_version', stored: { parse: number, empty: 0 } },
  /** How often method or account were changed, which an erasure keeps. */
  payoutVersion: { attribute: 'payout_version', stored: { parse: number, empty: 0 } },
  /** `null` unless the person was erased. */
  erasedAt: { attribute: 'erased_at', stored: { parse: wholeSeconds, empty: null }, forms: ['file'] },
  /**
   * When all tokens of the advocate were last revoked, and each time later than before; `null`: never. A token is valid
   * only while this is what it was at the token's creation.
   */
  tokensRevokedAt: { attribute: 'tokens_revoked_at', stored: { parse: wholeSeconds, empty: null } },
  /** Number of writes, for optimistic locking: a write fails if there was another one since the read. */
  version: { attribute: 'version', stored: { parse: number } },
} as const satisfies FieldList;
