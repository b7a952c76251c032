import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { settlementCountKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { recordPayment } from '../../../functions/ledger/table/payments.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { adminHere, type Imported, importing, jsonHere, useFiles } from '../../support/admin-here.ts';
import { dyingAt } from '../../support/dying.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { metered } from '../../support/meter.ts';
import { aClick, anAdvocate, aProgram, aReferral, now } from '../../support/program.ts';
import { aRefunded } from '../../support/stripe/money.ts';
import { move, set, storedReferral } from '../../support/table/situations.ts';
import { atTime, itemAt } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();

const ALL = 'payment_id,email,uid,id,amount_minor,currency,paid_at,refunded_minor,commission_minor,settled_minor';
const PAID_AT = 1_760_000_000;

let program: Program;
let jane: Advocate;
let customer: Referral;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 20, commissionMonths: null });
  jane = await anAdvocate(table, program, { slug: 'jane' });
  customer = await aReferral(table, program, jane, { email: 'ana@shop.example', customerUid: '4711' });
});

const imported = async (lines: readonly string[], ...options: string[]) =>
  importing(table, 'ledger', program.id, await file([ALL, ...lines].join('\n')), ...options);

/** A line for the customer. */
const line = (id: string, { amount = 1000, refunded = '', commission = '', settled = '' } = {}) =>
  `${id},ana@shop.example,,,${amount},usd,${PAID_AT},${refunded},${commission},${settled}`;

type Row = Readonly<Record<string, unknown>>;
const entries = async (into = program) => {
  const rows = (await jsonHere(table, 'ledger', 'list', '--program', into.id, '--limit', '1000')) as Row[];
  return rows.toReversed();
};
const CREATED = { created: 1, skipped: 0, failed: [] };
const SKIPPED = { created: 0, skipped: 1, failed: [] };

describe('a line', () => {
  test('a line becomes a payment, a refund and a settlement at the time of the payment, and changes no state', async () => {
    const before = await storedReferral(table, program, customer.id);
    expect(await imported([line('in_1', { refunded: '250', settled: '100' })])).toEqual(CREATED);
    const shared = {
      affiliate_slug: 'jane',
      currency: 'usd',
      occurred_at: PAID_AT,
      by: 'import',
      note: null,
      reference: null,
    };
    const ofPayment = { ...shared, referral_id: customer.id, payment_id: 'in_1', commission_percentage: 20 };
    expect(await entries()).toMatchObject([
      { ...ofPayment, kind: 'payment', amount: 1000, commission: 200 },
      { ...ofPayment, kind: 'refund', refund_id: 'import:in_1:250', amount: -250, commission: -50 },
      {
        ...shared,
        kind: 'settlement',
        settlement_id: 'import:in_1',
        referral_id: null,
        amount: null,
        commission: -100,
      },
    ]);
    expect(await storedReferral(table, program, customer.id)).toEqual(before);
  });

  test('a second run creates nothing, and neither does a file whose payment the API reported', async () => {
    const reference = { id: customer.id, email: null, uid: null };
    const reported = { reference, paymentId: 'in_2', amount: 1000, currency: 'usd', paidAt: null };
    const { entry } = await recordPayment(table, { program: program.id, by: 'merchant' }, reported);
    const lines = [
      line('in_1', { refunded: '250', settled: '100' }),
      `in_2,,4711,,1000,USD,${entry.occurredAt},,200,`,
      line('in_3', { commission: '123' }),
    ];
    expect(await imported(lines)).toEqual({ created: 2, skipped: 1, failed: [] });
    await expectUnchanged(table, async () => {
      expect(await imported(lines)).toEqual({ created: 0, skipped: 3, failed: [] });
    });
  });

  test('commission replaces the commission at the rate, which is then null', async () => {
    await set(table, program, customer.id, 'rejected');
    expect(await imported([line('in_1', { commission: '333' }), line('in_2')])).toMatchObject({ created: 2 });
    // Payments of the same millisecond are in any order.
    const byCommission = (await entries()).toSorted(
      (one, other) => Number(other['commission']) - Number(one['commission']),
    );
    expect(byCommission).toMatchObject([
      { payment_id: 'in_1', commission: 333, commission_percentage: null, note: null },
      { payment_id: 'in_2', commission: 0, commission_percentage: 20, note: 'rejected' },
    ]);
  });

  test('a larger refunded adds the difference, and a smaller one is reported and changes nothing', async () => {
    await imported([line('in_1', { refunded: '250' })]);
    expect(await imported([line('in_1', { refunded: '1000' })])).toEqual(CREATED);
    expect((await entries()).map(({ refund_id, amount, commission }) => [refund_id, amount, commission])).toEqual([
      [null, 1000, 200],
      ['import:in_1:250', -250, -50],
      ['import:in_1:1000', -750, -150],
    ]);
    await expectUnchanged(table, async () => {
      const path = await file([ALL, line('in_1', { refunded: '250' })].join('\n'));
      const { status, stderr } = await adminHere(table, 'ledger', 'import', '--program', program.id, '--file', path);
      const warning =
        '1 of the skipped lines contradicts an earlier line or import of the same payment: 2. What was imported first stays.\n';
      expect({ status, stderr }).toEqual({ status: 0, stderr: warning });
    });
  });

  test('settled is recorded once: a larger one fails its line, and a smaller one is skipped', async () => {
    expect(await imported([line('in_1')])).toEqual(CREATED);
    expect(await imported([line('in_1', { settled: '100' })])).toEqual(CREATED);
    await expectUnchanged(table, async () => {
      const reason =
        'settled_minor is more than what an earlier line or import recorded: add the difference with `ledger settle`';
      // Nothing of the line is written, so that its repair is complete.
      expect(await imported([line('in_1', { settled: '101', refunded: '5' })])).toEqual({
        created: 0,
        skipped: 0,
        failed: [{ line: 2, reason }],
      });
      expect(await imported([line('in_1', { settled: '99' })])).toEqual(SKIPPED);
    });
  });

  test('many payments of one customer are imported together', async () => {
    const lines = Array.from({ length: 150 }, (_, index) =>
      line(`in_${index}`, { settled: '10' }).replace('usd', index % 3 ? 'usd' : 'eur'),
    );
    const { result, requests } = await metered(table, () => imported(lines));
    expect(result).toEqual({ created: 150, skipped: 0, failed: [] });
    // Payments of one advocate share transactions, although each of them counts a settlement.
    expect(requests).toBeLessThan(50);
    expect(await imported(lines)).toEqual({ created: 0, skipped: 150, failed: [] });
    const counts = await itemAt(table, settlementCountKey(program.id, jane.slug));
    expect(counts).toMatchObject({ count_usd: 100, count_eur: 50 });
  });
});

test('each line fails with its reason, and the others are imported', async () => {
  const click = await aClick(table, program, jane);
  const other = await aReferral(table, program, jane, { email: 'ben@shop.example' });
  await imported([line('taken')]);
  const future = now() + 3600;
  const whole = (from: number) => `must be a whole number from ${from} to 1000000000000`;
  const ID_LIMIT = 'payment_id must have at most 234 characters if something was refunded or settled';
  const cases = [
    [`,ana@shop.example,,,1000,usd,${PAID_AT},,,`, 'payment_id must not be empty'],
    [line('x'.repeat(235), { refunded: '1' }), ID_LIMIT],
    [
      `in_1,nobody@shop.example,,,1000,usd,${PAID_AT},,,`,
      'email, uid or id does not belong to a referral of the program: import the referrals first',
    ],
    [`in_1,,,${click.id},1000,usd,${PAID_AT},,,`, 'email, uid or id belongs to a click: report its conversion first'],
    [`in_1,ana@shop.example,,${other.id},1000,usd,${PAID_AT},,,`, 'email, uid and id must belong to the same referral'],
    ['in_1,ana@shop.example,,,49.00,usd,1,,,', `amount_minor ${whole(1)}`],
    [`in_1,ana@shop.example,,,1,usd,${future},,,`, 'paid_at must not be in the future'],
    [line('in_1', { refunded: '1001' }), 'refunded_minor must not be more than amount_minor'],
    [line('taken', { commission: '199' }), 'payment_id was already recorded with other fields'],
    [`taken,ben@shop.example,,,1000,usd,${PAID_AT},,,`, 'payment_id was already recorded with other fields'],
  ] as const;
  const failed = cases.map(([, reason], index) => ({ line: index + 2, reason }));
  const lines = [...cases.map(([text]) => text), line('good')];
  await expectUnchanged(table, async () => {
    expect(await imported(lines, '--dry-run')).toEqual({ created: 1, skipped: 0, failed });
  });
  expect(await imported(lines)).toEqual({ created: 1, skipped: 0, failed });
});

test('a payment gets the advocate to whom its customer moves during the import', async () => {
  const joe = await anAdvocate(table, program, { slug: 'joe', commissionPercentage: 50 });
  beforeNext(table, 'TransactWriteItemsCommand', () => move(table, program, customer.id, joe.slug));
  expect(await imported([line('in_1'), line('in_2')])).toEqual({ created: 2, skipped: 0, failed: [] });
  expect(await entries()).toMatchObject([
    { affiliate_slug: 'joe', commission: 500 },
    { affiliate_slug: 'joe', commission: 500 },
  ]);
});

describe('payments that Stripe reports', () => {
  const lineOf = (id: string, paidAt: number, refunded: string) => `${id},,4711,,1000,usd,${paidAt},${refunded},,`;
  const reason = 'Stripe reports this payment and its refunds: send its events again from Stripe instead';
  const FAILED = { created: 0, skipped: 0, failed: [{ line: 2, reason }] };

  test('a line of a payment of which a refund at Stripe waits fails, until the refund expires', async () => {
    await applyStripeEvent(table, program, aRefunded({ n: 'A', amount: 1000, refunded: 400 }));
    const path = await file(`${ALL}\n${lineOf('pi_A', now() - 60, '250')}`);
    const days = (count: number, ...options: string[]) => {
      const later = atTime(table, () => milliseconds(Date.now() + count * 86_400_000));
      return importing(later, 'ledger', program.id, path, ...options);
    };
    await expectUnchanged(table, async () => {
      expect(await days(29)).toEqual(FAILED);
      expect(await days(30, '--dry-run')).toEqual(CREATED);
    });
    // DynamoDB has not deleted the expired item yet.
    expect(await days(30)).toEqual(CREATED);
    expect(await days(30)).toEqual(SKIPPED);
    expect((await entries()).map(({ amount }) => amount)).toEqual([1000, -250]);
  });
});

/** What the entries of a program say, without what differs from run to run. */
const summary = async (into: Program) =>
  (await entries(into))
    .map(({ kind, payment_id, refund_id, settlement_id, commission }) =>
      [kind, payment_id ?? settlement_id, refund_id, commission].join(' '),
    )
    .toSorted();

test.each([true, false])(
  'an import that dies at any of its writes is completed by the same command (executed: %s)',
  async (isExecuted) => {
    const lines = Array.from({ length: 30 }, (_, index) =>
      line(`in_${index}`, { refunded: String(index), settled: index % 3 ? '7' : '' }),
    );
    const content = [ALL, ...lines].join('\n');
    expect(await imported(lines)).toMatchObject({ created: 30 });
    const expected = await summary(program);
    for (let write = 0, hasDied = true; hasDied; write += 1) {
      program = await aProgram(table, { commissionPercentage: 20, commissionMonths: null });
      await aReferral(table, program, await anAdvocate(table, program, { slug: 'jane' }), {
        email: 'ana@shop.example',
      });
      const path = await file(content);
      const run = () => adminHere(table, 'ledger', 'import', '--program', program.id, '--file', path);
      hasDied = await dyingAt(table, { write, isExecuted }, run);
      const { created, skipped, failed }: Imported = await importing(table, 'ledger', program.id, path);
      expect({ lines: created + skipped, failed }).toEqual({ lines: 30, failed: [] });
      expect(await summary(program)).toEqual(expected);
      if (!hasDied) expect(write).toBeGreaterThan(1);
    }
  },
);
