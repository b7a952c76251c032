import type { Program } from '../../kernel/accounts/rules/program.ts';
import { parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import type { Month } from '../../kernel/days.ts';
import { indexPages } from '../../kernel/dynamodb/index-pages.ts';
import { programAdvocates } from '../../kernel/dynamodb/keys.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import type { Payout, PayoutRun } from '../rules/payout-run.ts';
import { type Statement, statementOf } from '../rules/statement.ts';
import { type PayoutPlan, payAdvocate, planPayout } from '../table/payout-runs.ts';
import { readSums, termsOf } from '../table/sums.ts';

/** Called with the slug of an advocate whom a run leaves out because its payout account is pending. */
type OnPending = (slug: string) => void;

/**
 * Settles what is payable of each advocate of a program, and yields it. A run can be interrupted, repeated, and run at the
 * same time as others, whatever their names: it yields what it has settled before, and pays nothing that another
 * settlement has paid. Throws `EntryExists` if a settlement of another advocate or currency has an id of the run.
 */
export function payOut(table: Table, program: Program, run: PayoutRun, onPending?: OnPending) {
  const pay = (slug: string) => payAdvocate(table, program, run, { slug, by: 'operator' });
  return payoutsOf(table, program, pay, onPending);
}

/** Yields what a run has settled, and what it would settle. */
export function planPayouts(table: Table, program: Program, run: PayoutRun, onPending?: OnPending) {
  return payoutsOf(table, program, (slug) => planPayout(table, program, run, slug), onPending);
}

async function* payoutsOf(
  table: Table,
  program: Program,
  planOf: (slug: string) => Promise<PayoutPlan>,
  onPending: OnPending = () => undefined,
): AsyncGenerator<Payout, void> {
  for await (const { slug } of listedAdvocates(table, program.id)) {
    const plan = await planOf(slug);
    if ('payout' in plan) yield plan.payout;
    else if (plan.notPaid === 'payout_pending') onPending(slug);
  }
}

/** Yields the statements of a month of all advocates that have one, in the order of their list. */
export async function* statementsOf(table: Table, program: Program, month: Month) {
  for await (const { slug } of listedAdvocates(table, program.id)) {
    const statement = await readStatement(table, program, slug, month);
    if (statement.currencies.length > 0) yield { slug, statement };
  }
}

/** Reads the statement of a month of an advocate. */
export async function readStatement(table: Table, program: Program, slug: string, month: Month): Promise<Statement> {
  return statementOf(await readSums(table, program.id, slug), month, termsOf(table, program));
}

async function* listedAdvocates(table: Table, program: string) {
  for await (const rows of indexPages(table, 'by_created_at', programAdvocates(program))) {
    yield* rows.map(parseListedAdvocate);
  }
}
