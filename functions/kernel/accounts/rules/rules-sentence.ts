import type { CommissionRule, CommissionRules } from './commission-rules.ts';

/** How a page or a terminal writes numbers. */
interface Formats {
  /** A percentage, such as 20 for `20%`. */
  readonly percentage: (value: number) => string;
  /** An amount in the smallest unit of a currency. */
  readonly money: (amount: number, currency: string) => string;
}

/** Says what rules pay, such as "€20.00 for the first payment, then 10% for 12 months". */
export function rulesSentence(rules: CommissionRules, formats: Formats): string {
  const joint = (rule: CommissionRule, previous: CommissionRule | undefined) => {
    if (previous === undefined) return '';
    return isLater(rule, previous) ? ', then ' : ', else ';
  };
  return rules.map((rule, index) => joint(rule, rules[index - 1]) + ruleSentence(rule, formats)).join('');
}

function forPayments(payments: number | undefined): string | undefined {
  if (payments === undefined) return undefined;
  return payments === 1 ? 'for the first payment' : `for the first ${payments} payments`;
}

/** True if a rule begins to pay when the previous one ends, and not because of an advocate or a currency. */
function isLater(rule: CommissionRule, { payments, months, paying_from, amounts }: CommissionRule): boolean {
  if (paying_from !== undefined || (amounts !== undefined && rule.amounts !== undefined)) return false;
  if (payments !== undefined) return months === undefined && (rule.payments ?? Infinity) > payments;
  return months !== undefined && rule.payments === undefined && (rule.months ?? Infinity) > months;
}

function ruleSentence(
  { percentage, amounts, payments, months, paying_from }: CommissionRule,
  formats: Formats,
): string {
  const pays =
    percentage === undefined
      ? Object.entries(amounts ?? {})
          .map(([currency, amount]) => formats.money(amount, currency))
          .join(' or ')
      : formats.percentage(percentage);
  return [
    pays,
    forPayments(payments) ?? (amounts === undefined ? false : 'for each payment'),
    months !== undefined && (months === 1 ? 'for a month' : `for ${months} months`),
    paying_from !== undefined && `from ${paying_from} paying ${paying_from === 1 ? 'customer' : 'customers'} on`,
  ]
    .filter((part) => part !== false)
    .join(' ');
}
