import type { JSONSchema } from 'json-schema-to-ts';
import { MAX_AMOUNT } from '../../../kernel/fields/money.ts';
import { textUpTo } from '../../../kernel/fields/schemas.ts';
import { AFFILIATE_SLUG } from '../../../kernel/http/schema.ts';
import { CUSTOMER_REFERENCE, NAMES_CUSTOMER } from '../../../referrals/http/customer.ts';
import { MAX_NOTE, MAX_SETTLEMENTS } from '../../rules/entry.ts';
import { MAX_ENTRY_ID } from '../../rules/entry-id.ts';
import { CURRENCY, ENTRY_ID } from '../entry.ts';

const idOf = (what: string, example: string) =>
  ({
    ...ENTRY_ID,
    description: `Your id of the ${what}: 1 to ${MAX_ENTRY_ID} printable ASCII characters. Not an email or a name. With the same id and the same fields, the request can safely be repeated.`,
    examples: [example],
  }) as const;
const amountOf = (what: string) =>
  ({
    type: 'integer',
    minimum: 1,
    maximum: MAX_AMOUNT,
    description: `${what}, in the currency's smallest unit, such as cents.`,
    examples: [4900],
  }) as const;
const timeOf = (what: string) =>
  ({
    type: 'integer',
    minimum: 0,
    description: `${what}, Unix seconds, at most 300 in the future; by default now.`,
    examples: [1_767_225_600],
  }) as const;
const note = (description: string) => ({ ...textUpTo(MAX_NOTE), description }) as const;

export const PAYMENT_BODY = {
  type: 'object',
  required: ['payment_id', 'amount', 'currency'],
  allOf: [NAMES_CUSTOMER],
  properties: {
    ...CUSTOMER_REFERENCE,
    payment_id: idOf('payment', 'in_1042'),
    amount: amountOf('What the customer paid, without tax'),
    currency: CURRENCY,
    paid_at: timeOf('When the customer paid'),
  },
} as const satisfies JSONSchema;

export const REFUND_BODY = {
  type: 'object',
  required: ['payment_id', 'refund_id', 'amount'],
  properties: {
    payment_id: idOf('payment', 'in_1042'),
    refund_id: idOf('refund', 're_1042'),
    amount: amountOf('What the customer got back, at most what is left of the payment'),
    refunded_at: timeOf('When the customer got it back'),
  },
} as const satisfies JSONSchema;

export const VOID_BODY = {
  type: 'object',
  required: ['payment_id', 'note'],
  properties: {
    payment_id: idOf('payment', 'in_1042'),
    note: note('Why the payment earns no commission. Not an email or a name.'),
  },
} as const satisfies JSONSchema;

export const ADJUSTMENT_BODY = {
  type: 'object',
  required: ['affiliate_slug', 'adjustment_id', 'commission', 'currency', 'note'],
  properties: {
    affiliate_slug: AFFILIATE_SLUG,
    adjustment_id: idOf('adjustment', 'bonus-2026-10'),
    commission: {
      type: 'integer',
      minimum: -MAX_AMOUNT,
      maximum: MAX_AMOUNT,
      description:
        "What is added to the advocate's balance, in the currency's smallest unit: not 0, negative to take away.",
      examples: [2500],
    },
    currency: CURRENCY,
    note: note('What the adjustment is for. The advocate sees it.'),
  },
} as const satisfies JSONSchema;

export const SETTLEMENT_BODY = {
  type: 'object',
  required: ['affiliate_slug', 'settlement_id', 'amount', 'currency'],
  properties: {
    affiliate_slug: AFFILIATE_SLUG,
    settlement_id: idOf('settlement', 'payout-2026-10'),
    amount: amountOf('What was paid to the advocate'),
    currency: CURRENCY,
    reference: note('The reference of the bank transfer, for example. The advocate sees it.'),
    settled_at: timeOf('When it was paid'),
    settlement_count: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_SETTLEMENTS,
      description:
        'The `settlement_count` of the statement that the amount comes from. If another settlement was recorded since, the request is refused.',
      examples: [0],
    },
  },
} as const satisfies JSONSchema;

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  paymentBody: PAYMENT_BODY,
  refundBody: REFUND_BODY,
  voidBody: VOID_BODY,
  adjustmentBody: ADJUSTMENT_BODY,
  settlementBody: SETTLEMENT_BODY,
};
