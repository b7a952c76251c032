import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidField, type ServiceError, StateRefused } from '../../../functions/domain/errors.ts';
import type { Entry } from '../../../functions/domain/ledger/entry-fields.ts';
import { EntryExists, VoidExists } from '../../../functions/domain/ledger/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { recordPayment, recordRefund, recordVoid } from '../../../functions/table/ledger/payments.ts';
import { interleavedAttempts } from '../../support/interleaved.ts';
import { entriesOf, ledgerOf, paymentOf, storedPayment, sumOf } from '../../support/ledger/ledger.ts';
import { expectedCommission, expectedLeft } from '../../support/ledger/money-oracle.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { move, set } from '../../support/table/situations.ts';
import { itemsOf, type TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();

const AMOUNT = 1000;
const RATES = { own: 33.333333, other: 12.5 };

type Call =
  | { readonly kind: 'pay'; readonly id: string; readonly amount: number }
  | { readonly kind: 'refund'; readonly id: string; readonly amount: number }
  | { readonly kind: 'void'; readonly note: string }
  | { readonly kind: 'churned' | 'rejected' | 'converted' | 'move' };

const few = fc.constantFrom('a', 'b');
const call = fc.oneof(
  fc.record({ kind: fc.constant('pay' as const), id: few, amount: fc.constantFrom(AMOUNT, AMOUNT, 5) }),
  fc.record({ kind: fc.constant('refund' as const), id: few, amount: fc.constantFrom(333, 500, 667) }),
  fc.record({ kind: fc.constant('void' as const), note: few }),
  fc.record({ kind: fc.constantFrom('churned' as const, 'rejected' as const, 'converted' as const, 'move' as const) }),
);
/** For each write attempt, in execution order: whether its response is lost. The SDK makes up to three attempts. */
const losses = fc
  .array(fc.boolean(), { minLength: 6, maxLength: 6 })
  .filter((lost) => lost.filter(Boolean).length <= 2);

function send(at: TestTable, program: Program, { id }: Referral, each: Call): Promise<unknown> {
  const ledger = ledgerOf(program);
  switch (each.kind) {
    case 'pay':
      return recordPayment(at, ledger, paymentOf({ id }, { paymentId: each.id, amount: each.amount }));
    case 'refund': {
      const { id: refundId, amount } = each;
      return recordRefund(at, ledger, { paymentId: 'first', refundId, amount, refundedAt: null });
    }
    case 'void':
      return recordVoid(at, ledger, { paymentId: 'first', note: each.note });
    case 'move':
      return move(at, program, id, 'other');
    default:
      return set(at, program, id, each.kind);
  }
}

/** The errors that a call may get. Everything else would be a fault. */
function errorsOf(each: Call | undefined): readonly (abstract new (...args: never) => ServiceError)[] {
  switch (each?.kind) {
    case 'pay':
      return [EntryExists];
    case 'refund':
      return [EntryExists, InvalidField];
    case 'void':
      return [VoidExists];
    default:
      return [StateRefused];
  }
}

/** Expects what was confirmed to be stored unchanged, and what was refused to have a reason. */
function expectTold(calls: readonly Call[], results: readonly PromiseSettledResult<unknown>[], entries: Entry[]): void {
  for (const [index, result] of results.entries()) {
    if (result.status === 'rejected') {
      expect(errorsOf(calls[index]).some((type) => result.reason instanceof type)).toBe(true);
      continue;
    }
    const { entry } = result.value as { entry?: Entry };
    if (entry) expect(entries).toContainEqual(entry);
  }
}

/** Expects the commissions of payments other than the first one. */
function expectCommissions(entries: readonly Entry[]): void {
  for (const { kind, paymentId, advocateSlug, amount, commission, note } of entries) {
    if (kind !== 'payment' || paymentId === 'first') continue;
    const rate = advocateSlug === 'own' ? RATES.own : RATES.other;
    expect(commission).toBe(note === 'rejected' ? 0 : expectedCommission(amount ?? 0, rate));
  }
}

test('interleaved entries with lost responses are each written once, and add up', async () => {
  const property = async (scheduler: fc.Scheduler, calls: Call[], lost: boolean[]) => {
    const program = await aProgram(table);
    const own = await anAdvocate(table, program, { slug: 'own', commissionPercentage: RATES.own });
    await anAdvocate(table, program, { slug: 'other', commissionPercentage: RATES.other });
    const referral = await aReferral(table, program, own);
    const first = paymentOf(referral, { paymentId: 'first', amount: AMOUNT });
    const { entry: paid } = await recordPayment(table, ledgerOf(program), first);
    const at = table.but({ pause: async () => undefined });
    const results = await interleavedAttempts(scheduler, at, lost, () =>
      Promise.allSettled(calls.map((each) => send(at, program, referral, each))),
    );

    const entries = await entriesOf(table, program);
    expectTold(calls, results, entries);
    expectCommissions(entries);
    const names = entries.map(({ kind, paymentId, refundId }) => `${kind} ${refundId ?? paymentId}`);
    expect(new Set(names).size).toBe(names.length);
    // The parts of the first payment add up to what is left of it.
    const parts = entries.filter(({ paymentId }) => paymentId === 'first');
    const refunds = parts.filter(({ kind }) => kind === 'refund');
    const refunded = refunds.reduce((sum, { amount }) => sum - (amount ?? 0), 0);
    const isVoided = parts.length > 1 + refunds.length;
    const stored = await storedPayment(table, program, 'first');
    expect(stored).toMatchObject({ refunded, version: parts.length });
    expect(sumOf(parts)).toBe(isVoided ? 0 : expectedLeft(paid.commission, AMOUNT, refunded));
    expectConsistent(await itemsOf(table, program), program);
  };
  const calls = fc.array(call, { minLength: 2, maxLength: 5 });
  await fc.assert(fc.asyncProperty(fc.scheduler(), calls, losses, property), { numRuns: 100 });
});
