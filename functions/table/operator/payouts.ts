import type { Advocate } from '../../domain/advocate.ts';
import { EntryExists } from '../../domain/ledger/errors.ts';
import { MAX_AMOUNT } from '../../domain/ledger/money.ts';
import { balancesOf, type Statement, statementOf } from '../../domain/ledger/statement.ts';
import type { Program } from '../../domain/program.ts';
import type { Month } from '../../domain/statistics/days.ts';
import { parseListedAdvocate } from '../advocates.ts';
import { indexPages } from '../dynamodb/index-pages.ts';
import { get, type Table } from '../dynamodb/table.ts';
import { entryClaimKey, programAdvocates } from '../keys.ts';
import { ENTRY_LIMIT } from '../ledger/entries.ts';
import { claimedEntry, recordSettlement } from '../ledger/entry-claims.ts';
import { readSums, termsOf } from '../ledger/sums.ts';

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
 * Settles what is payable of each advocate of a program, and yields it. A run can be interrupted, repeated, and run twice at
 * the same time: it yields what it has settled before, and settles for each advocate once. Throws `EntryExists` if a
 * settlement of another advocate or currency has an id of the run.
 */
export async function* payOut(table: Table, program: Program, run: PayoutRun): AsyncGenerator<Payout, void> {
  for await (const payout of planPayouts(table, program, run)) {
    const { advocate, amount, id } = payout;
    if (payout.isSettled) {
      yield payout;
      continue;
    }
    const settlement = { slug: advocate.slug, settlementId: id, amount, currency: run.currency };
    const ledger = { program: program.id, by: 'operator' } as const;
    try {
      const operation = table.forOneOperation(ENTRY_LIMIT);
      await recordSettlement(operation, ledger, { ...settlement, reference: null, settledAt: null });
      yield payout;
    } catch (error) {
      // The same run elsewhere has settled another amount, which counts.
      const settled = error instanceof EntryExists && (await settledAmount(table, program, settlement));
      if (!settled) throw error;
      yield { advocate, amount: settled, id };
    }
  }
}

/** Yields what a run has settled, and what it would settle. */
export async function* planPayouts(table: Table, program: Program, { name, currency, minimum }: PayoutRun) {
  for await (const advocate of listedAdvocates(table, program.id)) {
    const id = `${name}:${currency}:${advocate.slug}`;
    // Read first: if the same run elsewhere settles it in between, its settlement is found.
    const payable = await payableAmount(table, program, advocate.slug, currency);
    const settled = await settledAmount(table, program, { slug: advocate.slug, settlementId: id, currency });
    const amount = settled ?? payable;
    if (settled !== undefined || amount >= minimum) yield { advocate, amount, id, isSettled: settled !== undefined };
  }
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

/** What is payable, at most what a settlement can have; the rest stays for the next run. */
async function payableAmount(table: Table, program: Program, slug: string, currency: string): Promise<number> {
  const balances = balancesOf(await readSums(table, program.id, slug), termsOf(table, program));
  return Math.min(Number(balances.get(currency)?.payable ?? 0n), MAX_AMOUNT);
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
