import type { JSONSchema } from 'json-schema-to-ts';
import { exact, LIST_PARAMETERS, listOf, resource } from '../../../kernel/http/schema.ts';
import { sum } from '../../../kernel/http/totals.ts';
import { UUIDV7_PATTERN } from '../../../kernel/ids.ts';
import { ENTRY_KINDS } from '../../rules/entry-fields.ts';
import { MAX_MONTHS, MONTH_PATTERN } from '../../rules/months.ts';
import { ENTRY, ENTRY_ID } from '../entry.ts';

/** As in statistics, a malformed slug is an unknown one: the pattern is not checked here. */
const SLUG = { type: 'string', description: "The advocate's slug. A malformed slug is unknown." } as const;

const { page: _, ...PAGING } = LIST_PARAMETERS;
const { cursor } = PAGING;

export const OWN_LEDGER_QUERY = {
  type: 'object',
  properties: {
    kind_eq: { type: 'string', enum: ENTRY_KINDS, description: 'Only entries of this kind.' },
    referral_id_eq: {
      type: 'string',
      pattern: `^${UUIDV7_PATTERN}$`,
      description:
        'Only the payments, refunds and voids of the referral with this id. It cannot be combined with `kind_eq` or `currency_eq`. On AWS, this list lags by well under a second.',
    },
    currency_eq: {
      type: 'string',
      description: 'Only entries in this currency: its code in lower case.',
      examples: ['usd'],
    },
    ...PAGING,
  },
} as const satisfies JSONSchema;

export const LEDGER_QUERY = {
  type: 'object',
  properties: {
    affiliate_slug: {
      ...SLUG,
      description: `${SLUG.description} Required without \`payment_id_eq\` or \`referral_id_eq\`.`,
    },
    payment_id_eq: {
      ...ENTRY_ID,
      description:
        'Only this payment, its refunds and its void. It replaces `affiliate_slug` and all other filters. An unknown payment has no entries.',
    },
    ...OWN_LEDGER_QUERY.properties,
  },
} as const satisfies JSONSchema;

/** The advocates that a page of statements looks at by default. */
export const ADVOCATES_PER_PAGE = 50;

const month = (description: string) =>
  ({ type: 'string', pattern: MONTH_PATTERN, description, examples: ['2026-01'] }) as const;

export const OWN_STATEMENTS_QUERY = {
  type: 'object',
  properties: {
    month: month('The month, UTC. It must have begun.'),
    from: month(`With \`to\`, instead of \`month\`: the first month, of at most ${MAX_MONTHS}.`),
    to: month('The last month. It must have begun.'),
  },
} as const satisfies JSONSchema;

export const STATEMENTS_QUERY = {
  type: 'object',
  properties: {
    ...OWN_STATEMENTS_QUERY.properties,
    affiliate_slug: { ...SLUG, description: `Only this advocate. ${SLUG.description}` },
    per_page: { ...PAGING.per_page, default: ADVOCATES_PER_PAGE, description: 'The advocates that a page looks at.' },
    cursor,
  },
} as const satisfies JSONSchema;

export const ENTRY_LIST = /* @__PURE__ */ listOf(ENTRY);

export const STATEMENT = /* @__PURE__ */ resource(
  'statement',
  {
    month: { type: 'string', description: '`YYYY-MM`, UTC.' },
    currencies: {
      type: 'array',
      description:
        "The currencies with an entry in the month, an opening or a closing, by code. Sums are in the currency's smallest unit and have all their digits: they may exceed 2^53.",
      items: /* @__PURE__ */ exact({
        currency: { type: 'string', description: 'The code of ISO 4217 in lower case.' },
        payments: sum('What customers paid.'),
        refunds: sum('What customers got back: negative.'),
        commissions: sum('Commissions, less what refunds and voids took back.'),
        adjustments: sum('Bonuses and corrections.'),
        settlements: sum('What was paid to the advocate: negative.'),
        opening: sum('The balance at the start of the month.'),
        closing: sum('The balance at the end of the month, or now.'),
        payable: sum('What is payable now, whatever the month is. It may be negative.'),
        settlement_count: sum('The number of all settlements until now. Send it with a settlement of `payable`.'),
      }),
    },
  },
  { type: 'string', description: "The advocate's slug." },
) satisfies JSONSchema;

/** One statement, or several if `from` and `to` are given. */
export const STATEMENT_DATA = /* @__PURE__ */ exact({
  data: { anyOf: [STATEMENT, { type: 'array', items: STATEMENT }] },
});
/** Without `affiliate_slug`, a page of statements. */
export const STATEMENTS_DATA = { anyOf: [STATEMENT_DATA, /* @__PURE__ */ listOf(STATEMENT)] } as const;

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  ledgerQuery: LEDGER_QUERY,
  ownLedgerQuery: OWN_LEDGER_QUERY,
  statementsQuery: STATEMENTS_QUERY,
  ownStatementsQuery: OWN_STATEMENTS_QUERY,
};
