import { InvalidField } from '../../errors.ts';
import { type Amounts, parseAmounts } from '../../fields/amounts.ts';
import { commissionOf } from '../../fields/money.ts';
import { parsePercentage, parseWhole } from '../../fields/numbers.ts';
import { record } from '../../fields/parsers.ts';
import { addCalendarMonths, type Seconds } from '../../time.ts';

/**
 * A rule of commissions, in the form of the API and of the table. It pays a percentage, or an amount in the smallest unit
 * of a currency. Its other parts limit the payments that it matches.
 */
export interface CommissionRule {
  readonly percentage?: number;
  readonly amounts?: Amounts;
  /** Only the first so many payments of a referral. */
  readonly payments?: number;
  /** Only payments before the conversion plus these calendar months. */
  readonly months?: number;
  /** Only if the advocate has at least so many paying customers. */
  readonly paying_from?: number;
}

/** The rules of a program or a group: the first rule that matches a payment decides. */
export type CommissionRules = readonly CommissionRule[];

export const MAX_RULES = 10;
export const MAX_PAYMENTS = 1000;
export const MAX_MONTHS = 1200;
export const MAX_PAYING = 1_000_000;

const PARTS = ['percentage', 'amounts', 'payments', 'months', 'paying_from'] as const;

/** Checks a list of rules, and brings it into the form that is stored and hashed. Throws `InvalidField`. */
export function parseCommissionRules(field: string, value: unknown): CommissionRules {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_RULES) {
    throw new InvalidField(field, `must be a list of 1 to ${MAX_RULES} rules`);
  }
  return value.map((rule: unknown, index) => parseRule(`${field}[${index}]`, rule));
}

/** Parses the rules of a request; `null` for none. Throws `InvalidField`. */
export const parseRulesOrNull = (value: unknown): CommissionRules | null =>
  (value ?? null) === null ? null : parseCommissionRules('commission_rules', value);

function parseRule(name: string, value: unknown): CommissionRule {
  const given = record(value);
  // A misspelled limit must not pay without a limit.
  if (!given || Object.keys(given).some((part) => !PARTS.some((known) => known === part))) {
    throw new InvalidField(name, `must be an object with no other fields than ${PARTS.join(', ')}`);
  }
  const parts = PARTS.map((part) => given[part] ?? undefined);
  const [percentage, amounts, payments, months, paying_from] = parts;
  if ((percentage === undefined) === (amounts === undefined)) {
    throw new InvalidField(name, 'must have either percentage or amounts');
  }
  return {
    ...(percentage !== undefined && { percentage: parsePercentage(`${name}.percentage`, percentage) }),
    ...(amounts !== undefined && { amounts: parseAmounts(`${name}.amounts`, amounts, 1) }),
    ...(payments !== undefined && { payments: parseWhole(`${name}.payments`, payments, MAX_PAYMENTS) }),
    ...(months !== undefined && { months: parseWhole(`${name}.months`, months, MAX_MONTHS) }),
    ...(paying_from !== undefined && { paying_from: parseWhole(`${name}.paying_from`, paying_from, MAX_PAYING) }),
  };
}

/** Rules in a response: a part that a rule does not have is `null`. */
export const shownRules = (rules: CommissionRules) =>
  rules.map(({ percentage = null, amounts = null, payments = null, months = null, paying_from = null }) => {
    return { percentage, amounts, payments, months, paying_from };
  });

/** What decides which rule matches a payment. */
export interface RuledPayment {
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly paidAt: Seconds;
  readonly convertedAt: Seconds;
  /** How many payments of the referral were recorded before. */
  readonly earlier: number;
  /** How many paying customers the advocate has. */
  readonly paying: number;
}

/** The rule that decided a payment. */
export interface Decision {
  /** From 1. */
  readonly rule: number;
  /** `null` if the rule pays an amount. */
  readonly percentage: number | null;
  /** In the smallest unit of the payment's currency. */
  readonly commission: number;
}

/** Returns what the first rule that matches a payment decides; `null` if none does. */
export function decide(rules: CommissionRules, payment: RuledPayment): Decision | null {
  for (const [index, rule] of rules.entries()) {
    const commission = matches(rule, payment) ? paidBy(rule, payment) : null;
    if (commission !== null) return { rule: index + 1, percentage: rule.percentage ?? null, commission };
  }
  return null;
}

function matches({ payments, months, paying_from }: CommissionRule, payment: RuledPayment): boolean {
  const { earlier, paying, paidAt, convertedAt } = payment;
  return (
    (payments === undefined || earlier < payments) &&
    (months === undefined || paidAt < addCalendarMonths(convertedAt, months)) &&
    (paying_from === undefined || paying >= paying_from)
  );
}

/** What a rule pays for an amount: a fixed one pays at most the amount itself. `null` in another currency. */
export function paidBy(
  { percentage, amounts }: CommissionRule,
  { amount, currency }: Pick<RuledPayment, 'amount' | 'currency'>,
): number | null {
  if (percentage !== undefined) return commissionOf(amount, percentage);
  const fixed = amounts?.[currency];
  return fixed === undefined ? null : Math.min(fixed, amount);
}

/** True if the rules need the number of earlier payments. */
export const needsPayments = (rules: CommissionRules): boolean => rules.some(({ payments }) => payments !== undefined);
/** True if the rules need the number of the advocate's paying customers. */
export const needsCustomers = (rules: CommissionRules): boolean =>
  rules.some(({ paying_from }) => paying_from !== undefined);
