import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { parseCommissionRules } from '../../../functions/kernel/accounts/rules/commission-rules.ts';
import { commissionRulesId } from '../../../functions/kernel/accounts/rules/commission-rules-id.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { totalsKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { verifyLedger } from '../../../functions/ledger/operator/ledger.ts';
import { entryStoreOf, storePayments } from '../../../functions/ledger/operator/payment-import.ts';
import {
  type PaymentRequest,
  recordPayment,
  recordRefund,
  recordVoid,
} from '../../../functions/ledger/table/payments.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { entriesOf, ledgerOf, paymentOf, sumOf } from '../../support/ledger/ledger.ts';
import { anAdvocate, newId, now } from '../../support/program.ts';
import { aBill } from '../../support/stripe/money.ts';
import { move, set, storedReferral } from '../../support/table/situations.ts';
import { track } from '../../support/table/track.ts';
import { inParallel } from '../../support/table.ts';
import { aRuledProgram, setRules } from '../../support/terms.ts';
import { useTable } from '../../support/use-table.ts';

const FIRST_THEN_TEN = [
  { amounts: { usd: 300 }, payments: 1 },
  { percentage: 10, months: 12 },
];
const ID = commissionRulesId(parseCommissionRules('', FIRST_THEN_TEN));

const table = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
let program: Program;
let jane: Advocate;
let id: string;
beforeEach(async () => {
  program = await aRuledProgram(table, FIRST_THEN_TEN);
  jane = await anAdvocate(table, program);
  id = await aCustomer();
});
// Sums, payments and commissions follow from the entries and rules, however these were repeated or raced.
afterEach(async () => expect((await verifyLedger(table, program.id)).differences).toEqual([]));

const aCustomer = async (of = jane, uid = newId()) =>
  (await track(table, program, { by: { slug: of.slug, clickId: null }, email: null, uid })).referral.id;
const pay = (changes: Partial<PaymentRequest> = {}, on = table) =>
  recordPayment(on, ledgerOf(program), paymentOf({ id }, { paymentId: newId(), ...changes }));
const paid = async (changes: Partial<PaymentRequest> = {}) => {
  const { commission, commissionPercentage, commissionRulesId: rulesId, rule, note } = (await pay(changes)).entry;
  return { commission, commissionPercentage, rulesId, rule, note };
};
const FIRST = { commission: 300, commissionPercentage: null, rulesId: ID, rule: 1, note: null };
const LATER = { commission: 100, commissionPercentage: 10, rulesId: ID, rule: 2, note: null };

describe('payments of a referral with rules', () => {
  test('an entry says which rule paid, and a payment that no rule matches earns nothing', async () => {
    expect([await paid(), await paid(), await paid({ currency: 'eur' })]).toEqual([FIRST, LATER, LATER]);
    const nothing = { commission: 0, commissionPercentage: null, rulesId: ID, rule: null };
    const inAYear = seconds(now() + 400 * 86_400);
    expect(await paid({ paidAt: inAYear })).toEqual({ ...nothing, note: 'no_rule' });
    await set(table, program, id, 'rejected');
    expect(await paid()).toEqual({ ...nothing, note: 'rejected' });
  });

  test('every payment counts, also one that earned nothing, and the count never goes back', async () => {
    const first = await pay({ currency: 'eur', amount: 10 });
    expect(first.entry.rule).toBe(2);
    await recordRefund(table, ledgerOf(program), {
      paymentId: first.entry.paymentId ?? '',
      refundId: newId(),
      amount: 10,
      refundedAt: null,
    });
    await recordVoid(table, ledgerOf(program), { paymentId: first.entry.paymentId ?? '', note: 'Fraud' });
    expect(await paid()).toEqual(LATER);
  });

  test('of two simultaneous first payments, one is first', async () => {
    for (let round = 0; round < 5; round += 1) {
      id = await aCustomer();
      const rules = (await Promise.all([pay(), pay(), pay()])).map(({ entry }) => entry.rule);
      expect(rules.toSorted()).toEqual([1, 2, 2]);
    }
  });

  test('a payment between the read and the write of another payment is the first', async () => {
    // Otherwise the payments would conflict because of the new state.
    await set(table, program, id, 'paid');
    beforeNext(table, 'TransactWriteItemsCommand', () => pay());
    expect(await paid()).toEqual(LATER);
  });

  test('a first payment whose response is lost is repeated as the first, with one entry', async () => {
    const paymentId = newId();
    proxy.next('TransactWriteItems', 'lose');
    const { entry } = await pay({ paymentId }, proxied.faulty);
    expect(await pay({ paymentId })).toEqual({ entry, isNew: false });
    expect((await entriesOf(table, program)).map(({ rule }) => rule)).toEqual([1]);
  });

  test('refunds and the void have the rule of their payment, and leave exactly nothing', async () => {
    const { entry } = await pay({ amount: 997 });
    const paymentId = entry.paymentId ?? '';
    for (const amount of [1, 331]) {
      await recordRefund(table, ledgerOf(program), { paymentId, refundId: newId(), amount, refundedAt: null });
    }
    expect(sumOf(await entriesOf(table, program))).toBe(Math.round((300 * 665) / 997));
    await recordVoid(table, ledgerOf(program), { paymentId, note: 'Fraud' });
    const entries = await entriesOf(table, program);
    expect(sumOf(entries)).toBe(0);
    expect(entries.map(({ commissionRulesId: of, rule }) => [of, rule])).toEqual(Array(4).fill([ID, 1]));
  });

  test('new rules change no referral that has begun', async () => {
    program = await setRules(table, program, [{ percentage: 50 }]);
    expect([await paid(), await paid()]).toEqual([FIRST, LATER]);
  });

  test('a move gives the rules of the new advocate, keeps the conversion, and payments go on counting', async () => {
    expect(await paid()).toEqual(FIRST);
    const omar = await anAdvocate(table, program);
    const stored = await storedReferral(table, program, id);
    program = await setRules(table, program, [
      { percentage: 50, payments: 1 },
      { percentage: 5, months: 1 },
    ]);
    const moved = await move(table, program, id, omar.slug);
    expect(moved).toMatchObject({
      convertedAt: stored?.convertedAt,
      commissionPercentage: null,
      commissionEndDate: null,
    });
    expect(await paid()).toMatchObject({ commission: 50, rule: 2 });
    expect(await paid({ paidAt: seconds(now() + 40 * 86_400) })).toMatchObject({ note: 'no_rule' });
  });

  test('a referral that moves from rules to a percentage ends by its conversion and the new months', async () => {
    const omar = await anAdvocate(table, program, { commissionPercentage: 7 });
    const endless = await move(table, program, id, omar.slug);
    expect(endless).toMatchObject({ commissionPercentage: 7, commissionRulesId: null, commissionEndDate: null });
  });

  test('the entry keeps the number of customers that a rule saw', async () => {
    program = await setRules(table, program, [{ percentage: 40, paying_from: 3 }, { percentage: 10 }]);
    id = await aCustomer();
    const counted = (count: number) =>
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: { ...totalsKey(program.id, jane.slug) },
          UpdateExpression: 'SET n = :count',
          ExpressionAttributeValues: { ':count': count },
        }),
      );
    expect((await pay()).entry).toMatchObject({ rule: 2, payingSeen: 0 });
    await counted(2);
    expect((await pay()).entry).toMatchObject({ rule: 2, payingSeen: 2 });
    await counted(3);
    const { entry } = await pay();
    expect(entry).toMatchObject({ rule: 1, payingSeen: 3, commission: 400 });
    const refund = { paymentId: entry.paymentId ?? '', refundId: newId(), amount: 1, refundedAt: null };
    expect((await recordRefund(table, ledgerOf(program), refund)).entry).toMatchObject({ rule: 1, payingSeen: 3 });
  });

  test('invoices of Stripe count like payments over the API', async () => {
    const uid = newId();
    id = await aCustomer(jane, uid);
    const invoices = ['A', 'B'].map((n) => aBill({ n, uid, amount: 1000 }));
    await inParallel(invoices, (event) => applyStripeEvent(table, program, event));
    const rules = (await entriesOf(table, program)).map(({ rule }) => rule);
    expect(rules.toSorted()).toEqual([1, 2]);
  });
});

describe('imported payments of a referral with rules', () => {
  const line = (paidAt: number, commission: number | null = null) => ({
    reference: { id, email: null, uid: null },
    ...{
      paymentId: newId(),
      amount: 1000,
      currency: 'usd',
      paidAt: seconds(paidAt),
      refunded: 0,
      commission,
      settled: 0,
    },
  });
  const store = (lines: readonly ReturnType<typeof line>[]) =>
    storePayments(table, { program: program.id, by: 'import' }, lines, entryStoreOf(table));

  test('payments of a batch count in their order, and an earlier batch before them', async () => {
    const at = now();
    expect(await store([line(at), line(at), line(at)])).toEqual(Array(3).fill('created'));
    await store([line(at)]);
    const entries = await entriesOf(table, program);
    expect(entries.map(({ rule }) => rule)).toEqual([1, 2, 2, 2]);
  });

  test('a commission that the file gives has no rule, and its payment counts all the same', async () => {
    await store([line(now(), 77)]);
    expect(await entriesOf(table, program)).toMatchObject([{ commission: 77, commissionRulesId: null, rule: null }]);
    expect(await paid()).toEqual(LATER);
  });
});
