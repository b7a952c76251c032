import { dayOf } from '../../kernel/days.ts';
import type { QueryEvent } from '../../kernel/http/validation.ts';
import { seconds } from '../../kernel/time.ts';
import { asReceived, example, firstRow, type Operations } from '../../openapi/operation.ts';
import { ADVOCATE, PAID } from '../../openapi/records.ts';
import { toAffiliateEntry, toEntry } from '../http/entry.ts';
import {
  parseLedgerQuery,
  parseOwnLedgerQuery,
  parseOwnStatementsQuery,
  parseStatementsQuery,
  toStatement,
} from '../http/reads/mapping.ts';
import type { LEDGER_READ_ROUTES } from '../http/reads/routes.ts';
import {
  ADVOCATES_PER_PAGE,
  ENTRY_LIST,
  LEDGER_QUERY,
  OWN_LEDGER_QUERY,
  OWN_STATEMENTS_QUERY,
  STATEMENT_DATA,
  STATEMENTS_DATA,
  STATEMENTS_QUERY,
} from '../http/reads/schema.ts';
import { paymentEntry } from '../rules/entry.ts';
import { newPayment, refund } from '../rules/payment.ts';
import { statementOf } from '../rules/statement.ts';
import { addEntry, noSums } from '../rules/sums.ts';

const NOW = seconds(Date.UTC(2026, 10, 2, 12) / 1000);
const at =
  <Result>(parse: (event: QueryEvent, now: typeof NOW) => Result) =>
  (event: QueryEvent): Result =>
    parse(event, NOW);

const PAYMENT = paymentEntry(
  PAID,
  { paymentId: 'in_1042', amount: 4900, currency: 'usd', paidAt: NOW },
  { id: '019b7c01-1f00-7a4d-8b3f-2c6d9e105a80', now: NOW, by: 'merchant' },
  null,
);
const { entry: REFUND } = refund(
  newPayment(PAYMENT),
  1200,
  { refundId: 're_1042', refundedAt: NOW },
  { id: '019b7c01-1f00-7a4d-8b3f-2c6d9e105a81', now: NOW, by: 'merchant' },
);

const SUMS = noSums();
for (const entry of [PAYMENT, REFUND]) addEntry(SUMS, entry);
const MONTH = '2026-11';
const STATEMENT = asReceived(
  toStatement(ADVOCATE.slug, statementOf(SUMS, MONTH, { today: dayOf(NOW), payableAfterDays: 0 })),
);

const ORDER =
  'newest first by `created_at`, with strong consistency: an entry is listed as soon as it is recorded. With a filter by value (`…_eq`), a page may hold fewer rows than asked, or none, although `Link` continues.';
const MONTHS =
  'Exact as of the moment of the response. `opening` + `commissions` + `adjustments` + `settlements` = `closing`. Entries count in the month in which they were recorded (`created_at`, UTC), so a month that ended more than a minute ago never changes. With `from` and `to`, `data` is an array of the months, newest first. After a 503, the next request continues the computation.';

const statements = (schema: typeof STATEMENT_DATA | typeof STATEMENTS_DATA, query: string) => ({
  200: {
    description: 'The statement, or several.',
    schema,
    examples: { one: example(`With \`${query}\``, { data: STATEMENT }) },
  },
});

/** Documents the operations that read the ledger. */
export const LEDGER_READ_OPERATIONS: Operations<typeof LEDGER_READ_ROUTES> = {
  listEntries: {
    summary: 'List entries of the ledger',
    description: `Lists what an advocate earned and was paid, ${ORDER}\n\n\`payment_id_eq\` instead of \`affiliate_slug\` lists one payment with its refunds and its void; an unknown payment has none. The advocate may be deactivated or erased.`,
    query: { schema: LEDGER_QUERY, parse: parseLedgerQuery, example: { affiliate_slug: ADVOCATE.slug } },
    successes: {
      200: {
        description: 'A page of entries.',
        headers: ['NextPage'],
        schema: ENTRY_LIST,
        examples: { one: firstRow(`affiliate_slug=${ADVOCATE.slug}&per_page=1`, toEntry(REFUND)) },
      },
    },
    errors: ['invalid_affiliate_slug'],
  },
  listOwnEntries: {
    summary: "List the affiliate's own entries",
    description: `Lists what the advocate of the token earned and was paid, ${ORDER}`,
    query: { schema: OWN_LEDGER_QUERY, parse: parseOwnLedgerQuery },
    successes: {
      200: {
        description: 'A page of entries.',
        headers: ['NextPage'],
        schema: ENTRY_LIST,
        examples: { one: firstRow('per_page=1', toAffiliateEntry(REFUND)) },
      },
    },
  },
  getStatements: {
    summary: 'Get statements',
    description: `Returns what an advocate earned and was paid in a month, in each currency. ${MONTHS}\n\nWithout \`affiliate_slug\`, lists the statements of a \`month\` for all advocates, newest advocate first. A page looks at ${ADVOCATES_PER_PAGE} advocates and leaves out statements without a currency: it may be short although \`Link\` continues.`,
    query: { schema: STATEMENTS_QUERY, parse: at(parseStatementsQuery), example: { month: MONTH } },
    successes: {
      200: {
        ...statements(STATEMENTS_DATA, `month=${MONTH}&affiliate_slug=${ADVOCATE.slug}`)[200],
        headers: ['NextPage'],
      },
    },
    errors: ['invalid_affiliate_slug'],
  },
  getOwnStatements: {
    summary: "Get the affiliate's own statements",
    description: `Returns what the advocate of the token earned and was paid in a month, in each currency. ${MONTHS}`,
    query: { schema: OWN_STATEMENTS_QUERY, parse: at(parseOwnStatementsQuery), example: { month: MONTH } },
    successes: statements(STATEMENT_DATA, `month=${MONTH}`),
  },
};
