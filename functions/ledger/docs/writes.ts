import { seconds } from '../../kernel/time.ts';
import { example, type Operations } from '../../openapi/operation.ts';
import { ADVOCATE, PAID } from '../../openapi/records.ts';
import { ENTRY_DATA, toEntry } from '../http/entry.ts';
import { parseAdjustment, parsePayment, parseRefund, parseSettlement, parseVoid } from '../http/writes/mapping.ts';
import type { LEDGER_WRITE_ROUTES } from '../http/writes/routes.ts';
import { ADJUSTMENT_BODY, PAYMENT_BODY, REFUND_BODY, SETTLEMENT_BODY, VOID_BODY } from '../http/writes/schema.ts';
import { adjustmentEntry, paymentEntry, settlementEntry, type Writing } from '../rules/entry.ts';
import { newPayment, refund, voidPayment } from '../rules/payment.ts';

const NOW = seconds(Date.UTC(2026, 10, 2, 12) / 1000);
const writing = (id: string): Writing => ({ id, now: NOW, by: 'merchant' });

const PAYMENT = { uid: PAID.customerUid, payment_id: 'in_1042', amount: 4900, currency: 'usd' };
const REFUND = { payment_id: 'in_1042', refund_id: 're_1042', amount: 1200 };
const VOID = { payment_id: 'in_1042', note: 'The card was stolen' };
const ADJUSTMENT = {
  affiliate_slug: ADVOCATE.slug,
  adjustment_id: 'bonus-2026-10',
  commission: 2500,
  currency: 'usd',
  note: 'Bonus for ten sign-ups',
};
const SETTLEMENT = {
  affiliate_slug: ADVOCATE.slug,
  settlement_id: 'payout-2026-10',
  amount: 3240,
  currency: 'usd',
  reference: 'Transfer 2026-10-31',
};

const { reference: _, ...reported } = parsePayment(PAYMENT, NOW);
const PAID_ENTRY = paymentEntry(
  PAID,
  { ...reported, paidAt: NOW },
  writing('019b7c01-1f00-7a4d-8b3f-2c6d9e105a80'),
  null,
);
const { refundId, amount } = parseRefund(REFUND, NOW);
const REFUNDED = refund(
  newPayment(PAID_ENTRY),
  amount,
  { refundId, refundedAt: NOW },
  writing('019b7c01-1f00-7a4d-8b3f-2c6d9e105a81'),
);
const VOIDED = voidPayment(REFUNDED.payment, VOID.note, writing('019b7c01-1f00-7a4d-8b3f-2c6d9e105a82'));
const ADJUSTED = adjustmentEntry(parseAdjustment(ADJUSTMENT), writing('019b7c01-1f00-7a4d-8b3f-2c6d9e105a83'));
const SETTLED = settlementEntry(parseSettlement(SETTLEMENT, NOW), writing('019b7c01-1f00-7a4d-8b3f-2c6d9e105a84'));

const REPEATED = 'A repeated request returns 200 with the first entry and changes nothing; other fields return 409.';

const successes = (summary: string, entry: Parameters<typeof toEntry>[0], headers: readonly 'Warning'[] = []) => {
  const examples = { one: example(summary, { data: toEntry(entry) }) };
  return {
    201: { description: 'The new entry.', schema: ENTRY_DATA, examples, headers },
    200: { description: 'The entry of the first request.', schema: ENTRY_DATA, examples, headers },
  };
};

/** Documents the operations that write entries of the ledger. */
export const LEDGER_WRITE_OPERATIONS: Operations<typeof LEDGER_WRITE_ROUTES> = {
  recordPayment: {
    summary: 'Record a payment',
    description: `Records what a customer paid, and the commission that the advocate earns by it. The referral becomes \`paid\` where *States* allows it. Without a commission, the note says why: the referral is \`rejected\`, its commission has \`ended\`, or there is \`no_rate\`, of which the header \`x-warning\` also warns. ${REPEATED}`,
    body: {
      schema: PAYMENT_BODY,
      parse: (body) => parsePayment(body, NOW),
      examples: { one: example('A payment of 49 dollars', PAYMENT) },
    },
    successes: successes('A payment of 49 dollars', PAID_ENTRY, ['Warning']),
    errors: ['referral_not_found', 'not_converted', 'payment_exists'],
  },
  recordRefund: {
    summary: 'Record a refund',
    description: `Records what a customer got back of a payment, in any parts. It takes back that part of the commission: nothing is left after all of the payment. The state of the referral stays. Refunds of payments at Stripe arrive by themselves. ${REPEATED}`,
    body: {
      schema: REFUND_BODY,
      parse: (body) => parseRefund(body, NOW),
      examples: { one: example('A part of a payment', REFUND) },
    },
    successes: successes('A part of a payment', REFUNDED.entry),
    errors: ['payment_not_found', 'refund_exists', 'payment_at_stripe'],
  },
  voidPayment: {
    summary: 'Void a payment',
    description: `Takes back what is left of the commission of a payment, because of fraud or a mistake. Later refunds of the payment take back nothing. ${REPEATED}`,
    body: { schema: VOID_BODY, parse: parseVoid, examples: { one: example('A payment by a stolen card', VOID) } },
    successes: successes('A payment by a stolen card', VOIDED.entry),
    errors: ['payment_not_found', 'void_exists'],
  },
  recordAdjustment: {
    summary: 'Adjust a balance',
    description: `Adds a bonus to an advocate's balance, or takes something away. ${REPEATED}`,
    body: { schema: ADJUSTMENT_BODY, parse: parseAdjustment, examples: { one: example('A bonus', ADJUSTMENT) } },
    successes: successes('A bonus', ADJUSTED),
    errors: ['invalid_affiliate_slug', 'adjustment_exists'],
  },
  recordSettlement: {
    summary: 'Record a settlement',
    description: `Records what was paid to an advocate; the service itself moves no money. It may exceed the balance. With the \`settlement_count\` of a statement, it is recorded only if no other settlement came first, so that nobody is paid twice. ${REPEATED}`,
    body: {
      schema: SETTLEMENT_BODY,
      parse: (body) => parseSettlement(body, NOW),
      examples: { one: example('A bank transfer', SETTLEMENT) },
    },
    successes: successes('A bank transfer', SETTLED),
    errors: ['invalid_affiliate_slug', 'settlement_exists', 'balance_changed'],
  },
};
