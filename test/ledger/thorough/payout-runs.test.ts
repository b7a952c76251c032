import { beforeEach, describe, expect, test } from '@jest/globals';
import { changeOwn } from '../../../functions/advocates/rules/advocate-changes.ts';
import { replaceAdvocate, updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { Unavailable } from '../../../functions/kernel/errors.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { readSettlements } from '../../../functions/ledger/table/entry-pages.ts';
import { payAdvocates } from '../../../functions/ledger/table/payout-runs.ts';
import { recordSettlement } from '../../../functions/ledger/table/settlements.ts';
import { dyingAt } from '../../support/dying.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, newId, now } from '../../support/program.ts';
import { atTime, untilLate } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const RUN = { name: '2026-10', currency: 'usd', minimum: 1 };
const ACCOUNT = { payoutMethod: 'other', payoutAccount: 'Wise' } as const;
const SLUGS = Array.from({ length: 12 }, (_, index) => `advocate-${index}`);

let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
  for (const slug of SLUGS) {
    await anAdvocate(table, program, { slug, ...ACCOUNT });
    const bonus = { slug, adjustmentId: newId(), commission: 100, currency: 'usd', note: 'Bonus' };
    await recordAdjustment(table, { program: program.id, by: 'operator' }, bonus);
  }
});

const pay = (slugs = SLUGS, run = RUN) => payAdvocates(table, program, run, slugs);
const paidIn = (plans: Awaited<ReturnType<typeof pay>>) =>
  plans.flatMap(({ plan }) => ('payout' in plan && !plan.isSettled ? [plan.payout.id] : []));
async function settlements() {
  const { entries } = await readSettlements(table, program.id, undefined, { after: undefined, size: 50 });
  return entries;
}
const versionIn = async () => (await settlements()).map(({ payoutVersion }) => payoutVersion);

describe('payout runs of a request', () => {
  test('two runs and a settlement of the API at the same time settle each cent of twelve advocates once', async () => {
    const ledger = { program: program.id, by: 'merchant' } as const;
    const money = { amount: 100, currency: 'usd', reference: null, settledAt: null, settlementCount: 0 };
    const one = recordSettlement(table, ledger, { slug: 'advocate-5', settlementId: 'one', ...money }).then(
      () => 'one',
      () => undefined,
    );
    const [first, second, third, again] = await Promise.all([pay(), pay(SLUGS, { ...RUN, name: 'b' }), one, pay()]);
    // The same run in two requests settles each advocate in one of them, or finds it settled.
    const ids = new Set([...paidIn(first), ...paidIn(again), ...paidIn(second), ...(third ? [third] : [])]);
    expect(ids.size).toBe(12);
    const entries = await settlements();
    expect(entries.map(({ settlementId }) => settlementId).toSorted()).toEqual([...ids].toSorted());
    expect(new Set(entries.map(({ advocateSlug }) => advocateSlug)).size).toBe(12);
  });

  test.each([true, false])(
    'a request that dies at a write is completed by its repetition (executed: %s)',
    async (isExecuted) => {
      for (const write of [0, 5]) {
        const run = { ...RUN, name: `run-${write}` };
        const slugs = SLUGS.slice(write, write + 4);
        await dyingAt(table, { write: write % 4, isExecuted }, () => pay(slugs, run).catch(() => undefined));
        const plans = await pay(slugs, run);
        expect(plans.map(({ plan }) => 'payout' in plan && plan.payout.amount)).toEqual([100, 100, 100, 100]);
      }
      expect(await settlements()).toHaveLength(8);
    },
  );

  test('an advocate with a pending account is left out until its end', async () => {
    const [slug = ''] = SLUGS;
    const changes = { payoutMethod: 'paypal', payoutAccount: 'new@pay.example' } as const;
    const at = now();
    await replaceAdvocate(table, program.id, slug, { change: (before) => changeOwn(before, changes, at) });
    expect(await pay([slug])).toEqual([{ slug, plan: { notPaid: 'payout_pending' } }]);
    const later = atTime(table, () => milliseconds((at + 3 * 86_400) * 1000));
    expect(paidIn(await payAdvocates(later, program, RUN, [slug]))).toHaveLength(1);
  });

  test('a request whose time runs out throws Unavailable, and its repetition pays the rest', async () => {
    let isLate = false;
    beforeNext(table, 'TransactWriteItemsCommand', async () => {
      isLate = true;
    });
    const short = payAdvocates(
      untilLate(table, () => isLate),
      program,
      RUN,
      SLUGS,
    );
    await expect(short).rejects.toThrow(Unavailable);
    const before = (await settlements()).length;
    expect(before).toBeLessThan(12);
    expect((await pay()).every(({ plan }) => 'payout' in plan)).toBe(true);
    expect(await settlements()).toHaveLength(12);
  });

  test('a settlement keeps the number of the account at its write, also if it changed since the run looked', async () => {
    beforeNext(table, 'TransactWriteItemsCommand', async () => {
      await updateAdvocate(table, program.id, 'advocate-0', { ...ACCOUNT, payoutAccount: 'Revolut' });
    });
    const [paid] = await pay(['advocate-0']);
    const versions = await versionIn();
    expect(paid?.plan).toMatchObject({ payout: { payoutVersion: versions[0] } });
    await updateAdvocate(table, program.id, 'advocate-1', { payoutMethod: null });
    await pay(['advocate-1']);
    expect((await versionIn())[0]).toBeNull();
  });
});
