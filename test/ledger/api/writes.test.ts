import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { payOut } from '../../../functions/ledger/operator/payouts.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import type { OperationId } from '../../../functions/routes.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aReferral, aToken, newId, now } from '../../support/program.ts';
import { anEmail } from '../../support/table/track.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram();
const token = await aToken(table, program);
let jane: Advocate;
let referral: Referral;
beforeEach(async () => {
  jane = await anAdvocate(table, program);
  referral = await aReferral(table, program, jane, { email: anEmail(), customerUid: newId() });
});

const MONEY = { amount: 1005, currency: 'usd' };
type Body = Readonly<Record<string, unknown>>;
type LedgerRoute = Extract<OperationId, `record${string}` | 'voidPayment'>;

describe.each(DRIVERS)('the writes of the ledger through %s', (_, connect) => {
  const send = connect(table);
  const post = (operation: LedgerRoute, body: Body, credential = token) => send({ operation, token: credential, body });
  const outcome = async (operation: LedgerRoute, body: Body) => {
    const { status, headers } = await post(operation, body);
    return [status, headers['x-error-code']];
  };
  /** A valid body of each route, for new data. */
  const bodies = async (): Promise<Readonly<Record<LedgerRoute, Body>>> => {
    const id = newId();
    const { slug: affiliate_slug } = jane;
    await post('recordPayment', { id: referral.id, payment_id: `first ${id}`, ...MONEY });
    return {
      recordPayment: { uid: referral.customerUid, payment_id: id, ...MONEY },
      recordRefund: { payment_id: `first ${id}`, refund_id: id, amount: 5 },
      voidPayment: { payment_id: `first ${id}`, note: 'Fraud' },
      recordAdjustment: { affiliate_slug, adjustment_id: id, commission: -5, currency: 'usd', note: 'Correction' },
      recordSettlement: { affiliate_slug, settlement_id: id, ...MONEY, reference: 'Transfer' },
    };
  };
  const EVERY = ['recordPayment', 'recordRefund', 'voidPayment', 'recordAdjustment', 'recordSettlement'] as const;

  test('a payout run and a settlement of the same statement pay once, also at the same time', async () => {
    const statement = async () => {
      // Of this month, which may end between two calls.
      const query = `affiliate_slug=${jane.slug}&month=${new Date().toISOString().slice(0, 7)}`;
      const { json } = await send({ operation: 'getStatements', token, query });
      const [{ payable: amount, settlement_count }] = json.data.attributes.currencies;
      return { amount, settlement_count };
    };
    const run = async (name: string) => {
      let paid = 0;
      for await (const { advocate } of payOut(table, program, { name, currency: 'usd', minimum: 1 })) {
        if (advocate.slug === jane.slug) paid += 1;
      }
      return paid;
    };
    const earn = () => post('recordPayment', { id: referral.id, payment_id: newId(), ...MONEY });
    const settling = async () => {
      const seen = { affiliate_slug: jane.slug, settlement_id: newId(), currency: 'usd', ...(await statement()) };
      return () => outcome('recordSettlement', seen);
    };
    for (const name of ['a', 'b']) {
      await earn();
      const settle = await settling();
      const [[status], paid] = await Promise.all([settle(), run(name)]);
      expect(status === 201 ? 1 : 0).toBe(1 - paid);
      expect(await statement()).toMatchObject({ amount: 0 });
    }
    await earn();
    const late = await settling();
    expect(await run('c')).toBe(1);
    expect(await late()).toEqual([409, 'balance_changed']);
  });

  test('a response with a payment without a rate has a warning, and no other response has one', async () => {
    const unrated = await aReferral(table, program, jane, { commissionPercentage: null });
    const rejected = await aReferral(table, program, jane, { commissionPercentage: null, state: 'rejected' });
    const warningFor = async (operation: LedgerRoute, body: Body) => {
      const { status, headers } = await post(operation, body);
      return [status, headers['x-warning']];
    };
    const payment = { id: unrated.id, payment_id: newId(), ...MONEY };
    expect(await warningFor('recordPayment', payment)).toEqual([201, 'no_rate']);
    expect(await warningFor('recordPayment', payment)).toEqual([200, 'no_rate']);
    const { payment_id } = payment;
    expect(await warningFor('recordRefund', { payment_id, refund_id: newId(), amount: 5 })).toEqual([201, undefined]);
    expect(await warningFor('voidPayment', { payment_id, note: 'no_rate' })).toEqual([201, undefined]);
    for (const { id } of [referral, rejected]) {
      expect(await warningFor('recordPayment', { id, payment_id: newId(), ...MONEY })).toEqual([201, undefined]);
    }
  });

  test('a payment returns 201 with the whole entry, and pays the referral', async () => {
    const payment_id = newId();
    const paid_at = now() - 10;
    const { status, json } = await post('recordPayment', { uid: referral.customerUid, payment_id, ...MONEY, paid_at });
    expect([status, json]).toEqual([
      201,
      {
        data: {
          id: expect.any(String),
          type: 'entry',
          attributes: {
            kind: 'payment',
            affiliate_slug: jane.slug,
            referral_id: referral.id,
            payment_id,
            refund_id: null,
            adjustment_id: null,
            settlement_id: null,
            ...MONEY,
            commission: 201,
            commission_percentage: 20,
            commission_rules_id: null,
            rule: null,
            paying_seen: null,
            note: null,
            reference: null,
            occurred_at: paid_at,
            created_at: expect.any(Number),
            by: 'merchant',
          },
        },
      },
    ]);
    const found = await send({ operation: 'lookUpReferral', token, body: { id: referral.id } });
    expect(found.json.data.attributes.state).toBe('paid');
  });

  test.each(EVERY)('%s returns 201, then 200 with the same entry, and 409 for other fields', async (operation) => {
    const body = (await bodies())[operation];
    const first = await post(operation, body);
    expect(first.status).toBe(201);
    await expectUnchanged(table, async () => {
      const again = await post(operation, body);
      expect([again.status, again.text]).toEqual([200, first.text]);
      const other = 'note' in body ? { ...body, note: 'Other' } : { ...body, amount: 4 };
      const kind = operation.replace(/record|Payment$/g, '').toLowerCase() || 'payment';
      expect(await outcome(operation, other)).toEqual([409, `${kind}_exists`]);
    });
  });

  test.each<[LedgerRoute, string, readonly unknown[]]>([
    ['recordPayment', 'payment_id', [undefined, null, '', 5, 'é', 'a\n', 'x'.repeat(256)]],
    ['recordPayment', 'amount', [undefined, null, 0, -1, 1.5, '5', 10 ** 12 + 1]],
    ['recordPayment', 'currency', [undefined, '', 'USD', 'zzq', 5]],
    ['recordPayment', 'paid_at', [-1, 1.5, 'now', 10 ** 12]],
    ['recordRefund', 'refund_id', [undefined, '', 'x'.repeat(256)]],
    ['recordRefund', 'amount', [undefined, 0, 10 ** 12 + 1]],
    ['voidPayment', 'note', [undefined, '', 'x'.repeat(201), 'a\nb']],
    ['recordAdjustment', 'commission', [undefined, 0, 0.5, 10 ** 12 + 1, -(10 ** 12) - 1]],
    ['recordAdjustment', 'note', [undefined, '', 'x'.repeat(201)]],
    ['recordSettlement', 'amount', [undefined, 0, -5]],
    ['recordSettlement', 'reference', ['x'.repeat(201)]],
    ['recordSettlement', 'settled_at', [10 ** 12]],
  ])('%s returns 400 with the name of %s', async (operation, field, values) => {
    const body = (await bodies())[operation];
    await expectUnchanged(table, async () => {
      for (const value of values) {
        const { status, json } = await post(operation, { ...body, [field]: value });
        expect([value, status, json.error]).toEqual([value, 400, expect.stringContaining(field)]);
      }
    });
  });

  test('errors are checked in the documented order', async () => {
    const payment_id = newId();
    const click = await aClick(table, program, jane);
    const payment = { payment_id, ...MONEY };
    await post('recordPayment', { id: referral.id, ...payment });
    // Fields, the customer, the repetition, the conversion.
    expect(await outcome('recordPayment', { uid: 'nobody', ...payment, amount: 0 })).toEqual([400, 'invalid_field']);
    expect(await outcome('recordPayment', { uid: 'nobody', ...payment })).toEqual([404, 'referral_not_found']);
    expect(await outcome('recordPayment', { id: click.id, ...payment })).toEqual([409, 'payment_exists']);
    expect(await outcome('recordPayment', { id: click.id, ...payment, payment_id: newId() })).toEqual([
      409,
      'not_converted',
    ]);
    // The payment, the repetition, what is left.
    const refund_id = newId();
    const refund = (changes: Body) => outcome('recordRefund', { payment_id, refund_id, amount: 1005, ...changes });
    expect(await refund({})).toEqual([201, undefined]);
    expect(await refund({ payment_id: 'nobody' })).toEqual([404, 'payment_not_found']);
    expect(await refund({})).toEqual([200, undefined]);
    expect(await refund({ amount: 1006 })).toEqual([409, 'refund_exists']);
    expect(await refund({ refund_id: newId(), amount: 1 })).toEqual([400, 'invalid_field']);
    expect(await outcome('voidPayment', { payment_id: 'nobody', note: 'Fraud' })).toEqual([404, 'payment_not_found']);
    // The advocate, the repetition.
    const { recordSettlement: settlement } = await bodies();
    await post('recordSettlement', settlement);
    const unknown = { ...settlement, affiliate_slug: 'nobody' };
    expect(await outcome('recordSettlement', unknown)).toEqual([400, 'invalid_affiliate_slug']);
  });
});
