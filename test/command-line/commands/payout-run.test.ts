import { beforeEach, describe, expect, test } from '@jest/globals';
import { eraseAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { recordPayment, recordRefund } from '../../../functions/ledger/table/payments.ts';
import { adminHere, importing, jsonHere, useFiles } from '../../support/admin-here.ts';
import { dyingAt } from '../../support/dying.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();
const HEAD = 'slug,email,first_name,last_name,amount,currency,id,payout_method,payout_account,reason';
const DAY = 86_400;

let program: Program;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 10 });
});

/** An advocate who earns a tenth of a payment. */
async function earning(slug: string, amount: number, { currency = 'usd', daysAgo = 0 } = {}): Promise<Advocate> {
  const advocate = await anAdvocate(table, program, { slug, email: `${slug}@partners.example` });
  await earns(advocate, amount, { currency, daysAgo });
  return advocate;
}

async function earns(advocate: Advocate, amount: number, { currency = 'usd', daysAgo = 0 } = {}) {
  const { id } = await aReferral(table, program, advocate);
  const paidAt = seconds(now() - daysAgo * DAY);
  const payment = { reference: { id, email: null, uid: null }, paymentId: newId(), amount, currency, paidAt };
  const { entry } = await recordPayment(table, { program: program.id, by: 'merchant' }, payment);
  return entry;
}

const adjusted = (slug: string, commission: number) =>
  recordAdjustment(
    table,
    { program: program.id, by: 'operator' },
    { slug, currency: 'usd', adjustmentId: newId(), commission, note: 'Bonus' },
  );

const args = (run: string, ...options: string[]) => [
  ...['ledger', 'settle', '--program', program.id, '--all', '--run', run, '--currency', 'usd'],
  ...options,
];

/** Runs a payout run that must succeed, and returns its lines without their head, by slug. */
async function paid(run: string, ...options: string[]): Promise<string[]> {
  const { status, stdout } = await adminHere(table, ...args(run, ...options));
  const [head, ...lines] = stdout.trimEnd().split('\n');
  expect({ status, head }).toEqual({ status: 0, head: HEAD });
  return lines.toSorted();
}

/** The settlements of the program, by id. */
async function settlements(): Promise<string[]> {
  const rows = (await jsonHere(table, 'ledger', 'list', '--program', program.id, '--kind', 'settlement')) as {
    affiliate_slug: string;
    settlement_id: string;
    commission: number;
  }[];
  return rows.map((row) => `${row.affiliate_slug} ${row.settlement_id} ${row.commission}`).toSorted();
}

const lineOf = (slug: string, amount: number, run = '2026-10') =>
  `${slug},${slug}@partners.example,Jane,Doe,${(amount / 100).toFixed(2)},usd,${run}:usd:${slug},,,no_account`;

describe('a payout run', () => {
  test('a run settles what is payable of each advocate, and prints a line of CSV for each', async () => {
    const jane = await anAdvocate(table, program, { slug: 'jane', email: 'jane@partners.example' });
    await earns(jane, 1000);
    const { paymentId } = await earns(jane, 500);
    const refund = { paymentId: String(paymentId), refundId: 'r', amount: 100, refundedAt: null };
    await recordRefund(table, { program: program.id, by: 'merchant' }, refund);
    await earns(jane, 90_000, { currency: 'eur' });
    await anAdvocate(table, program, { slug: 'idle' });
    await earning('only-eur', 1000, { currency: 'eur' });
    expect(await paid('2026-10')).toEqual([lineOf('jane', 140)]);
    expect(await settlements()).toEqual(['jane 2026-10:usd:jane -140']);
    const [json] = (await adminHere(table, ...args('2026-10'), '--json')).stdout.split('\n');
    const names = { email: 'jane@partners.example', first_name: 'Jane', last_name: 'Doe' };
    const payment = { amount: 140, currency: 'usd', id: '2026-10:usd:jane' };
    const account = { payout_method: null, payout_account: null, reason: 'no_account' };
    expect(JSON.parse(json ?? '')).toEqual({ slug: 'jane', ...names, ...payment, ...account });
    expect(await jsonHere(table, 'ledger', 'list', '--program', program.id, '--kind', 'settlement')).toMatchObject([
      { currency: 'usd', note: null, reference: null, by: 'operator' },
    ]);
  });

  test('a repeated run prints the same lines, and adds advocates who have become payable since', async () => {
    const jane = await earning('jane', 1000);
    expect(await paid('2026-10')).toEqual([lineOf('jane', 100)]);
    await earns(jane, 7000);
    await earning('joe', 300);
    expect(await paid('2026-10')).toEqual([lineOf('jane', 100), lineOf('joe', 30)]);
    expect(await paid('2026-11')).toEqual([lineOf('jane', 700, '2026-11')]);
    await expectUnchanged(table, async () => {
      expect(await paid('2026-10')).toEqual([lineOf('jane', 100), lineOf('joe', 30)]);
    });
  });

  test('--minimum counts as reached, also after a run without it, and an empty balance is never paid', async () => {
    await earning('enough', 500);
    await earning('little', 490);
    await earning('nothing', 1);
    expect(await paid('2026-10', '--minimum', '50')).toEqual([lineOf('enough', 50)]);
    expect(await paid('2026-10')).toEqual([lineOf('enough', 50), lineOf('little', 49)]);
    expect(await paid('2026-10', '--minimum', '1000')).toEqual([lineOf('enough', 50), lineOf('little', 49)]);
  });

  test('a run pays at most the largest amount of a settlement, and the next run the rest', async () => {
    await anAdvocate(table, program, { slug: 'jane', email: 'jane@partners.example' });
    for (const _ of [1, 2]) await adjusted('jane', 700_000_000_000);
    expect(await paid('2026-10')).toEqual([lineOf('jane', 1_000_000_000_000)]);
    expect(await paid('2026-11')).toEqual([lineOf('jane', 400_000_000_000, '2026-11')]);
  });

  test('a run pays nobody who owes, and an erased advocate without email and names', async () => {
    await earning('joe', 1000);
    await adjusted('joe', -200);
    await earning('gone', 1000);
    await eraseAdvocate(table, program.id, 'gone');
    expect(await paid('2026-10')).toEqual(['gone,,,,1.00,usd,2026-10:usd:gone,,,no_account']);
  });

  test('--dry-run prints what the run then prints, and writes nothing', async () => {
    await earning('jane', 1000);
    await paid('2026-10');
    await earning('joe', 500);
    await expectUnchanged(table, async () => {
      const { stdout, stderr } = await adminHere(table, ...args('2026-10', '--dry-run'));
      expect(stdout.split('\n').toSorted()).toEqual(['', lineOf('jane', 100), lineOf('joe', 50), HEAD]);
      expect(stderr).toBe('This was a dry run: nothing was written.\n');
    });
    expect(await paid('2026-10')).toEqual([lineOf('jane', 100), lineOf('joe', 50)]);
  });
});

describe('interrupted and parallel runs', () => {
  const AMOUNTS = { ann: 100, ben: 200, cleo: 300 } as const;
  const ALL = Object.entries(AMOUNTS).map(([slug, amount]) => lineOf(slug, amount / 10));
  const SETTLED = Object.entries(AMOUNTS).map(([slug, amount]) => `${slug} 2026-10:usd:${slug} -${amount / 10}`);

  const earnAll = async () => {
    for (const [slug, amount] of Object.entries(AMOUNTS)) await earning(slug, amount);
  };

  test.each([true, false])(
    'a run that dies at any of its writes, twice, pays each advocate once (executed: %s)',
    async (isExecuted) => {
      for (let write = 0, hasDied = true; hasDied; write += 1) {
        program = await aProgram(table, { commissionPercentage: 10 });
        await earnAll();
        const printed: string[] = [];
        const run = async () => {
          const { stdout } = await adminHere(table, ...args('2026-10'));
          printed.push(...stdout.split('\n').filter((line) => line !== '' && line !== HEAD));
        };
        hasDied = await dyingAt(table, { write, isExecuted }, run);
        expect(hasDied).toBe(write < 3);
        await dyingAt(table, { write: 0, isExecuted }, run);
        // What a dead run has printed, the others print again with the same amount and id.
        expect(printed.every((line) => ALL.includes(line))).toBe(true);
        expect(new Set(printed).size).toBeGreaterThanOrEqual(Math.min(write, 3));
        expect(await paid('2026-10')).toEqual(ALL);
        expect(await settlements()).toEqual(SETTLED);
      }
    },
  );

  test('runs that see different amounts print the settlement that is stored', async () => {
    const ann = await earning('ann', 100);
    let ofSecond: string[] = [];
    beforeNext(table, 'TransactWriteItemsCommand', async () => {
      await earns(ann, 5000);
      ofSecond = await paid('2026-10');
    });
    expect([await paid('2026-10'), ofSecond]).toEqual([[lineOf('ann', 510)], [lineOf('ann', 510)]]);
    expect(await settlements()).toEqual(['ann 2026-10:usd:ann -510']);
  });

  const OTHERS: Readonly<Record<string, (payment: Entry) => Promise<unknown>>> = {
    'a run with another name': () => paid('2026-11'),
    'a settlement of one advocate': () => {
      const one = ['ledger', 'settle', '--program', program.id, '--advocate', 'ann', '--id', 'a', '--currency', 'usd'];
      return jsonHere(table, ...one, '--amount', '10');
    },
    'an import': async ({ paymentId, referralId, occurredAt }) => {
      const line = `${paymentId},${referralId},100,usd,${occurredAt},10`;
      const text = `payment_id,id,amount_minor,currency,paid_at,settled_minor\n${line}\n`;
      return importing(table, 'ledger', program.id, await file(text));
    },
  };
  test.each(Object.entries(OTHERS))('what %s settled meanwhile is not paid again', async (_, other) => {
    const payment = await earns(await anAdvocate(table, program, { slug: 'ann', email: 'ann@partners.example' }), 100);
    beforeNext(table, 'TransactWriteItemsCommand', () => other(payment));
    expect(await paid('2026-10')).toEqual([]);
    expect(await settlements()).toHaveLength(1);
    expect(await paid('2026-12')).toEqual([]);
  });

  test('four runs with different names at the same time settle each cent of twelve advocates once', async () => {
    const slugs = Array.from({ length: 12 }, (_, index) => `advocate-${index}`);
    for (const [index, slug] of slugs.entries()) await earning(slug, 1000 + index * 10);
    const runs = await Promise.all(['a', 'b', 'c', 'd'].map((run) => paid(run)));
    const lines = runs.flat().map((line) => line.split(','));
    expect(lines.map(([slug = '', , , , amount]) => `${slug} ${amount}`).toSorted()).toEqual(
      slugs.map((slug, index) => `${slug} ${((100 + index) / 100).toFixed(2)}`).toSorted(),
    );
    expect(await settlements()).toHaveLength(12);
  });
});

test.each([
  ['advocate', 'joe', 'usd'],
  ['currency', 'jane', 'jpy'],
])('an id of the run that settles another %s ends the run', async (_, slug, currency) => {
  await earning('jane', 1000);
  await anAdvocate(table, program, { slug: 'joe' });
  // Listed first.
  await earns(await anAdvocate(table, program, { slug: 'zoe' }, seconds(now() + 1)), 1000);
  const settle = ['ledger', 'settle', '--program', program.id, '--advocate', slug, '--id', '2026-10:usd:jane'];
  await jsonHere(table, ...settle, '--amount', '5', '--currency', currency);
  const taken = 'A settlement of another advocate or currency has an id of this run.';
  const lines = expect.stringMatching(/^slug,.*\r?\nzoe,.*,1\.00,usd,2026-10:usd:zoe,,,no_account\r?\n$/);
  const rest = 'What was settled stays: pay the printed lines. Then choose another --run for the rest.';
  const run = await adminHere(table, ...args('2026-10'));
  expect(run).toMatchObject({ status: 1, stdout: lines, stderr: `${taken} ${rest}\n` });
});
