import { beforeAll, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { recordAdjustment } from '../../../functions/table/ledger/entry-claims.ts';
import { recordPayment, recordRefund, recordVoid } from '../../../functions/table/ledger/payments.ts';
import { recordSettlement } from '../../../functions/table/ledger/settlements.ts';
import { ledgerOf, paymentOf } from '../../support/ledger/ledger.ts';
import { metered } from '../../support/meter.ts';
import { anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { anEmail } from '../../support/table/track.ts';
import { useCountingTable } from '../../support/use-table.ts';

const table = useCountingTable();
let program: Program;
let jane: Advocate;
let referral: Referral;
beforeAll(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
});

const ID = () => newId().padEnd(255, 'x');
const pay = (paymentId: string, by: 'id' | 'email' | 'both') =>
  metered(table, () => {
    const { id, email, customerUid: uid } = referral;
    const references = {
      id: { id, email: null, uid: null },
      email: { id: null, email, uid: null },
      both: { id: null, email, uid },
    };
    return recordPayment(table, ledgerOf(program), paymentOf({ id }, { paymentId, reference: references[by] }));
  });

test.each([
  ['id', 2],
  ['email', 3],
  ['both', 3],
] as const)(
  'a payment by %s uses %p requests and at most 14 write units; a repetition writes nothing',
  async (by, requests) => {
    referral = await aReferral(table, program, jane, { email: anEmail(), customerUid: newId(), subId: 'newsletter' });
    const first = await pay(ID(), by);
    expect(first).toMatchObject({ result: { isNew: true }, requests });
    expect(first.writeUnits).toBeLessThanOrEqual(14);
    const id = ID();
    const second = await pay(id, by);
    expect(second.requests).toBe(requests);
    // The state is already set: the referral is only checked.
    expect(second.writeUnits).toBeLessThan(first.writeUnits);
    expect(await pay(id, by)).toMatchObject({ result: { isNew: false }, requests: 2, writeUnits: 0 });
  },
);

test('refunds, voids, adjustments and settlements use one read and one transaction', async () => {
  referral = await aReferral(table, program, jane, { email: anEmail() });
  const paymentId = ID();
  await pay(paymentId, 'id');
  const ledger = ledgerOf(program);
  const common = { slug: jane.slug, currency: 'usd' };
  const settlement = { ...common, amount: 1, reference: null, settledAt: null };
  const settle = (settlementCount: number | undefined) =>
    recordSettlement(table, ledger, { ...settlement, settlementId: ID(), settlementCount });
  const writes = [
    () => recordRefund(table, ledger, { paymentId, refundId: ID(), amount: 1, refundedAt: null }),
    () => recordVoid(table, ledger, { paymentId, note: 'Fraud' }),
    () => recordAdjustment(table, ledger, { ...common, adjustmentId: ID(), commission: 1, note: 'x'.repeat(200) }),
    () => settle(0),
    () => settle(undefined),
  ];
  const readings = [];
  for (const write of writes) readings.push(await metered(table, async () => write()));
  expect(readings.map(({ requests }) => requests)).toEqual([2, 2, 2, 2, 2]);
  expect(readings.map(({ writeUnits }) => writeUnits)).toEqual([8, 6, 4, 6, 6]);
  expect(readings.slice(-2).map(({ readUnits }) => readUnits)).toEqual([2, 2]);
});
