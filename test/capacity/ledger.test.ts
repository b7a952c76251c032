import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { KINDS, MONEY_KINDS } from '../../functions/kernel/accounts/rules/totals.ts';
import { moneyAttribute, readAllTotals, totalAttribute } from '../../functions/kernel/accounts/table/totals.ts';
import { addDays, dayOf, daysIn } from '../../functions/kernel/days.ts';
import { sortKey, totalsKey } from '../../functions/kernel/dynamodb/keys.ts';
import { milliseconds, seconds } from '../../functions/kernel/time.ts';
import { noSums, type Sums } from '../../functions/ledger/rules/sums.ts';
import { recordAdjustment } from '../../functions/ledger/table/entry-claims.ts';
import { recordPayment, recordRefund, recordVoid } from '../../functions/ledger/table/payments.ts';
import { recordSettlement } from '../../functions/ledger/table/settlements.ts';
import { toSumsItem } from '../../functions/ledger/table/sums-item.ts';
import { type ApiRequest, sendToHandlers } from '../support/drivers.ts';
import { anEntry, aPaymentEntry, putEntries, putSums, storedSums } from '../support/ledger/entries.ts';
import { ledgerOf, paymentOf } from '../support/ledger/ledger.ts';
import { inSeries, metered } from '../support/meter.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId, now } from '../support/program.ts';
import { putItems } from '../support/table/many-rows.ts';
import { anEmail } from '../support/table/track.ts';
import { atTime, inParallel } from '../support/table.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();
const NOW = seconds(Date.parse('2026-11-22T12:00:00Z') / 1000);
const reader = atTime(table, () => milliseconds(NOW * 1000));
const send = sendToHandlers(reader);
const SLUGS = Array.from({ length: 50 }, (_, index) => `advocate-${String(index).padStart(2, '0')}`);
const CURRENCIES = ['usd', 'eur', 'jpy'];

/** Sums of ten years in three currencies, with payments on each day: the digits of a large advocate. */
function tenYears(currencies: readonly string[] = CURRENCIES): Sums {
  let state = 1;
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return BigInt(state % below);
  };
  const sums = noSums();
  for (let month = 0; month < 120; month += 1) {
    const key = new Date(Date.UTC(2016, 11 + month)).toISOString().slice(0, 7);
    const ofMonth = currencies.map((currency) => {
      const commissions = random(10_000_000);
      const [payments, refunds] = [random(100_000_000), -random(10_000_000)];
      return [
        currency,
        { payments, refunds, commissions, adjustments: random(100_000), settlements: -commissions },
      ] as const;
    });
    sums.months.set(key, new Map(ofMonth));
  }
  const today = dayOf(NOW);
  const days = daysIn({ from: addDays(today, -370), to: today });
  for (const currency of currencies) sums.days.set(currency, new Map(days.map((day) => [day, random(1_000_000)])));
  return sums;
}

const entriesOf = (slug: string, count: number, ago = 100) =>
  Array.from({ length: count }, (_, index) => {
    const changes = { currency: CURRENCIES[index % 3] ?? 'usd' };
    const at = seconds(NOW - ago);
    return index % 4 === 3 ? anEntry(slug, at, changes) : aPaymentEntry(slug, at, changes);
  });

let program: Program;
let token: string;
let ofAffiliate: string;
beforeAll(async () => {
  program = await aProgram(table, { payableAfterDays: 365 });
  token = await aToken(table, program);
  const [slug = '', ...others] = SLUGS;
  ofAffiliate = await aToken(table, program, await anAdvocate(table, program, { slug }));
  await inParallel(others, (each) => anAdvocate(table, program, { slug: each }));
  const sums = tenYears();
  await inParallel(SLUGS, async (each) => {
    await putSums(table, program, each, { ...sums, position: sortKey(seconds(NOW - 1000), newId()), version: 1 });
    await putEntries(table, program, entriesOf(each, 9));
  });
  // Too new to be stored.
  await putEntries(table, program, entriesOf(slug, 40, 30));
  // The callers are looked up once.
  for (const each of [merchant(`month=2026-11&affiliate_slug=nobody`), own('month=2026-11')]) await send(each);
});
const merchant = (query: string): ApiRequest => ({ operation: 'getStatements', token, query });
const own = (query: string): ApiRequest => ({ operation: 'getOwnStatements', token: ofAffiliate, query });

describe('the capacity of the ledger', () => {
  test('a statement of 3 currencies and 10 years with 49 new entries is 2 requests and 6.5 read units', async () => {
    const year = 'from=2025-12&to=2026-11';
    const requests = [merchant('month=2026-11&affiliate_slug=advocate-00'), own('month=2026-11'), own(year)];
    for (const request of requests) {
      const { result, ...reading } = await metered(table, () => send(request));
      expect([result.status, reading.requests, reading.writeUnits]).toEqual([200, 2, 0]);
      expect(reading.readUnits).toBe(6.5);
    }
  });

  test('a page of 50 statements of 3 currencies and 10 years is 52 requests, 3 in series, and 131 read units', async () => {
    const before = await storedSums(table, program, 'advocate-07');
    const page = () => send(merchant('month=2026-11'));
    const { result, ...reading } = await metered(table, page);
    expect(result.json.data).toHaveLength(50);
    expect(reading).toMatchObject({ requests: 52, writeUnits: 0 });
    expect(reading.readUnits).toBe(131);
    expect((await inSeries(table, page)).rounds).toBe(3);
    expect(await storedSums(table, program, 'advocate-07')).toEqual(before);
  });

  test('a page of 50 balances, of a quarter of 10,000 advocates, leaves room for all of them in 350 read units', async () => {
    const numbers = Object.fromEntries(KINDS.map((kind) => [totalAttribute(kind), 1234]));
    const totals = (slug: string, revenue: number) => ({
      ...totalsKey(program.id, slug),
      ...numbers,
      ...Object.fromEntries(MONEY_KINDS.map((kind, index) => [moneyAttribute(kind, 'usd'), revenue - index])),
    });
    const others = Array.from({ length: 2450 }, (_, index) => totals(`jane-doe-${10_000 + index}`, 123_456));
    await putItems(table, [...SLUGS.map((slug) => totals(slug, 9_876_543)), ...others]);
    const all = await metered(table, () => readAllTotals(reader, program.id));
    const page = () => send({ operation: 'listBalances', token, query: 'currency=usd&per_page=50' });
    const { result, ...reading } = await metered(table, page);
    expect([result.status, result.json.data.length]).toEqual([200, 50]);
    expect(3 * all.readUnits + reading.readUnits).toBeLessThanOrEqual(350);
    expect([all.requests, all.readUnits, reading.readUnits]).toEqual([1, 41, 195.5]);
    // All totals, of 10,000 advocates two requests; then what is stored of the 50; then their new entries.
    expect((await inSeries(table, page)).rounds).toBe(3);
  });

  test('a page of 50 entries is 1 request, and of a payment 3', async () => {
    const query = 'affiliate_slug=advocate-00&per_page=50';
    const page = await metered(table, () => send({ operation: 'listEntries', token, query }));
    expect(page.result.json.data).toHaveLength(49);
    expect(page).toMatchObject({ requests: 1, readUnits: 5 });
    const payment = { operation: 'listEntries' as const, token, query: 'payment_id_eq=none' };
    expect(await metered(table, () => send(payment))).toMatchObject({ requests: 2, readUnits: 2 });
  });

  test('ten years in 50 currencies, with payments on each day, are half of the largest item', () => {
    const sums = tenYears(Intl.supportedValuesOf('currency').slice(0, 50));
    const item = toSumsItem(program.id, 'jane', { ...sums, position: '', version: 1 });
    const size = Buffer.byteLength(item['sums'] instanceof Uint8Array ? item['sums'] : '');
    expect(size).toBeGreaterThan(100_000);
    expect(size).toBeLessThan(200_000);
  });
});

const ID = () => newId().padEnd(255, 'x');

test('payments use at most 3 requests and 17 write units; a repetition writes nothing', async () => {
  const own = await aProgram(table);
  const jane = await anAdvocate(table, own);
  // Within the second of the sign-up, the payment would not move the index entry.
  const signedUpAt = seconds(now() - 3600);
  for (const [by, requests] of [
    ['id', 2],
    ['both', 3],
  ] as const) {
    const {
      id,
      email,
      customerUid: uid,
    } = await aReferral(table, own, jane, {
      ...{ email: anEmail(), customerUid: newId(), subId: 'newsletter' },
      ...{ createdAt: signedUpAt, stateSetAt: signedUpAt, updatedAt: signedUpAt },
    });
    const reference = by === 'id' ? { id, email: null, uid: null } : { id: null, email, uid };
    const pay = (paymentId: string) =>
      metered(table, () => recordPayment(table, ledgerOf(own), paymentOf({ id }, { paymentId, reference })));
    const first = await pay(ID());
    expect(first).toMatchObject({ result: { isNew: true }, requests });
    expect(first.writeUnits).toBeLessThanOrEqual(17);
    const paymentId = ID();
    const second = await pay(paymentId);
    expect(second.requests).toBe(requests);
    // The state is already set: the referral is only checked.
    expect(second.writeUnits).toBeLessThan(first.writeUnits);
    expect(await pay(paymentId)).toMatchObject({ result: { isNew: false }, requests: 2, writeUnits: 0 });
  }
});

test('refunds, voids, adjustments and settlements use one read and one transaction', async () => {
  const own = await aProgram(table);
  const { slug } = await anAdvocate(table, own);
  const [paymentId, ledger] = [ID(), ledgerOf(own)];
  await recordPayment(
    table,
    ledger,
    paymentOf(await aReferral(table, own, await anAdvocate(table, own)), { paymentId }),
  );
  const common = { slug, currency: 'usd' };
  const settle = (settlementCount: number | undefined) =>
    recordSettlement(table, ledger, {
      ...{ ...common, amount: 1, reference: null, settledAt: null, settlementId: ID(), settlementCount },
    });
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
  expect(readings.map(({ writeUnits }) => writeUnits)).toEqual([11, 9, 4, 7, 7]);
  expect(readings.slice(-2).map(({ readUnits }) => readUnits)).toEqual([2, 2]);
});
