import { expectedCommission } from './money-oracle.ts';

// What commission rules must pay, written from the specification alone: it shares no code and no order of thought with
// `functions/kernel/accounts/rules/commission-rules.ts`.

/** A rule as the API returns it. */
export interface OracleRule {
  readonly percentage?: number | null;
  readonly amounts?: Readonly<Record<string, number>> | null;
  readonly payments?: number | null;
  readonly months?: number | null;
  readonly paying_from?: number | null;
}

/** A payment, and what is known when it is recorded. */
export interface OraclePayment {
  readonly amount: number;
  readonly currency: string;
  /** Unix seconds. */
  readonly paidAt: number;
  readonly convertedAt: number;
  /** 1 for the first payment. */
  readonly number: number;
  readonly paying: number;
}

/** The last second of the months: a missing day is the last day of the month. */
function endOf(second: number, months: number): number {
  const start = new Date(second * 1000);
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const days = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), days));
  return end.getTime() / 1000;
}

/** Returns the number of the rule that decides, from 1, and what it pays; `undefined` if none does. */
export function expectedDecision(rules: readonly OracleRule[], payment: OraclePayment) {
  const reasons = rules.map((rule, index) => {
    const fixed = rule.amounts?.[payment.currency];
    const isPayable = typeof rule.percentage === 'number' || typeof fixed === 'number';
    const isInTime = typeof rule.months !== 'number' || payment.paidAt <= endOf(payment.convertedAt, rule.months) - 1;
    const isEarly = typeof rule.payments !== 'number' || payment.number <= rule.payments;
    const isLarge = typeof rule.paying_from !== 'number' || payment.paying >= rule.paying_from;
    const paid = typeof fixed === 'number' ? Math.min(fixed, payment.amount) : undefined;
    return { rule: index + 1, isMatch: isPayable && isInTime && isEarly && isLarge, paid, rate: rule.percentage ?? 0 };
  });
  const first = reasons.find(({ isMatch }) => isMatch);
  return first && { rule: first.rule, commission: first.paid ?? expectedCommission(payment.amount, first.rate) };
}
