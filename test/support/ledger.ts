import type { Program } from '../../functions/domain/program.ts';
import { milliseconds } from '../../functions/domain/time.ts';
import { recordSettlement } from '../../functions/table/ledger/entry-claims.ts';
import { newId } from './program.ts';
import { atTime, inParallel, type TestTable } from './table.ts';

/** Records settlements of an advocate, old enough for a stored sum. */
export async function someSettlements(
  table: TestTable,
  program: Pick<Program, 'id'>,
  slug: string,
  count: number,
): Promise<void> {
  const before = atTime(table, () => milliseconds(table.clock() - 120_000));
  const ledger = { program: program.id, by: 'merchant' } as const;
  const money = { amount: 1, currency: 'usd', reference: null, settledAt: null };
  const ids = Array.from({ length: count }, () => newId());
  await inParallel(ids, (settlementId) => recordSettlement(before, ledger, { slug, settlementId, ...money }));
}
