import { dayOf } from '../../kernel/days.ts';
import { seconds } from '../../kernel/time.ts';
import { asReceived, example, firstRow, type Json, type Operations } from '../../openapi/operation.ts';
import { ADVOCATE, PROGRAM } from '../../openapi/records.ts';
import { toEntry } from '../http/entry.ts';
import {
  parseBalancesQuery,
  parsePayoutFileQuery,
  parsePayoutRun,
  parsePayoutRunsQuery,
  parseSettlementsQuery,
  toBalance,
  toPayoutFile,
  toPayoutRun,
  toPayouts,
} from '../http/payouts/mapping.ts';
import type { PAYOUT_ROUTES } from '../http/payouts/routes.ts';
import {
  BALANCE_LIST,
  BALANCES_QUERY,
  MAX_IN_FILE,
  MAX_PAID,
  PAYOUT_FILE_DATA,
  PAYOUT_FILE_QUERY,
  PAYOUT_RUN_BODY,
  PAYOUT_RUN_LIST,
  PAYOUT_RUNS_QUERY,
  PAYOUTS_DATA,
  SETTLEMENTS_PER_PAGE,
  SETTLEMENTS_QUERY,
} from '../http/payouts/schema.ts';
import { ENTRY_LIST } from '../http/reads/schema.ts';
import { settlementEntry } from '../rules/entry.ts';
import { writePayoutFile } from '../rules/payout-file.ts';
import { settlementIdOf, summarizeRuns } from '../rules/payout-run.ts';

const NOW = seconds(Date.UTC(2026, 10, 2, 12) / 1000);
const BODY = { run: '2026-10', currency: 'eur', slugs: [ADVOCATE.slug] };
const { run } = parsePayoutRun(BODY);
const settlementId = settlementIdOf(run, ADVOCATE.slug);
const PAYOUT = { advocate: ADVOCATE, id: settlementId, amount: 3240, payoutVersion: 1 };
const SETTLED = settlementEntry(
  { slug: ADVOCATE.slug, settlementId, amount: 3240, currency: 'eur', reference: null, settledAt: null },
  { id: '019b7c01-1f00-7a4d-8b3f-2c6d9e105a85', now: NOW, by: 'merchant' },
);
const FILE = { format: 'paypal', run, program: PROGRAM, now: NOW, date: '2026-11-02' } as const;
const PLANS = [{ slug: ADVOCATE.slug, plan: { payout: PAYOUT, isSettled: false, settlementCount: 0 } }];

/** As clients receive it. */
const RUNS: Json = JSON.parse(
  JSON.stringify({
    data: summarizeRuns([SETTLED]).map(toPayoutRun),
    meta: { pagination: { page: 1, per_page: SETTLEMENTS_PER_PAGE, has_more: false } },
  }),
);

const BALANCED = asReceived(
  toBalance(
    'usd',
    { advocate: ADVOCATE, balance: { balance: 3740n, payable: 740n, payableFrom: dayOf(NOW), settlementCount: 0 } },
    { scopes: ['payouts'] },
  ),
);

/** Documents the operations of payout runs. */
export const PAYOUT_OPERATIONS: Operations<typeof PAYOUT_ROUTES> = {
  listBalances: {
    summary: 'List balances',
    description: `Lists the advocates whose balance in one currency is not 0, the largest first. The numbers of a row are exact, from the advocate's entries; which advocates are listed, and in which order, follows from totals, which lag by at most two minutes. A balance that changes while a client pages may repeat or be missing: pay by statements or payout runs, never by this list.`,
    query: { schema: BALANCES_QUERY, parse: parseBalancesQuery },
    successes: {
      200: {
        description: 'A page of balances.',
        headers: ['NextPage'],
        schema: BALANCE_LIST,
        examples: {
          one: example('With `currency=usd&per_page=1`', {
            data: [BALANCED],
            meta: {
              pagination: { page: 1, per_page: 1, has_more: true },
              currencies: [{ currency: 'usd', owed: 12_940, overpaid: 0, as_of: NOW }],
            },
          }),
        },
      },
    },
  },
  payOut: {
    summary: 'Pay out',
    description: `Settles what is payable of at most ${MAX_PAID} advocates, each as \`ledger settle --all\` does and under the same id: a repetition pays nobody twice. It moves no money. After a 503 or a 409, what was settled stays: repeat the request, or choose another name for the rest.`,
    body: {
      schema: PAYOUT_RUN_BODY,
      parse: parsePayoutRun,
      examples: { one: example('What is payable of one advocate', BODY) },
    },
    successes: {
      200: {
        description: 'What the run settled of these advocates, now or before, and whom it left out.',
        schema: PAYOUTS_DATA,
        examples: { one: example('What is payable of one advocate', { data: toPayouts(run, PLANS) }) },
      },
    },
    errors: ['invalid_affiliate_slug', 'settlement_exists'],
  },
  listSettlements: {
    summary: 'List settlements',
    description: 'Lists all settlements of the program, newest first, in full pages.',
    query: { schema: SETTLEMENTS_QUERY, parse: parseSettlementsQuery },
    successes: {
      200: {
        description: 'A page of settlements.',
        headers: ['NextPage'],
        schema: ENTRY_LIST,
        examples: { one: firstRow('per_page=1', toEntry(SETTLED)) },
      },
    },
  },
  listPayoutRuns: {
    summary: 'List payout runs',
    description: `Lists payout runs, newest first. A page adds up the runs of the next ${SETTLEMENTS_PER_PAGE} settlements: a run that goes on after it is also on the next page, with the rest of its numbers.`,
    query: { schema: PAYOUT_RUNS_QUERY, parse: parsePayoutRunsQuery },
    successes: {
      200: {
        description: 'The runs of some settlements.',
        headers: ['NextPage'],
        schema: PAYOUT_RUN_LIST,
        examples: { one: example('One run', RUNS) },
      },
    },
  },
  getPayoutFile: {
    summary: 'Get the file of a payout run',
    description: `Returns the file of a run in one currency, of at most ${MAX_IN_FILE.toLocaleString('en-US')} settlements, as text in JSON. \`left_out\` lists what the file does not pay, and why.`,
    query: {
      schema: PAYOUT_FILE_QUERY,
      parse: (event) => parsePayoutFileQuery(event, NOW),
      example: { currency: 'eur', format: 'csv' },
    },
    successes: {
      200: {
        description: 'The file.',
        schema: PAYOUT_FILE_DATA,
        examples: { one: example("PayPal's file", { data: toPayoutFile(FILE, writePayoutFile(FILE, [PAYOUT])) }) },
      },
    },
    errors: ['payout_run_not_found'],
  },
};
