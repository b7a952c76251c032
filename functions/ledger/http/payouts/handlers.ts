import { findProgram } from '../../../kernel/accounts/table/programs.ts';
import type { Table } from '../../../kernel/dynamodb/table.ts';
import { InvalidField } from '../../../kernel/errors.ts';
import type { HttpHandler } from '../../../kernel/http/context.ts';
import { cursorOf, listResponse } from '../../../kernel/http/list.ts';
import { json } from '../../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../../kernel/http/route-handler.ts';
import { exactNumbers } from '../../../kernel/json.ts';
import { secondOf } from '../../../kernel/time.ts';
import type { Entry } from '../../rules/entry-fields.ts';
import { PayoutRunNotFound } from '../../rules/errors.ts';
import { checkFormat, writePayoutFile } from '../../rules/payout-file.ts';
import { summarizeRuns } from '../../rules/payout-run.ts';
import { readBalances } from '../../table/balances.ts';
import { readSettlements } from '../../table/entry-pages.ts';
import { payAdvocates } from '../../table/payout-runs.ts';
import { readRunPayouts } from '../../table/run-payouts.ts';
import { toEntry } from '../entry.ts';
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
} from './mapping.ts';
import { PAYOUT_ROUTES } from './routes.ts';
import { MAX_IN_FILE } from './schema.ts';

/** The operations on what advocates are owed and paid. */
export const payoutHandlers = (service: Service<Table>) => ({
  listBalances: balancesHandler(service),
  payOut: payOutHandler(service),
  listSettlements: settlementsHandler(service, PAYOUT_ROUTES.listSettlements, {
    name: 'settlements',
    parse: parseSettlementsQuery,
    dataOf: (entries) => entries.map(toEntry),
  }),
  listPayoutRuns: settlementsHandler(service, PAYOUT_ROUTES.listPayoutRuns, {
    name: 'payout runs',
    parse: parsePayoutRunsQuery,
    dataOf: (entries) => summarizeRuns(entries).map(toPayoutRun),
  }),
  getPayoutFile: payoutFileHandler(service),
});

/** A list that is made from a page of settlements. */
interface SettlementsList {
  /** Distinguishes the cursors of the lists. It can never change, because cursors do not expire. */
  readonly name: 'settlements' | 'payout runs';
  readonly parse: typeof parseSettlementsQuery;
  readonly dataOf: (settlements: readonly Entry[]) => readonly unknown[];
}

/** `GET /v2/settlements`: all settlements of the program, newest first. `GET /v2/payout-runs`: their runs. */
function settlementsHandler(
  service: Service<Table>,
  route: typeof PAYOUT_ROUTES.listSettlements | typeof PAYOUT_ROUTES.listPayoutRuns,
  { name, parse, dataOf }: SettlementsList,
): HttpHandler {
  return routeHandler({
    route,
    service,
    input: parse,
    handle: async ({ caller: { program }, input: { paging, createdAt }, table, event }) => {
      const list = [name, program.id, createdAt];
      const { page, after } = cursorOf(paging, list);
      const { entries, next } = await readSettlements(table, program.id, createdAt, { after, size: paging.perPage });
      return listResponse(event, paging, list, { page, next, data: dataOf(entries) });
    },
  });
}

/** `GET /v2/payout-runs/{run}/file`: the file of a run in one currency. */
function payoutFileHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PAYOUT_ROUTES.getPayoutFile,
    service,
    input: (event) => parsePayoutFileQuery(event, secondOf(service.clock())),
    handle: async ({ caller, input, table }) => {
      // The caller's program may be 30 seconds old. A file must not pay from an account that was replaced.
      const program = (await findProgram(table, caller.program.id)) ?? caller.program;
      const request = { ...input, program, now: secondOf(table.clock()) };
      checkFormat(request);
      const payouts = await readRunPayouts(table, program.id, input.run, MAX_IN_FILE);
      if (payouts === undefined) {
        const limit = MAX_IN_FILE.toLocaleString('en-US');
        throw new InvalidField('run', `has more than ${limit} settlements: use ledger settle at the command line`);
      }
      if (payouts.length === 0) throw new PayoutRunNotFound();
      return json(200, { data: toPayoutFile(request, writePayoutFile(request, payouts)) });
    },
  });
}

/** `POST /v2/payout-runs`: settles what is payable of some advocates. */
function payOutHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PAYOUT_ROUTES.payOut,
    service,
    input: (_, body) => parsePayoutRun(body),
    handle: async ({ caller, input: { run, slugs }, table }) => {
      // Read now: a change of what is payable counts immediately, as at the command line.
      const program = (await findProgram(table, caller.program.id)) ?? caller.program;
      return json(200, { data: toPayouts(run, await payAdvocates(table, program, run, slugs)) });
    },
  });
}

/** `GET /v2/balances`: the advocates whose balance is not 0, and what is owed in each currency. */
export function balancesHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PAYOUT_ROUTES.listBalances,
    service,
    input: parseBalancesQuery,
    handle: async ({ caller: { program, token }, input: { paging, currency: given }, table, event }) => {
      const list = ['balances', program.id, given];
      const { page, after } = cursorOf(paging, list);
      const found = await readBalances(table, program, given, { after, size: paging.perPage });
      const { currency, rows, next, asOf: as_of } = found;
      const data = rows.map((row) => exactNumbers(toBalance(currency ?? '', row, token)));
      const currencies = found.currencies.map((each) => exactNumbers({ ...each, as_of }));
      return listResponse(event, paging, list, { page, next, data, more: { currencies } });
    },
  });
}
