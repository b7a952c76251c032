import { beforeAll, describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { addDays, dayOf } from '../../../functions/kernel/days.ts';
import { milliseconds, seconds } from '../../../functions/kernel/time.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { recordPayment } from '../../../functions/ledger/table/payments.ts';
import { recordSettlement } from '../../../functions/ledger/table/settlements.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { ledgerOf, paymentOf } from '../../support/ledger/ledger.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { cursorOf, idsOf, outcomeOf } from '../../support/responses.ts';
import { addMoney } from '../../support/statistics/statistics.ts';
import { atTime } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table: stored, program } = await useProgram({ commissionPercentage: 10, payableAfterDays: 30 });
const NOW = seconds(Date.parse('2026-03-10T12:00:00Z') / 1000);
const TODAY = dayOf(NOW);
const table = atTime(stored, () => milliseconds(NOW * 1000));
const token = await aToken(table, program);
const ledger = ledgerOf(program);

/** Records an adjustment, and counts it as the stream does. */
async function owe({ slug }: Advocate, commission: number, currency = 'usd'): Promise<void> {
  await recordAdjustment(table, ledger, { slug, adjustmentId: newId(), commission, currency, note: 'Bonus' });
  await addMoney(table, program, slug, TODAY, { currency, adjustments: commission });
}

/** Records a payment of 1000 on a day, and counts it. */
async function pay(advocate: Advocate, daysAgo: number): Promise<void> {
  const referral = await aReferral(table, program, advocate);
  const paidAt = seconds(NOW - daysAgo * 86_400);
  await recordPayment(table, ledger, paymentOf(referral, { paymentId: newId(), amount: 1000, paidAt }));
  await addMoney(table, program, advocate.slug, TODAY, { currency: 'usd', revenue: 1000, commissions: 100 });
}

const slugs = ['waiting', 'payable', 'later', 'overpaid', 'settled', 'lagging', 'euros'] as const;
beforeAll(async () => {
  const all = await Promise.all(slugs.map((slug) => anAdvocate(table, program, { slug })));
  const [waiting, payable, later, overpaid, settled, lagging, euros] = all;
  if (!waiting || !payable || !later || !overpaid || !settled || !lagging || !euros) throw new Error('Missing');
  for (const daysAgo of [1, 2]) await pay(waiting, daysAgo);
  await pay(payable, 30);
  await owe(payable, 1);
  // The refund of an older payment exceeds what becomes payable first.
  await owe(later, -150);
  for (const daysAgo of [1, 20]) await pay(later, daysAgo);
  await owe(overpaid, -40);
  await owe(settled, 50);
  const settlement = { amount: 50, currency: 'usd', reference: null, settledAt: null, settlementId: 's' };
  await recordSettlement(table, ledger, { slug: 'settled', ...settlement });
  await addMoney(table, program, 'settled', TODAY, { currency: 'usd', settled: 50 });
  // The stream has not counted yet that nothing is owed any more.
  await owe(lagging, 500);
  await recordSettlement(table, ledger, { slug: 'lagging', ...settlement, amount: 500, settlementId: 'l' });
  await owe(euros, 9, 'eur');
});

describe.each(DRIVERS)('balances through %s', (_, connect) => {
  const send = connect(table);
  const get = (query = '') => send({ operation: 'listBalances', token, query });
  type Row = { id: string; attributes: Record<string, unknown> };
  const numbersOf = ({ id, attributes }: Row) =>
    [id, ...['balance', 'payable', 'waiting', 'payable_from'].map((name) => attributes[name])].join(' ');

  test('the most owed currency comes first: largest balances, what is payable and when, and nobody whose entries are 0', async () => {
    const { json } = await get();
    expect(json.data.map(numbersOf)).toEqual([
      `waiting 200 0 200 ${addDays(TODAY, 28)}`,
      `payable 101 101 0 ${TODAY}`,
      `later 50 -150 200 ${addDays(TODAY, 29)}`,
      'overpaid -40 -40 0 ',
    ]);
    expect(json.data[0].attributes).toMatchObject({
      first_name: 'Jane',
      last_name: 'Doe',
      active: true,
      currency: 'usd',
    });
    expect(json.meta.currencies).toEqual([
      { currency: 'eur', owed: 9, overpaid: 0, as_of: NOW },
      { currency: 'usd', owed: 200 + 101 + 50 + 500, overpaid: 40, as_of: NOW },
    ]);
    expect((await get('currency=eur')).json.data.map(numbersOf)).toEqual([`euros 9 9 0 ${TODAY}`]);
    expect((await get('currency=jpy')).json.data).toEqual([]);
  });

  test('only a token with the scope payouts sees where an advocate is paid', async () => {
    const account = { payoutMethod: 'other', payoutAccount: 'In cash' } as const;
    await updateAdvocate(table, program.id, 'euros', account);
    const reader = await aToken(table, program, undefined, null, ['read']);
    for (const [caller, expected] of [
      [token, ['other', 'In cash']],
      [reader, [null, null]],
    ] as const) {
      const { json } = await send({ operation: 'listBalances', token: caller, query: 'currency=eur' });
      const { payout_method, payout_account } = json.data[0].attributes;
      expect([payout_method, payout_account]).toEqual(expected);
    }
  });

  test('pages continue after the last row', async () => {
    const ids: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await get(`currency=usd&per_page=2${cursor && `&cursor=${cursor}`}`);
      ids.push(...idsOf(page));
      cursor = cursorOf(page);
    }
    expect(ids).toEqual(['waiting', 'payable', 'later', 'overpaid']);
  });

  test('a program without money has no balances', async () => {
    const other = await aToken(table, await aProgram(table));
    const { json } = await send({ operation: 'listBalances', token: other });
    expect([json.data, json.meta.currencies]).toEqual([[], []]);
  });

  test.each([
    ['currency=USD', 'currency must be the code of a currency in lower case, such as usd'],
    ['page=1', 'page is not a parameter of this operation: remove it'],
    ['cursor=eA', 'cursor is not valid for this list and these filters: request the first page again'],
  ])('balances with %s are refused', async (query, sentence) => {
    expect(outcomeOf(await get(query))).toEqual([400, 'invalid_field', sentence]);
  });
});
