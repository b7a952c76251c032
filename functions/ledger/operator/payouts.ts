import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import type { Month } from '../../kernel/days.ts';
import { indexPages } from '../../kernel/dynamodb/index-pages.ts';
import { entryClaimKey, programAdvocates } from '../../kernel/dynamodb/keys.ts';
import { get, type Table } from '../../kernel/dynamodb/table.ts';
import { MAX_AMOUNT } from '../../kernel/fields/money.ts';
import { BalanceChanged, EntryExists } from '../rules/errors.ts';
import { balancesOf, type Statement, statementOf } from '../rules/statement.ts';
import { ENTRY_LIMIT } from '../table/entries.ts';
import { claimedEntry } from '../table/entry-claims.ts';
import { recordSettlement } from '../table/settlements.ts';
import { readSums, termsOf } from '../table/sums.ts';

/** A payout run: its settlements have ids that contain its name, the currency and the advocate's slug. */
export interface PayoutRun {
  readonly name: string;
  readonly currency: string;
  /** The least amount that is paid. */
  readonly minimum: number;
}

type PaidAdvocate = Pick<Advocate, 'slug' | 'email' | 'firstName' | 'lastName'>;

/** What an advocate is paid by a run. */
export interface Payout {
  readonly advocate: PaidAdvocate;
  readonly amount: number;
  /** The id of the settlement. */
  readonly id: string;
}

/**
 * Settles what is payable of each advocate of a program, and yields it. A run can be interrupted, repeated, and run at the
 * same time as others, whatever their names: it yields what it has settled before, and pays nothing that another
 * settlement has paid. Throws `EntryExists` if a settlement of another advocate or currency has an id of the run.
 */
export async function* payOut(table: Table, program: Program, run: PayoutRun): AsyncGenerator<Payout, void> {
  for await (const advocate of listedAdvocates(table, program.id)) {
    const payout = await payAdvocate(table, program, run, advocate);
    if (payout) yield payout;
  }
}

/** Settles what is payable of an advocate. Plans anew if another settlement came first. */
async function payAdvocate(
  table: Table,
  program: Program,
  run: PayoutRun,
  advocate: PaidAdvocate,
): Promise<Payout | undefined> {
  for (;;) {
    const plan = await planPayout(table, program, run, advocate);
    if (!plan || plan.isSettled) return plan;
    const { amount, id, settlementCount } = plan;
    const settlement = { slug: advocate.slug, settlementId: id, amount, currency: run.currency, settlementCount };
    const operation = table.forOneOperation(ENTRY_LIMIT);
    try {
      const ledger = { program: program.id, by: 'operator' } as const;
      await recordSettlement(operation, ledger, { ...settlement, reference: null, settledAt: null });
      return plan;
    } catch (error) {
      // The same run elsewhere has settled another amount, which counts.
      if (!(error instanceof BalanceChanged || error instanceof EntryExists)) throw error;
    }
  }
}

/** Yields what a run has settled, and what it would settle. */
export async function* planPayouts(table: Table, program: Program, run: PayoutRun): AsyncGenerator<Payout, void> {
  for await (const advocate of listedAdvocates(table, program.id)) {
    const plan = await planPayout(table, program, run, advocate);
    if (plan) yield plan;
  }
}

/** What a run has settled of an advocate, or would settle; `undefined` if nothing. */
async function planPayout(
  table: Table,
  program: Program,
  { name, currency, minimum }: PayoutRun,
  advocate: PaidAdvocate,
) {
  const id = `${name}:${currency}:${advocate.slug}`;
  // Read first: if the same run elsewhere settles it in between, its settlement is found.
  const balances = balancesOf(await readSums(table, program.id, advocate.slug), termsOf(table, program));
  const { payable = 0n, settlementCount = 0 } = balances.get(currency) ?? {};
  const settled = await settledAmount(table, program, { slug: advocate.slug, settlementId: id, currency });
  if (settled !== undefined) return { advocate, amount: settled, id, settlementCount, isSettled: true };
  // The rest stays for the next run.
  const amount = Math.min(Number(payable), MAX_AMOUNT);
  return amount >= minimum ? { advocate, amount, id, settlementCount, isSettled: false } : undefined;
}

/**
 * Returns the amount of a settlement; `undefined` if it does not exist. Throws `EntryExists` if it belongs to another
 * advocate or currency.
 */
async function settledAmount(
  table: Table,
  program: Program,
  { slug, settlementId, currency }: { readonly slug: string; readonly settlementId: string; readonly currency: string },
): Promise<number | undefined> {
  const claim = await get(table, entryClaimKey(program.id, 'settlement', settlementId));
  if (!claim) return undefined;
  const entry = await claimedEntry(table, program.id, claim);
  if (entry.advocateSlug !== slug || entry.currency !== currency) throw new EntryExists('settlement');
  return -entry.commission;
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
