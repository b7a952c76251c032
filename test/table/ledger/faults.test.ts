import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import type { Recorded } from '../../../functions/table/ledger/entries.ts';
import { recordAdjustment } from '../../../functions/table/ledger/entry-claims.ts';
import { recordPayment, recordRefund, recordVoid } from '../../../functions/table/ledger/payments.ts';
import { recordSettlement } from '../../../functions/table/ledger/settlements.ts';
import { cancellation, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { entriesOf, ledgerOf, paymentOf } from '../../support/ledger/ledger.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { atTime, type TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let program: Program;
let jane: Advocate;
let referral: Referral;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  referral = await aReferral(table, program, jane);
  await recordPayment(table, ledgerOf(program), paymentOf(referral, { paymentId: 'in_0' }));
});

type Write = (at: TestTable) => Promise<Recorded>;
const WRITES: Readonly<Record<string, Write>> = {
  payment: (at) => recordPayment(at, ledgerOf(program), paymentOf(referral)),
  refund: (at) =>
    recordRefund(at, ledgerOf(program), { paymentId: 'in_0', refundId: 're_1', amount: 300, refundedAt: null }),
  void: (at) => recordVoid(at, ledgerOf(program), { paymentId: 'in_0', note: 'Fraud' }),
  adjustment: (at) =>
    recordAdjustment(at, ledgerOf(program), {
      ...{ slug: jane.slug, adjustmentId: 'a', commission: 5, currency: 'usd', note: 'Bonus' },
    }),
  settlement: (at) =>
    recordSettlement(at, ledgerOf(program), {
      ...{ slug: jane.slug, settlementId: 's', amount: 5, currency: 'usd', reference: null, settledAt: null },
    }),
  'settlement of a balance': (at) =>
    recordSettlement(at, ledgerOf(program), {
      ...{ slug: jane.slug, settlementId: 's', amount: 5, currency: 'usd', reference: null, settledAt: null },
      settlementCount: 0,
    }),
};

describe.each(Object.entries(WRITES))('a %s', (_, write) => {
  test('an entry whose response is lost once is written once, and is new', async () => {
    proxied.proxy.next('TransactWriteItems', 'lose');
    const first = await write(proxied.faulty);
    expect(first.isNew).toBe(true);
    expect(await write(table)).toEqual({ ...first, isNew: false });
    expect(await entriesOf(table, program)).toHaveLength(2);
  });

  test('an entry whose caller gets no response is the first one when it is repeated', async () => {
    proxied.proxy.next('TransactWriteItems', 'lose', 'lose', 'lose', 'lose');
    await expect(write(proxied.faulty)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await write(table)).toMatchObject({ isNew: false });
    expect(await entriesOf(table, program)).toHaveLength(2);
  });

  test('an attempt after the conflict of another transaction takes the time anew', async () => {
    let moment = milliseconds(Date.now());
    const pause = async () => {
      moment = milliseconds(moment + 5000);
    };
    proxied.proxy.next('TransactWriteItems', cancellation('TransactionConflict', 'None'));
    const { entry } = await write(atTime(proxied.faulty, () => moment).but({ pause }));
    expect(entry.createdAt).toBe(Math.floor(moment / 1000));
    expect(entry.id.replaceAll('-', '').slice(0, 12)).toBe(moment.toString(16).padStart(12, '0'));
  });
});
