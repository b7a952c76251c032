import type { Program } from '../../../kernel/accounts/rules/program.ts';
import { findAdvocate, readAdvocates } from '../../../kernel/accounts/table/advocate-items.ts';
import type { Month } from '../../../kernel/days.ts';
import type { Table } from '../../../kernel/dynamodb/table.ts';
import { InvalidAffiliate } from '../../../kernel/errors.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../../../kernel/http/context.ts';
import { cursorOf, listResponse, type Paging, startOf } from '../../../kernel/http/list.ts';
import { json } from '../../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../../kernel/http/route-handler.ts';
import { exactNumbers } from '../../../kernel/json.ts';
import { secondOf } from '../../../kernel/time.ts';
import type { Entry } from '../../rules/entry-fields.ts';
import { type PaymentTerms, statementOf } from '../../rules/statement.ts';
import type { Sums } from '../../rules/sums.ts';
import {
  type EntryPage,
  type EntryPaging,
  readEntries,
  readPaymentEntries,
  readReferralEntries,
} from '../../table/entry-pages.ts';
import { readSums, readSumsOf, termsOf } from '../../table/sums.ts';
import { toAffiliateEntry, toEntry } from '../entry.ts';
import {
  parseLedgerQuery,
  parseOwnLedgerQuery,
  parseOwnStatementsQuery,
  parseStatementsQuery,
  toStatement,
} from './mapping.ts';
import { LEDGER_READ_ROUTES } from './routes.ts';

/** `GET /v2/ledger`: the entries of an advocate, newest first, or a payment with its refunds and its void. */
export function ledgerHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: LEDGER_READ_ROUTES.listEntries,
    service,
    input: parseLedgerQuery,
    handle: async ({ caller: { program }, input, table, event }) => {
      const { paging } = input;
      if ('paymentId' in input) {
        const { paymentId } = input;
        const name = ['ledger of a payment', program.id, paymentId];
        const read = (page: EntryPaging) => readPaymentEntries(table, program.id, paymentId, page);
        return listEntries(event, paging, name, { read, resourceOf: toEntry });
      }
      const isReferral = 'referral' in input;
      const { slug } = isReferral ? input.referral : input;
      const read = async (page: EntryPaging) => {
        const found = isReferral
          ? await readReferralEntries(table, program.id, input.referral, page)
          : await readEntries(table, { program: program.id, slug: input.slug }, input.filters, page);
        const isNothing = found.entries.length === 0 && slug !== undefined;
        if (isNothing && !(await findAdvocate(table, program.id, slug))) throw new InvalidAffiliate();
        return found;
      };
      const name = isReferral
        ? ['ledger of a referral', program.id, input.referral]
        : ['ledger', program.id, slug, input.filters];
      return listEntries(event, paging, name, { read, resourceOf: toEntry });
    },
  });
}

/** `GET /v2/affiliate/ledger`: the entries of the token's advocate, newest first. */
export function ownLedgerHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: LEDGER_READ_ROUTES.listOwnEntries,
    service,
    input: parseOwnLedgerQuery,
    handle: ({ caller: { program, advocate }, input, table, event }) => {
      const { slug } = advocate;
      const owner = { program: program.id, slug };
      const read = (page: EntryPaging) =>
        'referral' in input
          ? readReferralEntries(table, program.id, { ...input.referral, slug }, page)
          : readEntries(table, owner, input.filters, page);
      const filters = 'referral' in input ? input.referral : input.filters;
      return listEntries(event, input.paging, ['own ledger', owner, filters], { read, resourceOf: toAffiliateEntry });
    },
  });
}

/** How the entries of a list are read and shown. */
interface EntryList {
  readonly read: (paging: EntryPaging) => Promise<EntryPage>;
  readonly resourceOf: (entry: Entry) => unknown;
}

/** Responds with a page of entries. `list` identifies list, filters and owner for its cursors. */
async function listEntries(
  event: HttpEvent,
  paging: Paging,
  list: unknown,
  { read, resourceOf }: EntryList,
): Promise<HttpResult> {
  const { page, after } = cursorOf(paging, list);
  const { entries, next } = await read({ after, size: paging.perPage });
  return listResponse(event, paging, list, { page, next, data: entries.map(resourceOf) });
}

/** `GET /v2/statements`: the statements of an advocate, or of all advocates for a month. */
export function statementsHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: LEDGER_READ_ROUTES.getStatements,
    service,
    input: (event) => parseStatementsQuery(event, secondOf(service.clock())),
    handle: async ({ caller: { program }, input, table, event }) => {
      if (!('slug' in input)) return listStatements(table, event, program, input);
      const { slug, months, isRange } = input;
      const sums = await readSums(table, program.id, slug);
      if (sums.months.size === 0 && !(await findAdvocate(table, program.id, slug))) throw new InvalidAffiliate();
      const data = statementsOf(slug, sums, months, termsOf(table, program));
      return json(200, exactNumbers({ data: isRange ? data : data[0] }));
    },
  });
}

/** `GET /v2/affiliate/statements`: the statements of the token's advocate. */
export function ownStatementsHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: LEDGER_READ_ROUTES.getOwnStatements,
    service,
    input: (event) => parseOwnStatementsQuery(event, secondOf(service.clock())),
    handle: async ({ caller: { program, advocate }, input: { months, isRange }, table }) => {
      const sums = await readSums(table, program.id, advocate.slug);
      const data = statementsOf(advocate.slug, sums, months, termsOf(table, program));
      return json(200, exactNumbers({ data: isRange ? data : data[0] }));
    },
  });
}

/** Responds with the statements of the next advocates, in the order of their list. Empty ones are left out. */
async function listStatements(
  table: Table,
  event: HttpEvent,
  program: Program,
  { month, paging }: { readonly month: Month; readonly paging: Paging },
): Promise<HttpResult> {
  const list = ['statements', program.id, month];
  const { page, start } = startOf(paging, list);
  const { advocates, next } = await readAdvocates(table, program.id, {}, { start, size: paging.perPage });
  const slugs = advocates.map(({ slug }) => slug);
  const terms = termsOf(table, program);
  const all = await readSumsOf(table, program.id, slugs);
  const data = slugs
    .flatMap((slug, index) => statementsOf(slug, all[index], [month], terms))
    .filter(({ attributes }) => attributes.currencies.length > 0);
  return listResponse(event, paging, list, { page, next, data: data.map(exactNumbers) });
}

const statementsOf = (slug: string, sums: Sums | undefined, months: readonly Month[], terms: PaymentTerms) =>
  sums ? months.map((month) => toStatement(slug, statementOf(sums, month, terms))) : [];
