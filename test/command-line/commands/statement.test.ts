import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { paymentKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { recordPayment } from '../../../functions/ledger/table/payments.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { addMoney } from '../../support/statistics/statistics.ts';
import { atTime } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const OCTOBER = atTime(table, () => milliseconds(Date.UTC(2025, 9, 31, 23, 59, 59)));
const NOVEMBER = atTime(table, () => milliseconds(Date.UTC(2025, 10, 1)));

let program: Program;
let jane: Advocate;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 10 });
  jane = await anAdvocate(table, program, { slug: 'jane' });
});

async function earns(advocate: Advocate, on: typeof table, amount: number, currency = 'usd'): Promise<string> {
  const { id } = await aReferral(table, program, advocate);
  const paymentId = newId();
  const payment = { reference: { id, email: null, uid: null }, paymentId, amount, currency, paidAt: null };
  await recordPayment(on, { program: program.id, by: 'merchant' }, payment);
  return paymentId;
}

const statement = (month: string, ...options: string[]) => [
  ...['ledger', 'statement', '--program', program.id, '--month', month],
  ...options,
];
const NONE = { payments: 0, refunds: 0, commissions: 0, adjustments: 0, settlements: 0, settlement_count: 0 };

test('statement prints the statements of all advocates that have one, or the statement of one advocate', async () => {
  await anAdvocate(table, program, { slug: 'idle' });
  await earns(jane, OCTOBER, 1000);
  await earns(jane, NOVEMBER, 500);
  await earns(jane, NOVEMBER, 300, 'eur');
  const usd = { ...NONE, currency: 'usd', opening: 0, payments: 1000, commissions: 100, closing: 100, payable: 150 };
  const october = { id: 'jane', month: '2025-10', currencies: [usd] };
  expect(await jsonHere(table, ...statement('2025-10'))).toEqual([october]);
  expect(await jsonHere(table, ...statement('2025-10', '--advocate', 'JANE'))).toEqual(october);
  expect(await jsonHere(table, ...statement('2025-11'))).toEqual([
    {
      id: 'jane',
      month: '2025-11',
      currencies: [
        { ...NONE, currency: 'eur', opening: 0, payments: 300, commissions: 30, closing: 30, payable: 30 },
        { ...NONE, currency: 'usd', opening: 100, payments: 500, commissions: 50, closing: 150, payable: 150 },
      ],
    },
  ]);
});

test('--csv and the table show units of the currency, with a row for each advocate and currency', async () => {
  await earns(jane, OCTOBER, 1000);
  const joe = await anAdvocate(table, program, { slug: 'joe' });
  await earns(joe, OCTOBER, 70, 'jpy');
  const settle = ['ledger', 'settle', '--program', program.id, '--advocate', 'joe', '--id', 'a', '--amount', '9'];
  await jsonHere(OCTOBER, ...settle, '--currency', 'jpy');
  const { stdout } = await adminHere(table, ...statement('2025-10', '--csv'));
  const [head, ...lines] = stdout.trimEnd().split('\n');
  expect(head).toBe(
    'affiliate_slug,month,currency,opening,payments,refunds,commissions,adjustments,settlements,closing,payable',
  );
  expect(lines.toSorted()).toEqual([
    'jane,2025-10,usd,0.00,10.00,0.00,1.00,0.00,0.00,1.00,1.00',
    'joe,2025-10,jpy,0,70,0,7,0,-9,-2,-2',
  ]);
  expect((await adminHere(table, ...statement('2025-09'))).stdout).toBe('There is nothing in this month.\n');
  expect((await adminHere(table, ...statement('2025-10', '--advocate', 'joe'))).stdout).toMatch(/│ -9 +│ -2 +│ -2 +│/);
});

test('verify prints the number of entries, and exits with 1 if a payment differs from its entries', async () => {
  const verify = ['ledger', 'verify', '--program', program.id];
  const paymentId = await earns(jane, OCTOBER, 1000);
  await earns(jane, NOVEMBER, 10);
  await addMoney(table, program, 'jane', '2026-11-01', { currency: 'usd', revenue: 1010, commissions: 101 });
  expect(await jsonHere(table, ...verify)).toEqual({ entries: 2, differences: [] });
  expect((await adminHere(table, ...verify)).stdout).toBe('There are no differences in 2 entries.\n');
  const change = { UpdateExpression: 'SET refunded = :wrong', ExpressionAttributeValues: { ':wrong': 400 } };
  await table.client.send(
    new UpdateCommand({ TableName: table.name, Key: paymentKey(program.id, paymentId), ...change }),
  );
  const { status, stdout, stderr } = await adminHere(table, ...verify, '--json');
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching('^What is stored differs') });
  const differing = { slug: 'jane', subject: paymentId };
  expect(JSON.parse(stdout)).toEqual({
    entries: 2,
    differences: [
      { ...differing, field: 'left', stored: '60', computed: '100' },
      { ...differing, field: 'refunded', stored: '400', computed: '0' },
    ],
  });
});

describe('stats', () => {
  const stats = (...options: string[]) => ['program', 'stats', '--program', program.id, ...options];
  const NO_REFERRALS = { clicked: 0, converted: 0, paid: 0, churned: 0, rejected: 0 };

  test('stats counts all advocates by state, most paid first, then by slug', async () => {
    const [z, a, b] = [jane, await anAdvocate(table, program, { slug: 'a' }), await anAdvocate(table, program)];
    await anAdvocate(table, program, { slug: 'idle' });
    for (const each of [a, z, b, b]) await aReferral(table, program, each, { state: 'paid' });
    for (const state of ['churned', 'rejected', 'converted'] as const) await aReferral(table, program, b, { state });
    for (const _ of [1, 2, 3]) await aClick(table, program, a);
    const advocates = [
      { slug: b.slug, clicked: 0, converted: 1, paid: 2, churned: 1, rejected: 1 },
      { slug: 'a', ...NO_REFERRALS, paid: 1, clicked: 3 },
      { slug: 'jane', ...NO_REFERRALS, paid: 1 },
      { slug: 'idle', ...NO_REFERRALS },
    ];
    const total = { clicked: 3, converted: 1, paid: 4, churned: 1, rejected: 1 };
    expect(await jsonHere(table, ...stats())).toEqual({ program: program.id, total, advocates });
    const { stdout } = await adminHere(table, ...stats());
    expect(stdout).toMatch(
      /│ clicked +│ 3 +│\n(.*\n)+│ slug +│ clicked │ converted │ paid │.*\n.*\n│ \S+ +│ 0 +│ 1 +│ 2 +│/,
    );
  });
});
