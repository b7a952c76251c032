import { beforeEach, describe, expect, test } from '@jest/globals';
import { eraseAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { recordPayment } from '../../../functions/ledger/table/payments.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { atTime } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();

/** The months of the tests. */
const JANUARY = Date.UTC(2026, 0, 15);
const MARCH = Date.UTC(2026, 2, 15);

let program: Program;
let jane: Advocate;
let joe: Advocate;
let customer: Referral;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 20 });
  jane = await anAdvocate(table, program, { slug: 'jane' });
  joe = await anAdvocate(table, program, { slug: 'joe' });
  customer = await aReferral(table, program, jane);
});

const ledger = (...args: string[]) => ['ledger', args[0] ?? '', '--program', program.id, ...args.slice(1)];
const at = (moment: number) => atTime(table, () => milliseconds(moment));

async function pays(referral: Referral, paymentId: string, { on = table, amount = 1000, currency = 'usd' } = {}) {
  const reference = { id: referral.id, email: null, uid: null };
  const request = { reference, paymentId, amount, currency, paidAt: null };
  return (await recordPayment(on, { program: program.id, by: 'merchant' }, request)).entry;
}

const ADJUSTMENT = ['--advocate', 'jane', '--id', 'bonus', '--commission=-250', '--currency', 'eur', '--note', 'Twice'];
const SETTLEMENT = ['--advocate', 'jane', '--id', 'pay-1', '--amount', '150', '--currency', 'usd'];

describe('entries of the operator', () => {
  const NOTHING = {
    referral_id: null,
    payment_id: null,
    refund_id: null,
    adjustment_id: null,
    settlement_id: null,
    amount: null,
    commission_percentage: null,
    commission_rules_id: null,
    rule: null,
    paying_seen: null,
    note: null,
    reference: null,
  };
  const WRITTEN = { id: expect.any(String), occurred_at: expect.any(Number), created_at: expect.any(Number) };

  test('void, adjust and settle print their entry, and repeat themselves without another one', async () => {
    await pays(customer, 'in_1');
    // An erased advocate can be paid.
    await eraseAdvocate(table, program.id, joe.slug);
    const cases: [string[], object][] = [
      [
        ['void', '--payment-id', 'in_1', '--note', 'Stolen card'],
        {
          kind: 'void',
          affiliate_slug: 'jane',
          referral_id: customer.id,
          payment_id: 'in_1',
          currency: 'usd',
          commission: -200,
          commission_percentage: 20,
          note: 'Stolen card',
        },
      ],
      [
        ['adjust', ...ADJUSTMENT],
        {
          kind: 'adjustment',
          affiliate_slug: 'jane',
          adjustment_id: 'bonus',
          commission: -250,
          currency: 'eur',
          note: 'Twice',
        },
      ],
      [
        ['settle', ...SETTLEMENT, '--advocate', 'joe', '--reference', 'TR-1'],
        {
          kind: 'settlement',
          affiliate_slug: 'joe',
          settlement_id: 'pay-1',
          commission: -150,
          currency: 'usd',
          reference: 'TR-1',
        },
      ],
    ];
    for (const [args, fields] of cases) {
      const first = await jsonHere(table, ...ledger(...args));
      expect(first).toEqual({ ...NOTHING, ...WRITTEN, ...fields, by: 'operator' });
      await expectUnchanged(table, async () => expect(await jsonHere(table, ...ledger(...args))).toEqual(first));
    }
  });

  test('the id of another entry is refused, and nothing is written', async () => {
    await pays(customer, 'in_1');
    await jsonHere(table, ...ledger('void', '--payment-id', 'in_1', '--note', 'Fraud'));
    await jsonHere(table, ...ledger('adjust', ...ADJUSTMENT));
    await jsonHere(table, ...ledger('settle', ...SETTLEMENT));
    await expectUnchanged(table, async () => {
      const other = 'The id in --id was already recorded with other options. Choose another --id.\n';
      for (const [args, stderr] of [
        [['void', '--payment-id', 'in_1', '--note', 'Abuse'], 'The payment was already voided with another note.\n'],
        [['adjust', ...ADJUSTMENT, '--note', 'Thrice'], other],
        [['settle', ...SETTLEMENT, '--amount', '151'], other],
      ] as const) {
        expect(await adminHere(table, ...ledger(...args))).toEqual({ status: 1, stdout: '', stderr });
      }
    });
  });
});

type Rows = readonly Readonly<Record<string, unknown>>[];

describe('lists and exports', () => {
  let other: Referral;
  beforeEach(async () => {
    other = await aReferral(table, program, joe);
    await pays(customer, 'january-1', { on: at(JANUARY) });
    await pays(other, 'january-2', { on: at(JANUARY + 1000), currency: 'jpy' });
    await pays(customer, 'march', { on: at(MARCH), amount: 500 });
    await jsonHere(at(MARCH + 1000), ...ledger('settle', ...SETTLEMENT));
  });

  const idOf = (row: Rows[number]) => row['payment_id'] ?? row['settlement_id'];
  const listed = async (...args: string[]) => ((await jsonHere(table, ...ledger('list', ...args))) as Rows).map(idOf);

  test('list contains the entries of all advocates, newest first', async () => {
    expect(await listed()).toEqual(['pay-1', 'march', 'january-2', 'january-1']);
    expect(await jsonHere(table, ...ledger('list', '--kind', 'payment', '--currency', 'jpy'))).toEqual([
      {
        id: expect.any(String),
        kind: 'payment',
        affiliate_slug: 'joe',
        referral_id: other.id,
        payment_id: 'january-2',
        refund_id: null,
        adjustment_id: null,
        settlement_id: null,
        amount: 1000,
        currency: 'jpy',
        commission: 200,
        commission_percentage: 20,
        commission_rules_id: null,
        rule: null,
        paying_seen: null,
        note: null,
        reference: null,
        occurred_at: JANUARY / 1000 + 1,
        created_at: JANUARY / 1000 + 1,
        by: 'merchant',
      },
    ]);
  });

  test('list and export contain only entries that match', async () => {
    const times = ['--created-after', '2026-01-15T00:00:00Z', '--created-before', '2026-03-15T00:00:01Z'];
    expect(await listed(...times)).toEqual(['march', 'january-2']);
    const { stdout } = await adminHere(table, ...ledger('export', '--json', ...times));
    const rows: Rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(idOf).toSorted()).toEqual(['january-2', 'march']);
  });

  test('export writes CSV with whole numbers by default', async () => {
    const { status, stdout } = await adminHere(table, ...ledger('export', '--advocate', 'jane'));
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect({ status, head }).toEqual({
      status: 0,
      head: 'id,kind,affiliate_slug,referral_id,payment_id,refund_id,adjustment_id,settlement_id,amount_minor,currency,commission_minor,commission_percentage,commission_rules_id,rule,paying_seen,note,reference,occurred_at,created_at,by',
    });
    const march = MARCH / 1000;
    expect(lines.map((line) => line.slice(37))).toEqual([
      `settlement,jane,,,,,pay-1,,usd,-150,,,,,,,${march + 1},${march + 1},operator`,
      `payment,jane,${customer.id},march,,,,500,usd,100,20,,,,,,${march},${march},merchant`,
      `payment,jane,${customer.id},january-1,,,,1000,usd,200,20,,,,,,${JANUARY / 1000},${JANUARY / 1000},merchant`,
    ]);
  });
});
