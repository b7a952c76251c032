import { BatchWriteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { paymentKey } from '../../../functions/table/keys.ts';
import { recordPayment, recordRefund, recordVoid } from '../../../functions/table/ledger/payments.ts';
import { readSums } from '../../../functions/table/ledger/sums.ts';
import { parseSums, toSumsItem } from '../../../functions/table/ledger/sums-item.ts';
import { verifyLedger } from '../../../functions/table/operator/ledger.ts';
import { deleteSums, someSettlements, storedSums } from '../../support/ledger/entries.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { atTime } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let jane: Advocate;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 33.333333 });
  jane = await anAdvocate(table, program);
  await anAdvocate(table, program);
  const referral = await aReferral(table, program, jane);
  const ledger = { program: program.id, by: 'merchant' } as const;
  const earlier = atTime(table, () => milliseconds(Date.now() - 120_000));
  const reference = { id: referral.id, email: null, uid: null };
  for (const paymentId of ['in_1', 'in_2']) {
    await recordPayment(earlier, ledger, { reference, paymentId, amount: 1000, currency: 'usd', paidAt: null });
  }
  await recordRefund(earlier, ledger, { paymentId: 'in_1', refundId: 're_1', amount: 100, refundedAt: null });
  await recordVoid(earlier, ledger, { paymentId: 'in_2', note: 'Fraud' });
  await someSettlements(table, program, jane.slug, 50);
  await readSums(table, program.id, jane.slug);
});
const verify = () => verifyLedger(table, program.id);

test('a ledger without differences is only counted, with stored sums and without', async () => {
  expect(await storedSums(table, program, jane.slug)).toMatchObject({ version: 1 });
  expect(await verify()).toEqual({ entries: 54, differences: [] });
  await deleteSums(table, program, jane.slug);
  expect(await verify()).toEqual({ entries: 54, differences: [] });
});

test('a wrong sum of a month or of a day is a difference', async () => {
  const sums = parseSums(await storedSums(table, program, jane.slug));
  const [[month = '', ofMonth] = []] = sums.months;
  const usd = ofMonth?.get('usd');
  if (usd) ofMonth?.set('usd', { ...usd, settlements: -51n });
  const byDay = sums.days.get('usd');
  const [day = ''] = byDay?.keys() ?? [];
  byDay?.set(day, 301n);
  await table.client.send(new PutCommand({ TableName: table.name, Item: toSumsItem(program.id, jane.slug, sums) }));
  expect(await verify()).toEqual({
    entries: 54,
    differences: [
      { slug: jane.slug, subject: month, field: 'usd settlements', stored: '-51', computed: '-50' },
      { slug: jane.slug, subject: day, field: 'usd', stored: '301', computed: '300' },
    ],
  });
});

test('a payment with another refund than its entries is a difference', async () => {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: { ...paymentKey(program.id, 'in_1') },
      UpdateExpression: 'SET refunded = :wrong',
      ExpressionAttributeValues: { ':wrong': 200 },
    }),
  );
  expect((await verify()).differences).toEqual([
    { slug: jane.slug, subject: 'in_1', field: 'left', stored: '266', computed: '300' },
    { slug: jane.slug, subject: 'in_1', field: 'refunded', stored: '200', computed: '100' },
  ]);
});

test('a payment that is missing is a difference in each of its fields', async () => {
  const Key = { ...paymentKey(program.id, 'in_2') };
  const RequestItems = { [table.name]: [{ DeleteRequest: { Key } }] };
  await table.client.send(new BatchWriteCommand({ RequestItems }));
  const { differences } = await verify();
  expect(differences).toContainEqual({
    slug: jane.slug,
    subject: 'in_2',
    field: 'amount',
    stored: null,
    computed: '1000',
  });
  expect(differences.every(({ subject, stored }) => subject === 'in_2' && stored === null)).toBe(true);
});
