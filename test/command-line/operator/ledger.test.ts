import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { dayOf } from '../../../functions/kernel/days.ts';
import {
  entryClaimKey,
  entryKey,
  type Key,
  ledgerSumsKey,
  moneyKey,
  settlementCountKey,
  totalsKey,
} from '../../../functions/kernel/dynamodb/keys.ts';
import { milliseconds, seconds } from '../../../functions/kernel/time.ts';
import { verifyLedger } from '../../../functions/ledger/operator/ledger.ts';
import { entryStoreOf, storePayments } from '../../../functions/ledger/operator/payment-import.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { recordPayment, recordRefund, recordVoid } from '../../../functions/ledger/table/payments.ts';
import { recordSettlement } from '../../../functions/ledger/table/settlements.ts';
import { readSums } from '../../../functions/ledger/table/sums.ts';
import { parseSums, toSumsItem } from '../../../functions/ledger/table/sums-item.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { cancellation, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { deleteSums, someSettlements, storedSums } from '../../support/ledger/entries.ts';
import { anAdvocate, aProgram, aReferral, now } from '../../support/program.ts';
import { addMoney } from '../../support/statistics/statistics.ts';
import { entriesOf } from '../../support/table/entries.ts';
import { atTime, itemAt } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const DAY = 86_400_000;
/** What statistics count of the entries. */
const COUNTED = { revenue: 1900, commissions: 300, settled: 50 };
const table = useTable();
let program: Program;
let jane: Advocate;
let referral: Referral;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 33.333333 });
  jane = await anAdvocate(table, program);
  await anAdvocate(table, program);
  referral = await aReferral(table, program, jane);
  const ledger = { program: program.id, by: 'merchant' } as const;
  // Noon of yesterday, a millisecond later each time: neither a day nor a month ends between two entries.
  let moment = (Math.floor(Date.now() / DAY) - 0.5) * DAY;
  const earlier = atTime(table, () => {
    moment += 1;
    return milliseconds(moment);
  });
  const reference = { id: referral.id, email: null, uid: null };
  for (const paymentId of ['in_1', 'in_2']) {
    await recordPayment(earlier, ledger, { reference, paymentId, amount: 1000, currency: 'usd', paidAt: null });
  }
  await recordRefund(earlier, ledger, { paymentId: 'in_1', refundId: 're_1', amount: 100, refundedAt: null });
  await recordVoid(earlier, ledger, { paymentId: 'in_2', note: 'Fraud' });
  await someSettlements(earlier, program, jane.slug, 50);
  await readSums(table, program.id, jane.slug);
  await addMoney(table, program, jane.slug, dayOf(now() - DAY / 1000), { ...COUNTED, currency: 'usd' });
});
const verify = () => verifyLedger(table, program.id);
const remove = (key: Key) => table.client.send(new DeleteCommand({ TableName: table.name, Key: { ...key } }));

/** Sets an attribute of an item. */
async function damage(key: Key, attribute: string, value: unknown): Promise<void> {
  const Item = { ...(await itemAt(table, key)), [attribute]: value };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
}

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

test('a wrong number of settlements is a difference, and so is one in the sums', async () => {
  await damage(settlementCountKey(program.id, jane.slug), 'count_usd', 49);
  await damage(ledgerSumsKey(program.id, jane.slug), 'settlement_counts', { usd: 51 });
  expect((await verify()).differences).toEqual([
    { slug: jane.slug, subject: 'sums', field: 'usd settlements', stored: '51', computed: '50' },
    { slug: jane.slug, subject: 'settlements', field: 'usd', stored: '49', computed: '50' },
  ]);
});

/** The first entry of a kind, and its key. */
async function first(kind: Entry['kind']) {
  const entry = (await entriesOf(table, program)).find((each) => each.kind === kind);
  if (!entry) throw new Error(`There is no ${kind}.`);
  return { entry, key: entryKey(program.id, jane.slug, entry) };
}

test('totals of statistics that are not what the entries add up to are a difference, unless new entries explain it', async () => {
  const ledger = { program: program.id, by: 'merchant' } as const;
  const money = { amount: 7, currency: 'usd', reference: null, settledAt: null };
  await recordSettlement(table, ledger, { slug: jane.slug, settlementId: 'new', ...money });
  expect((await verify()).differences).toEqual([]);
  await damage(totalsKey(program.id, jane.slug), 'usd_c', 299);
  const { slug } = jane;
  expect((await verify()).differences).toEqual([
    { slug, subject: 'totals', field: 'usd commissions', stored: '299', computed: '300' },
  ]);
});

test('another sum or number of payments than the entries of a referral have is a difference', async () => {
  const key = moneyKey(program.id, referral.id);
  await damage(key, `r_usd_${jane.slug}`, 1901n);
  await damage(key, 'payments', 3);
  expect((await verify()).differences).toEqual([
    { slug: jane.slug, subject: referral.id, field: 'payments', stored: '3', computed: '2' },
    { slug: jane.slug, subject: referral.id, field: 'usd revenue', stored: '1901', computed: '1900' },
  ]);
});

test('a payment with another commission than its amount and rate say is a difference', async () => {
  await damage((await first('payment')).key, 'rate', 20);
  const difference = { field: 'amount × rate or rule', stored: '333', computed: '200' };
  expect((await verify()).differences).toContainEqual({ slug: jane.slug, subject: 'in_1', ...difference });
});

test('the id of a refund that leads to nothing, or to another entry, is a difference', async () => {
  const { key } = await first('refund');
  const claim = entryClaimKey(program.id, 'refund', 're_1');
  const other = await first('payment');
  await damage(claim, 'entry', other.key.sk);
  const difference = { slug: jane.slug, subject: 're_1', field: 'refund', computed: `${jane.slug} ${key.sk}` };
  expect((await verify()).differences).toEqual([{ ...difference, stored: `${jane.slug} ${other.key.sk}` }]);
  await remove(claim);
  expect((await verify()).differences).toEqual([{ ...difference, stored: null }]);
});

const proxied = useFaultyProxy(table);

test.each([
  ['the conflict of another transaction', cancellation('TransactionConflict', 'None')],
  ['throttling', refusal('ThrottlingException')],
])('imported entries have the time of the attempt that writes them, after %s', async (cause, fault) => {
  const own = await aProgram(table);
  const { id } = await aReferral(table, own, await anAdvocate(table, own));
  let moment = milliseconds(Date.now());
  const pause = async () => {
    moment = milliseconds(moment + 5000);
  };
  const at = atTime(proxied.faulty, () => moment).but({ pause });
  // The SDK repeats a throttled request.
  proxied.proxy.next('TransactWriteItems', ...(cause === 'throttling' ? [fault, fault, fault] : [fault]));
  const payment = {
    ...{ reference: { id, email: null, uid: null }, amount: 1000, currency: 'usd', commission: null },
    ...{ paidAt: seconds(now() - 60), refunded: 400, settled: 5 },
  };
  const payments = ['in_1', 'in_2'].map((paymentId) => ({ ...payment, paymentId }));
  const ledger = { program: own.id, by: 'import' } as const;
  expect(await storePayments(at, ledger, payments, entryStoreOf(at))).toEqual(['created', 'created']);
  const entries = await entriesOf(table, own);
  expect(entries.map(({ createdAt }) => createdAt)).toEqual(Array(6).fill(Math.floor(moment / 1000)));
});
