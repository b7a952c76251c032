import { MAX_MONTHS, MAX_PAYING, MAX_PAYMENTS, MAX_RULES } from '../accounts/rules/commission-rules.ts';
import { AMOUNTS_KEYWORDS } from '../fields/amounts.ts';
import { exact } from './schema.ts';

const LIMIT = { type: ['integer', 'null'], minimum: 1 } as const;

/** The JSON Schema of a list of rules. Validators leave the rules to `parseCommissionRules`. */
export const COMMISSION_RULES = /* @__PURE__ */ (() =>
  ({
    type: 'array',
    minItems: 1,
    maxItems: MAX_RULES,
    items: {
      type: 'object',
      additionalProperties: false,
      properties: {
        percentage: {
          type: ['number', 'null'],
          minimum: 0,
          maximum: 100,
          description: 'The commission in percent. A rule has either this or `amounts`.',
        },
        amounts: {
          type: ['object', 'null'],
          minProperties: 1,
          ...AMOUNTS_KEYWORDS,
          description:
            "The commission by currency, in the currency's smallest unit, at most the amount of the payment. A payment in another currency does not match.",
        },
        payments: { ...LIMIT, maximum: MAX_PAYMENTS, description: 'Matches the first so many payments of a referral.' },
        months: {
          ...LIMIT,
          maximum: MAX_MONTHS,
          description: 'Matches payments before the conversion plus these calendar months.',
        },
        paying_from: {
          ...LIMIT,
          maximum: MAX_PAYING,
          description: 'Matches if the advocate has at least so many paying customers.',
        },
      },
    },
    examples: [
      [
        { amounts: { eur: 2000 }, payments: 1 },
        { percentage: 10, months: 12 },
      ],
    ],
  }) as const)();

/** How requests set rules. */
export const COMMISSION_RULES_INPUT = /* @__PURE__ */ (() =>
  ({
    ...COMMISSION_RULES,
    description: 'Rules instead of the percentage and its months: the first rule that matches a payment decides.',
  }) as const)();

export const COMMISSION_RULES_CHANGE = /* @__PURE__ */ (() =>
  ({ ...COMMISSION_RULES_INPUT, type: ['array', 'null'] }) as const)();

/** Rules in a response: each has all parts. */
export const SHOWN_RULES = /* @__PURE__ */ (() =>
  ({
    type: 'array',
    items: exact(COMMISSION_RULES.items.properties),
    description: 'The first rule that matches a payment decides.',
  }) as const)();
export const SHOWN_RULES_OR_NULL = /* @__PURE__ */ (() =>
  ({
    ...SHOWN_RULES,
    type: ['array', 'null'],
    description: 'The rules instead of a percentage; `null` without any.',
  }) as const)();
