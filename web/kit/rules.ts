import { rulesSentence } from '../../functions/kernel/accounts/rules/rules-sentence.ts';
import type { Schemas } from './api.ts';
import { formatMoney, formatPercentage } from './format.ts';

/** Commission rules as the API returns them. */
type Rules = Schemas['CommissionRules']['attributes']['rules'];

/** What the program or a group pays: a rate, for some months or without an end, rules, or neither. */
interface Terms {
  readonly commission_percentage: number | null;
  readonly commission_months: number | null;
  readonly commission_rules: Rules | null;
}

/** True for a rate, also of 0, and for rules. */
export const hasTerms = (terms: Omit<Terms, 'commission_months'>): boolean =>
  terms.commission_percentage !== null || terms.commission_rules !== null;

/** Says what terms pay. A rate is one rule. */
export function termsText(terms: Terms): string {
  const { commission_percentage: percentage, commission_months: months, commission_rules: rules } = terms;
  if (rules === null && percentage === null) return '–';
  return rulesText(rules ?? [{ percentage, months, amounts: null, payments: null, paying_from: null }]);
}

/** Says what rules pay, such as "€20.00 for the first payment, then 10% for 12 months". */
export function rulesText(rules: Rules): string {
  const given = rules.map(({ percentage, amounts, payments, months, paying_from }) => ({
    ...(percentage !== null && { percentage }),
    ...(amounts !== null && { amounts }),
    ...(payments !== null && { payments }),
    ...(months !== null && { months }),
    ...(paying_from !== null && { paying_from }),
  }));
  return rulesSentence(given, {
    percentage: formatPercentage,
    money: (amount, currency) => formatMoney(amount, currency),
  });
}

type ReadRules = (id: string | null, signal: AbortSignal) => Promise<string | null>;

/** Reads what the rules with an id pay; `null` without an id. Rules never change, so each are read once. */
export function rulesReader(read: (rules_id: string, signal: AbortSignal) => Promise<Rules>): ReadRules {
  const known = new Map<string, string>();
  return async (id, signal) => {
    if (id === null) return null;
    const text = known.get(id) ?? rulesText(await read(id, signal));
    known.set(id, text);
    return text;
  };
}

/** Adds to each referral what its rules pay, `null` without rules. */
export async function withRules<T extends { readonly attributes: { readonly commission_rules_id: string | null } }>(
  rows: readonly T[],
  readRules: ReadRules,
  signal: AbortSignal,
): Promise<readonly (T & { readonly rules: string | null })[]> {
  const ids = new Set(rows.map(({ attributes }) => attributes.commission_rules_id));
  const rules = new Map(await Promise.all([...ids].map(async (id) => [id, await readRules(id, signal)] as const)));
  return rows.map((row) => ({ ...row, rules: rules.get(row.attributes.commission_rules_id) ?? null }));
}
