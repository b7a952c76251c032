import type { JSONSchema } from 'json-schema-to-ts';
import { ADVOCATE_FIELDS } from '../../../kernel/accounts/rules/advocate-fields.ts';
import { DAY_PATTERN } from '../../../kernel/days.ts';
import { schemasIn } from '../../../kernel/fields/field-list.ts';
import { SEGMENT_PATTERN, SLUG_PATTERN } from '../../../kernel/fields/fields.ts';
import { MAX_AMOUNT } from '../../../kernel/fields/money.ts';
import { NULLABLE_TEXT, TIME } from '../../../kernel/fields/schemas.ts';
import { dataOf, exact, LIST_PARAMETERS, listOf, resource } from '../../../kernel/http/schema.ts';
import { sum } from '../../../kernel/http/totals.ts';
import { NO_PAYMENT, NOT_PAID, PAYOUT_FORMATS } from '../../rules/payout-run.ts';
import { CURRENCY } from '../entry.ts';

/** The most advocates that a request pays. */
export const MAX_PAID = 50;
/** The settlements that a page of runs looks at. */
export const SETTLEMENTS_PER_PAGE = 200;
/** The most settlements of a file over the API: what fits into a response. */
export const MAX_IN_FILE = 5000;

const RUN = {
  type: 'string',
  pattern: SEGMENT_PATTERN,
  description:
    'The name of the run: 1 to 100 printable ASCII characters without `/`. Its settlements have the ids `<run>:<currency>:<slug>`.',
  examples: ['2026-10'],
} as const;

export const PAYOUT_RUN_BODY = {
  type: 'object',
  required: ['run', 'currency', 'slugs'],
  properties: {
    run: RUN,
    currency: CURRENCY,
    slugs: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_PAID,
      items: { type: 'string', pattern: `^${SLUG_PATTERN}$` },
      description: `The slugs of the advocates to pay: at most ${MAX_PAID}.`,
      examples: [['jane-doe']],
    },
    minimum: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_AMOUNT,
      default: 1,
      description: "The least amount that is paid, in the currency's smallest unit.",
      examples: [5000],
    },
  },
} as const satisfies JSONSchema;

const { page: _, per_page, ...PAGING } = LIST_PARAMETERS;

export const SETTLEMENTS_QUERY = { type: 'object', properties: { per_page, ...PAGING } } as const satisfies JSONSchema;
export const PAYOUT_RUNS_QUERY = { type: 'object', properties: PAGING } as const satisfies JSONSchema;

export const PAYOUT_FILE_QUERY = {
  type: 'object',
  required: ['currency', 'format'],
  properties: {
    currency: { ...CURRENCY, description: 'The code of the currency in lower case; `eur` for `sepa`.' },
    format: {
      type: 'string',
      enum: PAYOUT_FORMATS,
      description: "`csv` with all settlements, PayPal's file for its page Payouts, or a SEPA credit transfer.",
    },
    date: {
      type: 'string',
      pattern: DAY_PATTERN,
      description: 'With `sepa`, the day on which the bank pays; by default today (UTC).',
    },
  },
} as const satisfies JSONSchema;

const SLUG = { type: 'string', description: "The advocate's slug." } as const;
const SETTLEMENT_ID = { type: 'string', description: 'The id of the settlement.' } as const;
const amount = (description: string) =>
  ({ type: 'integer', description: `${description}, in the smallest unit.` }) as const;
const RUN_ID = { type: 'string', description: '`<run>:<currency>`' } as const;

export const PAYOUTS = /* @__PURE__ */ (() =>
  resource(
    'payouts',
    {
      run: RUN,
      currency: CURRENCY,
      settled: {
        type: 'array',
        description: 'In the order of the request.',
        items: exact({
          affiliate_slug: SLUG,
          settlement_id: SETTLEMENT_ID,
          amount: amount('What is paid'),
          was_settled: { type: 'boolean', description: 'True if the run had settled it before.' },
        }),
      },
      left_out: {
        type: 'array',
        description: 'The advocates to whom the run pays nothing.',
        items: exact({ affiliate_slug: SLUG, reason: { type: 'string', enum: NOT_PAID } }),
      },
    },
    RUN_ID,
  ))();
export const PAYOUTS_DATA = /* @__PURE__ */ dataOf(PAYOUTS);

export const PAYOUT_RUN = /* @__PURE__ */ resource(
  'payout_run',
  {
    run: RUN,
    currency: CURRENCY,
    settlements: { type: 'integer', description: 'Their number.' },
    amount: /* @__PURE__ */ amount('Their sum. It has all its digits and may exceed 2^53'),
    first_at: TIME,
    last_at: TIME,
  },
  RUN_ID,
) satisfies JSONSchema;
export const PAYOUT_RUN_LIST = /* @__PURE__ */ listOf(PAYOUT_RUN);

export const PAYOUT_FILE = /* @__PURE__ */ (() =>
  resource(
    'payout_file',
    {
      name: { type: 'string', description: 'A name for the file.' },
      media_type: { type: 'string', enum: ['text/csv', 'text/xml'] },
      content: { type: 'string', description: 'The text of the file, to store in UTF-8.' },
      left_out: {
        type: 'array',
        description: 'The settlements that no file, or not this one, pays. CSV contains them with the reason.',
        items: exact({
          affiliate_slug: SLUG,
          settlement_id: SETTLEMENT_ID,
          amount: amount('What is to pay in another way'),
          reason: { type: 'string', enum: NO_PAYMENT },
        }),
      },
    },
    { ...RUN_ID, description: 'The id of the run for PayPal (`sender_batch_id`) and for a bank (`MsgId`).' },
  ))();
export const PAYOUT_FILE_DATA = /* @__PURE__ */ dataOf(PAYOUT_FILE);

export const BALANCES_QUERY = {
  type: 'object',
  properties: {
    currency: {
      type: 'string',
      description: 'The currency, in lower case; by default the currency with the most owed.',
      examples: ['usd'],
    },
    per_page: { ...LIST_PARAMETERS.per_page, default: LIST_PARAMETERS.per_page.maximum },
    cursor: LIST_PARAMETERS.cursor,
  },
} as const satisfies JSONSchema;

export const BALANCE = /* @__PURE__ */ (() =>
  resource(
    'balance',
    {
      first_name: NULLABLE_TEXT,
      last_name: NULLABLE_TEXT,
      active: { type: 'boolean' },
      currency: { type: 'string', description: 'The code of ISO 4217 in lower case.' },
      balance: sum('What the advocate has earned and was not paid. It may be negative.'),
      payable: sum('What a payout run would pay now. It may be negative.'),
      waiting: sum('`balance` less `payable`: what later becomes payable.'),
      payable_from: {
        type: ['string', 'null'],
        description:
          "The first day (UTC) on which `payable` is above 0, by today's entries: today if it is above 0 already, `null` if no such day is known.",
      },
      ...schemasIn(ADVOCATE_FIELDS, 'payouts'),
    },
    { type: 'string', description: "The advocate's slug." },
  ))();

/** A page of balances, and what is owed in each currency. */
export const BALANCE_LIST = /* @__PURE__ */ (() => {
  const { data, meta } = listOf(BALANCE).properties;
  const currency = exact({
    currency: { type: 'string' },
    owed: sum('The sum of the balances above 0.'),
    overpaid: sum('The sum of the balances below 0, as a positive number.'),
    as_of: { ...TIME, description: 'When the totals were read, Unix seconds. They lag by at most two minutes.' },
  });
  const currencies = { type: 'array', items: currency, description: 'Every currency with money, by code.' } as const;
  return exact({ data, meta: exact({ ...meta.properties, currencies }) });
})();

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  balancesQuery: BALANCES_QUERY,
  payoutRunBody: PAYOUT_RUN_BODY,
  settlementsQuery: SETTLEMENTS_QUERY,
  payoutRunsQuery: PAYOUT_RUNS_QUERY,
  payoutFileQuery: PAYOUT_FILE_QUERY,
};
