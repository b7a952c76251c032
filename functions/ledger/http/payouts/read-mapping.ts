import { type Day, dayOf, parseDay } from '../../../kernel/days.ts';
import { InvalidField } from '../../../kernel/errors.ts';
import { parseCurrency } from '../../../kernel/fields/money.ts';
import type { HttpEvent } from '../../../kernel/http/context.ts';
import { type Paging, parsePaging, parseRange } from '../../../kernel/http/list.ts';
import { type QueryEvent, validQuery } from '../../../kernel/http/validation.ts';
import { exactNumbers } from '../../../kernel/json.ts';
import type { Seconds, SecondsRange } from '../../../kernel/time.ts';
import { batchIdOf, type FileRequest, type PayoutFile } from '../../rules/payout-file.ts';
import {
  type PayoutFormat,
  parseRunName,
  type RunReference,
  type RunSummary,
  runIdOf,
} from '../../rules/payout-run.ts';
import { PAYOUT_FILE_QUERY, PAYOUT_RUNS_QUERY, SETTLEMENTS_PER_PAGE, SETTLEMENTS_QUERY } from './schema.ts';
import { payoutFileQuery, payoutRunsQuery, settlementsQuery } from './validators.js';

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
  const name = `${id.replace(/[^A-Za-z0-9.+-]/g, '_')}.${isXml ? 'xml' : 'csv'}`;
  const attributes = { name, media_type: isXml ? 'text/xml' : 'text/csv', content: text, left_out };
  return { id, type: 'payout_file', attributes } as const;
}
