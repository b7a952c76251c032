import { type Item, optional, required, withoutNulls } from '../../kernel/dynamodb/item.ts';
import { paymentKey, sortKey } from '../../kernel/dynamodb/keys.ts';
import { list, number, oneOf, record, text, texts, wholeSeconds } from '../../kernel/fields/parsers.ts';
import type { Payment } from '../rules/payment.ts';
import type { ProviderFact, ProviderReports } from '../rules/provider-reports.ts';
import { parsePosition } from './entries.ts';

/** Builds the item of a payment. */
export function toPaymentItem(program: string, payment: Payment): Item {
  const { entry, voided } = payment;
  return {
    ...paymentKey(program, payment.paymentId),
    ...withoutNulls({
      id: payment.paymentId,
      entry: sortKey(entry.createdAt, entry.id),
      affiliate_slug: payment.advocateSlug,
      referral: payment.referralId,
      amount: payment.amount,
      currency: payment.currency,
      commission: payment.commission,
      rate: payment.commissionPercentage,
      rules: payment.commissionRulesId,
      rule: payment.rule,
      paying_seen: payment.payingSeen,
      paid_at: payment.paidAt,
      refunded: payment.refunded,
      voided: voided && sortKey(voided.createdAt, voided.id),
      stripe: payment.reports && toReports(payment.reports),
      paid_by: payment.links.length > 0 ? payment.links : null,
      version: payment.version,
    }),
  };
}

/** The payment of an item; `undefined` if it is missing or only waits for its payment. Throws `MalformedItem`. */
export function storedPayment(item: Item | undefined): Payment | undefined {
  return item?.['entry'] === undefined ? undefined : parsePayment(item);
}

/** Parses the item of a payment. Throws `MalformedItem`. */
export function parsePayment(item: Item): Payment {
  const position = (value: unknown) => (typeof value === 'string' ? parsePosition(value) : undefined);
  return {
    paymentId: required(item, 'id', text),
    entry: required(item, 'entry', position),
    advocateSlug: required(item, 'affiliate_slug', text),
    referralId: required(item, 'referral', text),
    amount: required(item, 'amount', number),
    currency: required(item, 'currency', text),
    commission: required(item, 'commission', number),
    commissionPercentage: optional(item, 'rate', number),
    commissionRulesId: optional(item, 'rules', text),
    rule: optional(item, 'rule', number),
    payingSeen: optional(item, 'paying_seen', number),
    paidAt: required(item, 'paid_at', wholeSeconds),
    refunded: required(item, 'refunded', number),
    voided: optional(item, 'voided', position),
    reports: optional(item, 'stripe', parseReports),
    links: optional(item, 'paid_by', texts) ?? [],
    version: required(item, 'version', number),
  };
}

function toReports({ gross, refundedBefore, facts }: ProviderReports): Item {
  return withoutNulls({ gross, refunded_before: refundedBefore, facts: toFacts(facts) });
}

function parseReports(value: unknown): ProviderReports | undefined {
  const item = record(value);
  return (
    item && {
      gross: optional(item, 'gross', number),
      refundedBefore: required(item, 'refunded_before', number),
      facts: required(item, 'facts', parseFacts),
    }
  );
}

/** Builds the attribute of what Stripe has reported. */
export function toFacts(facts: readonly ProviderFact[]): Item[] {
  return facts.map(({ eventId: event, createdAt: created_at, ...fact }) => ({ ...fact, event, created_at }));
}

/** Parses the attribute of what Stripe has reported. Throws `MalformedItem`. */
export function parseFacts(value: unknown): readonly ProviderFact[] | undefined {
  return list(value)?.map((element) => {
    const fact = record(element) ?? {};
    return {
      kind: required(fact, 'kind', oneOf(['charge', 'dispute'] as const)),
      id: required(fact, 'id', text),
      source: required(fact, 'source', text),
      currency: required(fact, 'currency', text),
      charged: required(fact, 'charged', number),
      returned: required(fact, 'returned', number),
      eventId: required(fact, 'event', text),
      createdAt: required(fact, 'created_at', wholeSeconds),
    };
  });
}
