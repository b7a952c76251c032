import { ADVOCATE_FIELDS } from '../../../kernel/accounts/rules/advocate-fields.ts';
import type { CallingToken } from '../../../kernel/accounts/rules/caller.ts';
import { visibleAccount } from '../../../kernel/accounts/rules/payout-account.ts';
import { type Day, dayOf, parseDay } from '../../../kernel/days.ts';
import { InvalidField } from '../../../kernel/errors.ts';
import { attributesIn } from '../../../kernel/fields/field-list.ts';
import { parseSlug } from '../../../kernel/fields/fields.ts';
import { parseCurrency } from '../../../kernel/fields/money.ts';
import type { HttpEvent } from '../../../kernel/http/context.ts';
import { type Paging, parsePaging, parseRange } from '../../../kernel/http/list.ts';
import { type QueryEvent, validBody, validQuery } from '../../../kernel/http/validation.ts';
import { exactNumbers } from '../../../kernel/json.ts';
import type { Seconds, SecondsRange } from '../../../kernel/time.ts';
import { batchIdOf, type FileRequest, type PayoutFile } from '../../rules/payout-file.ts';
import {
  type PayoutFormat,
  type PayoutRun,
  parseRunName,
  type RunReference,
  type RunSummary,
  runIdOf,
} from '../../rules/payout-run.ts';
import type { OwedAdvocate } from '../../table/balances.ts';
import type { PaidPlan } from '../../table/payout-runs.ts';
import {
  BALANCES_QUERY,
  PAYOUT_FILE_QUERY,
  PAYOUT_RUNS_QUERY,
  SETTLEMENTS_PER_PAGE,
  SETTLEMENTS_QUERY,
} from './schema.ts';
import { balancesQuery, payoutFileQuery, payoutRunBody, payoutRunsQuery, settlementsQuery } from './validators.js';

/** Parses a payout run and the advocates that it pays, each once. Throws `InvalidField`. */
export function parsePayoutRun(json: unknown): { readonly run: PayoutRun; readonly slugs: readonly string[] } {
  const { run, currency, slugs, minimum } = validBody(json, payoutRunBody);
  return {
    run: {
      name: parseRunName('run', run),
      currency: parseCurrency('currency', currency),
      minimum: minimum ?? 1,
    },
    slugs: [...new Set(slugs.map((slug) => parseSlug('slugs', slug)))],
  };
}

/** Builds the resource of what a run paid to some advocates. */
export function toPayouts(run: RunReference, plans: readonly PaidPlan[]) {
  const settled = plans.flatMap(({ slug, plan }) => {
    if (!('payout' in plan)) return [];
    const { id, amount } = plan.payout;
    return [{ affiliate_slug: slug, settlement_id: id, amount, was_settled: plan.isSettled }];
  });
  const left_out = plans.flatMap(({ slug, plan }) =>
    'notPaid' in plan ? [{ affiliate_slug: slug, reason: plan.notPaid }] : [],
  );
  const { name, currency } = run;
  return { id: runIdOf(run), type: 'payouts', attributes: { run: name, currency, settled, left_out } } as const;
}

interface SettlementsInput {
  readonly paging: Paging;
  readonly createdAt: SecondsRange | undefined;
}

/** Parses the query of the list of settlements. Throws `InvalidField`. */
export function parseSettlementsQuery(event: QueryEvent): SettlementsInput {
  const query = validQuery(event, SETTLEMENTS_QUERY, settlementsQuery);
  const createdAt = parseRange('created_at', query.created_at_gt, query.created_at_lt);
  return { paging: parsePaging(query), createdAt };
}

/** Parses the query of the list of runs. Throws `InvalidField`. */
export function parsePayoutRunsQuery(event: QueryEvent): SettlementsInput {
  const query = validQuery(event, PAYOUT_RUNS_QUERY, payoutRunsQuery);
  const createdAt = parseRange('created_at', query.created_at_gt, query.created_at_lt);
  return { paging: { ...parsePaging(query), perPage: SETTLEMENTS_PER_PAGE }, createdAt };
}

/** Parses the query of a run's file. Throws `InvalidField`. */
export function parsePayoutFileQuery(
  event: QueryEvent & Partial<Pick<HttpEvent, 'pathParameters'>>,
  now: Seconds,
): { readonly run: RunReference; readonly format: PayoutFormat; readonly date: Day } {
  const { currency, format, date } = validQuery(event, PAYOUT_FILE_QUERY, payoutFileQuery);
  if (date !== undefined && format !== 'sepa') throw new InvalidField('date', 'is only for sepa: remove it');
  return {
    run: {
      name: parseRunName('run', event.pathParameters?.['run'] ?? ''),
      currency: parseCurrency('currency', currency),
    },
    format,
    date: date === undefined ? dayOf(now) : parseDay('date', date),
  };
}

/** Builds the resource of a run in the list. */
export function toPayoutRun({ name, currency, settlements, amount, firstAt, lastAt }: RunSummary) {
  const attributes = { run: name, currency, settlements, amount, first_at: firstAt, last_at: lastAt };
  return exactNumbers({ id: runIdOf({ name, currency }), type: 'payout_run', attributes });
}

/** Ends of the names of files, so that the two CSV files of a run differ. */
const FILE_ENDS: Readonly<Record<PayoutFormat, string>> = { csv: '.csv', paypal: '-paypal.csv', sepa: '.xml' };

/** Builds the resource of a run's file. */
export function toPayoutFile(request: FileRequest, { text, leftOut }: PayoutFile) {
  const id = batchIdOf(request);
  const isXml = request.format === 'sepa';
  const left_out = leftOut.map(({ payout, reason }) => ({
    affiliate_slug: payout.advocate.slug,
    settlement_id: payout.id,
    amount: payout.amount,
    reason,
  }));
  const name = id.replace(/[^A-Za-z0-9.+-]/g, '_') + FILE_ENDS[request.format];
  const attributes = { name, media_type: isXml ? 'text/xml' : 'text/csv', content: text, left_out };
  return { id, type: 'payout_file', attributes } as const;
}

/** Parses the currency and the paging of balances. Throws `InvalidField`. */
export function parseBalancesQuery(event: QueryEvent): {
  readonly currency: string | undefined;
  readonly paging: Paging;
} {
  const query = validQuery(event, BALANCES_QUERY, balancesQuery);
  const { currency } = query;
  return {
    currency: currency === undefined ? undefined : parseCurrency('currency', currency),
    paging: { ...parsePaging(query), perPage: query.per_page ?? BALANCES_QUERY.properties.per_page.default },
  };
}

/** Builds the resource of a balance, with the payout account if the token may see it. Its sums are `bigint`, as a statement's. */
export function toBalance(
  currency: string,
  { advocate, balance: { balance, payable, payableFrom } }: OwedAdvocate,
  token: Pick<CallingToken, 'scopes'>,
) {
  const { slug: id, firstName: first_name, lastName: last_name, active } = advocate;
  const money = { currency, balance, payable, waiting: balance - payable, payable_from: payableFrom };
  const account = attributesIn(ADVOCATE_FIELDS, 'payouts', visibleAccount(token, advocate));
  return { id, type: 'balance', attributes: { first_name, last_name, active, ...money, ...account } } as const;
}
