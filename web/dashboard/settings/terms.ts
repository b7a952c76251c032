import type { Schemas } from '../../kit/api.ts';
import { rulesText } from '../../kit/rules.ts';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import { amountsText, parseAmounts } from './amounts.ts';
import {
  type Draft,
  decimalOrNull,
  type Field,
  fault,
  type Row,
  rowsIn,
  textIn,
  typed,
  wholeOrNull,
} from './fields.ts';

type Rules = Schemas['CommissionRules']['attributes']['rules'];

interface Terms {
  readonly commission_percentage: number | null;
  readonly commission_months: number | null;
  readonly commission_rules: Rules | null;
}

const RULES = 'commission_rules';
const hasNoRules = (draft: Draft) => rowsIn(draft, RULES).length === 0;

const rowOf = (pays: string, payments = '', months = '', paying_from = ''): Row => ({
  pays,
  payments,
  months,
  paying_from,
});

/** What somebody edits of the terms of the program, or of a group. */
export const termsDraft = (terms: Terms): Draft => ({
  commission_percentage: typed(terms.commission_percentage),
  commission_months: typed(terms.commission_months),
  commission_rules: (terms.commission_rules ?? []).map(({ percentage, amounts, payments, months, paying_from }) =>
    rowOf(
      amounts === null ? `${percentage}%` : amountsText(amounts),
      ...[typed(payments), typed(months), typed(paying_from)],
    ),
  ),
});

/** The fields of terms: a percentage with its months, or rules, which replace both. */
export const TERMS_FIELDS: readonly Field[] = [
  {
    name: 'commission_percentage',
    label: SETTINGS.percentage,
    hint: SETTINGS.percentageHint,
    inputMode: 'decimal',
    isShown: hasNoRules,
    parse: decimalOrNull,
  },
  {
    name: 'commission_months',
    label: SETTINGS.duration,
    hint: SETTINGS.durationHint,
    inputMode: 'numeric',
    isShown: hasNoRules,
    parse: wholeOrNull,
  },
  {
    kind: 'list',
    name: RULES,
    label: SETTINGS.rules,
    hint: SETTINGS.rulesHint,
    item: SETTINGS.rule,
    add: SETTINGS.addRule,
    max: 10,
    columns: [
      {
        name: 'pays',
        label: SETTINGS.ruleCommission,
        example: SETTINGS.ruleCommissionExample,
        isRequired: true,
        parts: ['percentage', 'amounts'],
      },
      { name: 'payments', label: SETTINGS.rulePayments, example: SETTINGS.anyNumber },
      { name: 'months', label: SETTINGS.ruleMonths, example: SETTINGS.anyNumber },
      { name: 'paying_from', label: SETTINGS.rulePayingFrom, example: SETTINGS.anyNumber },
    ],
    // The percentage so far becomes the last rule, because rules are tried in their order.
    addTo: (draft) => {
      const rows = rowsIn(draft, RULES);
      const percentage = textIn(draft, 'commission_percentage').replace('%', '').trim();
      if (rows.length > 0 || percentage === '') return [...rows, rowOf('')];
      return [rowOf(''), rowOf(`${percentage}%`, '', textIn(draft, 'commission_months'))];
    },
    parse: (rows, name) => (rows.length === 0 ? null : rows.map((row, index) => parseRule(row, `${name}.${index}`))),
  },
];

function parseRule({ pays = '', payments = '', months = '', paying_from = '' }: Row, name: string): Rules[number] {
  const text = pays.trim();
  const isPercentage = /^[\d.]+ *%?$/.test(text);
  if (!isPercentage && !/[a-z]{3}/i.test(text)) throw fault(`${name}.pays`, SETTINGS.notTerms);
  return {
    percentage: isPercentage ? decimalOrNull(text, `${name}.pays`) : null,
    amounts: isPercentage ? null : parseAmounts(text, `${name}.pays`),
    payments: wholeOrNull(payments.trim(), `${name}.payments`),
    months: wholeOrNull(months.trim(), `${name}.months`),
    paying_from: wholeOrNull(paying_from.trim(), `${name}.paying_from`),
  };
}

/** What advocates earn by the terms as they are typed; `undefined` while a value is not valid. */
export function termsSentence(draft: Draft, nothing: string): string | undefined {
  try {
    const rows = rowsIn(draft, RULES);
    const percentage = textIn(draft, 'commission_percentage').trim();
    if (rows.length === 0 && percentage === '') return nothing;
    const terms = rows.length > 0 ? rows : [rowOf(percentage, '', textIn(draft, 'commission_months'))];
    return `${rulesText(terms.map((row) => parseRule(row, RULES)))}.`;
  } catch {
    return undefined;
  }
}
