import type { FieldList, Values } from '../../kernel/fields/field-list.ts';
import { boolean, number, oneOf, text, wholeSeconds } from '../../kernel/fields/parsers.ts';
import { ID, NULLABLE_TEXT, TIME } from '../../kernel/fields/schemas.ts';
import type { Actor } from '../../referrals/rules/state.ts';

/** What an entry of the ledger records (docs/contract/ledger.md). */
export const ENTRY_KINDS = ['payment', 'refund', 'void', 'adjustment', 'settlement'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Who writes entries. */
export const ENTRY_ACTORS = ['merchant', 'operator', 'import', 'stripe'] as const satisfies readonly Actor[];
export type EntryActor = (typeof ENTRY_ACTORS)[number];

/** Why a payment earned no commission. */
export const NO_COMMISSION = ['rejected', 'ended', 'no_rate', 'no_rule'] as const;
export type NoCommission = (typeof NO_COMMISSION)[number];

const NULLABLE_AMOUNT = { type: ['integer', 'null'] } as const;
const IN_SMALLEST_UNIT = "in the currency's smallest unit, such as cents";

/** The resource of the API, which is also the data of events, and the columns of files. */
const BOTH = ['api', 'file'] as const;

/** Everything that the service knows of each field of an entry, in the order of its resource. */
export const ENTRY_FIELDS = {
  /** UUIDv7. */
  id: { attribute: 'id', stored: { parse: text }, listed: 'key' },
  kind: {
    attribute: 'kind',
    stored: { parse: oneOf(ENTRY_KINDS) },
    schema: { type: 'string', enum: ENTRY_KINDS },
    forms: BOTH,
  },
  advocateSlug: {
    attribute: 'affiliate_slug',
    stored: { parse: text },
    listed: 'key',
    schema: { type: 'string', description: 'The slug of the advocate whose balance the entry changes.' },
    forms: BOTH,
  },
  referralId: {
    attribute: 'referral',
    name: 'referral_id',
    stored: { parse: text, empty: null },
    schema: { ...ID, type: ['string', 'null'] },
    forms: BOTH,
  },
  paymentId: {
    attribute: 'payment',
    name: 'payment_id',
    stored: { parse: text, empty: null },
    schema: { ...NULLABLE_TEXT, description: '`null` for affiliates.' },
    forms: BOTH,
  },
  refundId: {
    attribute: 'refund',
    name: 'refund_id',
    stored: { parse: text, empty: null },
    schema: { ...NULLABLE_TEXT, description: '`null` for affiliates.' },
    forms: BOTH,
  },
  adjustmentId: {
    attribute: 'adjustment',
    name: 'adjustment_id',
    stored: { parse: text, empty: null },
    schema: NULLABLE_TEXT,
    forms: BOTH,
  },
  settlementId: {
    attribute: 'settlement',
    name: 'settlement_id',
    stored: { parse: text, empty: null },
    schema: { ...NULLABLE_TEXT, description: '`null` for affiliates if it was imported with its payment.' },
    forms: BOTH,
  },
  amount: {
    attribute: 'amount',
    stored: { parse: number, empty: null },
    schema: {
      ...NULLABLE_AMOUNT,
      description: `What the customer paid, or got back (negative), ${IN_SMALLEST_UNIT}; \`null\` for other kinds.`,
    },
    forms: BOTH,
  },
  currency: {
    attribute: 'currency',
    stored: { parse: text },
    schema: { type: 'string', description: 'The code of ISO 4217 in lower case.', examples: ['usd'] },
    forms: BOTH,
  },
  commission: {
    attribute: 'commission',
    stored: { parse: number },
    schema: { type: 'integer', description: `What the entry adds to the advocate's balance, ${IN_SMALLEST_UNIT}.` },
    forms: BOTH,
  },
  /** The rate in percent, as it was when the payment was recorded. */
  commissionPercentage: {
    attribute: 'rate',
    stored: { parse: number, empty: null },
    name: 'commission_percentage',
    schema: { type: ['number', 'null'] },
    forms: BOTH,
  },
  /** The rules that the referral had when the payment was recorded, and which of them decided. */
  commissionRulesId: {
    attribute: 'rules',
    stored: { parse: text, empty: null },
    name: 'commission_rules_id',
    schema: { ...NULLABLE_TEXT, description: 'The id of the rules that decided; `null` without rules.' },
    forms: BOTH,
  },
  rule: {
    attribute: 'rule',
    stored: { parse: number, empty: null },
    schema: { type: ['integer', 'null'], description: 'Which of the rules decided, from 1.' },
    forms: BOTH,
  },
  payingSeen: {
    attribute: 'paying_seen',
    stored: { parse: number, empty: null },
    name: 'paying_seen',
    schema: {
      type: ['integer', 'null'],
      description: 'How many paying customers the advocate had, if a rule asks for it.',
    },
    forms: BOTH,
  },
  note: {
    attribute: 'note',
    stored: { parse: text, empty: null },
    schema: {
      ...NULLABLE_TEXT,
      description:
        'The note of a void or an adjustment; of a payment without commission `rejected`, `ended`, `no_rate` or `no_rule`.',
    },
    forms: BOTH,
  },
  reference: { attribute: 'reference', stored: { parse: text, empty: null }, schema: NULLABLE_TEXT, forms: BOTH },
  occurredAt: {
    attribute: 'occurred_at',
    stored: { parse: wholeSeconds },
    schema: { ...TIME, description: 'When it happened, Unix seconds.' },
    forms: BOTH,
  },
  createdAt: {
    attribute: 'created_at',
    stored: { parse: wholeSeconds },
    listed: 'key',
    schema: { ...TIME, description: 'When it was recorded, Unix seconds. Months and balances go by it.' },
    forms: BOTH,
  },
  by: {
    attribute: 'by',
    stored: { parse: oneOf(ENTRY_ACTORS) },
    schema: { type: ['string', 'null'], enum: [...ENTRY_ACTORS, null], description: '`null` for affiliates.' },
    forms: BOTH,
  },
  /** When the payment of a refund or a void happened: from then on its commission becomes payable. */
  paidAt: { attribute: 'paid_at', stored: { parse: wholeSeconds, empty: null } },
  /** The number of the payout account that the advocate of a settlement had; `null` without an account, or if imported. */
  payoutVersion: { attribute: 'payout_version', stored: { parse: number, empty: null } },
  /** True for a settlement that was counted when it was written; `null` for other kinds, and before there was a count. */
  isCounted: { attribute: 'counted', stored: { parse: boolean, empty: null } },
} as const satisfies FieldList;

/** An entry of the ledger, which never changes. */
export type Entry = Values<typeof ENTRY_FIELDS>;
