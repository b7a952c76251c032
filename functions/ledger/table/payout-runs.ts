import { isPending, payoutVersionOf } from '../../kernel/accounts/rules/payout-account.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { parseAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { advocateKey, entryClaimKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { InvalidAffiliate } from '../../kernel/errors.ts';
import { MAX_AMOUNT } from '../../kernel/fields/money.ts';
import { secondOf } from '../../kernel/time.ts';
import { BalanceChanged, EntryExists } from '../rules/errors.ts';
import { type NotPaid, type Payout, type PayoutRun, settlementIdOf } from '../rules/payout-run.ts';
import { balancesOf } from '../rules/statement.ts';
import { ENTRY_LIMIT, type Ledger } from './entries.ts';
import { claimedEntry } from './entry-claims.ts';
import { recordSettlement } from './settlements.ts';
import { readSums, termsOf } from './sums.ts';

/** What a run has settled of an advocate, or would settle, or why it pays nothing. */
export type PayoutPlan =
  | { readonly payout: Payout; readonly isSettled: boolean; readonly settlementCount: number }
  | { readonly notPaid: NotPaid };

/** A plan, and the advocate of whom it is. */
export interface PaidPlan {
  readonly slug: string;
  readonly plan: PayoutPlan;
}

/** Advocates that are paid at the same time. */
const AT_ONCE = 10;

/**
 * Pays several advocates as `payAdvocate` does, in their order. What was settled stays if it throws: repeat it. Throws
 * `InvalidAffiliate` before it settles anything if an advocate is unknown.
 */
export async function payAdvocates(
  table: Table,
  program: Program,
  run: PayoutRun,
  slugs: readonly string[],
): Promise<readonly PaidPlan[]> {
  const keys = slugs.map((slug) => advocateKey(program.id, slug));
  if ((await batchGet(table, keys, { consistent: false })).includes(undefined)) throw new InvalidAffiliate();
  const plans: PaidPlan[] = [];
  for (let start = 0; start < slugs.length; start += AT_ONCE) {
    const group = slugs.slice(start, start + AT_ONCE).map(async (slug) => {
      return { slug, plan: await payAdvocate(table, program, run, { slug, by: 'merchant' }) };
    });
    // All of them end before the request does.
    for (const outcome of await Promise.allSettled(group)) {
      if (outcome.status === 'rejected') throw outcome.reason;
      plans.push(outcome.value);
    }
  }
  return plans;
}

/**
 * Settles what is payable of an advocate, unless the run has settled it before. Plans anew if another settlement came
 * first: the run pays nothing that another one has paid. Throws `EntryExists` if a settlement of another advocate or
 * currency has the id, or `InvalidAffiliate`.
 */
export async function payAdvocate(
  table: Table,
  program: Program,
  run: PayoutRun,
  { slug, by }: { readonly slug: string; readonly by: Ledger['by'] },
): Promise<PayoutPlan> {
  for (;;) {
    const plan = await planPayout(table, program, run, slug);
    if ('notPaid' in plan || plan.isSettled) return plan;
    const { payout, settlementCount } = plan;
    const { id: settlementId, amount } = payout;
    const money = { amount, currency: run.currency, reference: null, settledAt: null };
    const operation = table.forOneOperation(ENTRY_LIMIT);
    try {
      const settlement = { slug, settlementId, ...money, settlementCount };
      const { entry } = await recordSettlement(operation, { program: program.id, by }, settlement);
      return { ...plan, payout: { ...payout, payoutVersion: entry.payoutVersion } };
    } catch (error) {
      // The same run elsewhere has settled another amount, which counts.
      if (!(error instanceof BalanceChanged || error instanceof EntryExists)) throw error;
    }
  }
}

/** Plans what a run pays an advocate. Throws `EntryExists` or `InvalidAffiliate`, as `payAdvocate` does. */
export async function planPayout(table: Table, program: Program, run: PayoutRun, slug: string): Promise<PayoutPlan> {
  const { currency, minimum } = run;
  const id = settlementIdOf(run, slug);
  // Read first: if the same run elsewhere settles it in between, its settlement is found.
  const balances = balancesOf(await readSums(table, program.id, slug), termsOf(table, program));
  const { payable = 0n, settlementCount = 0 } = balances.get(currency) ?? {};
  const keys = [advocateKey(program.id, slug), entryClaimKey(program.id, 'settlement', id)];
  const [item, claim] = await batchGet(table, keys);
  if (!item) throw new InvalidAffiliate();
  const advocate = parseAdvocate(item);
  if (claim) {
    const { advocateSlug, currency: settled, commission, payoutVersion } = await claimedEntry(table, program.id, claim);
    if (advocateSlug !== slug || settled !== currency) throw new EntryExists('settlement');
    return { payout: { advocate, amount: -commission, id, payoutVersion }, isSettled: true, settlementCount };
  }
  if (payable <= 0n) return { notPaid: 'nothing_payable' };
  if (payable < BigInt(minimum)) return { notPaid: 'below_minimum' };
  if (isPending(advocate, secondOf(table.clock()))) return { notPaid: 'payout_pending' };
  // The rest stays for the next run.
  const amount = Math.min(Number(payable), MAX_AMOUNT);
  const payout = { advocate, amount, id, payoutVersion: payoutVersionOf(advocate) };
  return { payout, isSettled: false, settlementCount };
}
