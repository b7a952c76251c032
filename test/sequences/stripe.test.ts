import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { Unavailable } from '../../functions/kernel/errors.ts';
import { milliseconds } from '../../functions/kernel/time.ts';
import { recordPayment, recordRefund } from '../../functions/ledger/table/payments.ts';
import { applyStripeEvent } from '../../functions/stripe/table/apply-event.ts';
import { cancellation, useFaultyProxy } from '../support/faulty-proxy.ts';
import { beforeNext, interleaved, interleavedAttempts } from '../support/interleaved.ts';
import { anAdvocate, aProgram, aReferral, now } from '../support/program.ts';
import { VERSIONS } from '../support/stripe/api-versions.ts';
import { aBill, aDispute, aLink, aRefunded, aSale } from '../support/stripe/money.ts';
import { replay } from '../support/stripe/replay.ts';
import { entriesOf, sumsOf } from '../support/table/entries.ts';
import { atTime } from '../support/table.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const uid = '1001';
const aShop = async () => {
  const program = await aProgram(table, { commissionPercentage: 33.333333 });
  const referral = await aReferral(table, program, await anAdvocate(table, program), { customerUid: uid });
  return { program, referral };
};
const send = (program: Program, event: object) => applyStripeEvent(table, program, event);
const n = 'A';
const bill = () => aBill({ n, uid, amount: 1190 }, { total: 1190, total_excluding_tax: 1000 });
const refunded = (amount: number) => aRefunded({ n, amount: 1190, refunded: amount });

/** The events of a payment, after which 100 of 1,000 are left. */
const chain = () => [
  bill(),
  aSale({ n, uid, amount: 1190 }, { invoice: 'in_A', total_details: { amount_tax: 190 } }),
  aLink({ n }),
  refunded(119),
  refunded(833),
  aDispute({ n, amount: 238, created: now() }),
];
const LEFT = { amount: 100, commission: 33 };

describe('events at the same moment', () => {
  const pairs: [string, () => object, () => object][] = [
    ['an invoice and a refund', bill, () => refunded(1190)],
    ['an invoice and its link', bill, () => aLink({ n })],
    ['a link and a refund', () => aLink({ n }), () => refunded(1190)],
    ['a refund and its link', () => refunded(1190), () => aLink({ n })],
    ['a refund and its invoice', () => refunded(1190), bill],
  ];
  test.each(pairs)('%s see each other', async (_, first, second) => {
    for (const command of ['TransactWriteItemsCommand', 'PutItemCommand']) {
      const { program } = await aShop();
      const [one, other] = [first(), second()];
      const all = [bill(), aLink({ n }), refunded(1190)];
      const isSame = (event: object) => [one, other].some((given) => typeOf(given) === typeOf(event));
      for (const event of all) if (!isSame(event)) await send(program, event);
      let isDisturbed = false;
      beforeNext(table, command, async () => {
        isDisturbed = true;
        await send(program, other);
      });
      await send(program, one);
      if (!isDisturbed) await send(program, other);
      expect(sumsOf(await entriesOf(table, program))).toEqual({ amount: 0, commission: 0 });
    }
  });

  test('a refund and a second invoice of its payment intent leave no refund', async () => {
    const { program } = await aShop();
    await send(program, bill());
    await send(program, aLink({ n }));
    beforeNext(table, 'TransactWriteItemsCommand', () => send(program, aLink({ n, invoice: 'in_B' })));
    expect(await send(program, refunded(1190))).toEqual({ ignored: 'several_invoices' });
    expect(sumsOf(await entriesOf(table, program))).toEqual({ amount: 1000, commission: 333 });
  });

  test('what waits in a payment intent of several invoices counts for none, although a link was stored in part', async () => {
    const { program } = await aShop();
    const failure = new Error('The process was killed.');
    // The second write fails.
    const killed = async () => beforeNext(table, 'PutItemCommand', () => Promise.reject(failure));
    beforeNext(table, 'PutItemCommand', killed);
    await expect(send(program, aLink({ n }))).rejects.toBe(failure);
    await send(program, aLink({ n, invoice: 'in_B' }));
    await send(program, refunded(1190));
    await send(program, bill());
    expect(sumsOf(await entriesOf(table, program))).toEqual({ amount: 1000, commission: 333 });
    expect(await send(program, aLink({ n }))).toEqual({ ignored: 'several_invoices' });
  });

  test('a refund over the API and one of Stripe count once', async () => {
    const { program, referral } = await aShop();
    const ledger = { program: program.id, by: 'merchant' } as const;
    const reference = { id: referral.id, email: null, uid: null };
    await recordPayment(table, ledger, { reference, paymentId: 'pi_A', amount: 1190, currency: 'usd', paidAt: null });
    beforeNext(table, 'TransactWriteItemsCommand', () => send(program, refunded(500)));
    const refund = { paymentId: 'pi_A', refundId: 'r', amount: 500, refundedAt: null };
    await expect(recordRefund(table, ledger, refund)).rejects.toMatchObject({ code: 'payment_at_stripe' });
    expect(sumsOf(await entriesOf(table, program)).amount).toBe(690);
  });
});

const typeOf = (event: object) => ('type' in event ? event.type : undefined);

test('events of a payment, in any order of requests to the table, leave the same sums', async () => {
  const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 });
  const property = async (scheduler: fc.Scheduler, indexes: number[]) => {
    const { program } = await aShop();
    const events = chain();
    const shuffled = indexes.map((index) => events[index] ?? {});
    await interleaved(scheduler, table, () =>
      Promise.all([...shuffled, ...events.slice(2)].map((event) => send(program, event))),
    );
    const entries = await entriesOf(table, program);
    expect(sumsOf(entries)).toEqual(LEFT);
    expect(entries.filter(({ kind }) => kind === 'payment')).toHaveLength(1);
  };
  await fc.assert(fc.asyncProperty(fc.scheduler(), order, property), { numRuns: 15 });
});

test('events of a payment count once, whichever responses of the table are lost', async () => {
  const losses = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });
  const property = async (scheduler: fc.Scheduler, lost: boolean[]) => {
    const { program } = await aShop();
    const deliver = async (event: object): Promise<unknown> =>
      send(program, event).catch((error: unknown) => {
        expect(error).toBeInstanceOf(Unavailable);
        return deliver(event);
      });
    await interleavedAttempts(scheduler, table, lost, () => Promise.all(chain().map(deliver)));
    expect(sumsOf(await entriesOf(table, program))).toEqual(LEFT);
  };
  await fc.assert(fc.asyncProperty(fc.scheduler(), losses, property), { numRuns: 10 });
});

test.each([
  ['a payment', bill],
  ['a payment whose state is ignored', () => aBill({ n, uid, amount: 1000, created: now() - 60 })],
  ['a payment of the API that Stripe reports', () => aBill({ n: 'API', uid: 'nobody', amount: 900 })],
  ['a refund', () => aRefunded({ n: 'B', amount: 1000, refunded: 100 })],
])('%s takes the time anew after the conflict of another transaction', async (_, event) => {
  const { program, referral } = await aShop();
  const payment = {
    reference: { id: referral.id, email: null, uid: null },
    amount: 1000,
    currency: 'usd',
    paidAt: null,
  };
  await recordPayment(table, { program: program.id, by: 'merchant' }, { ...payment, paymentId: 'in_API' });
  for (const earlier of [aLink({ n: 'API' }), aDispute({ n: 'API', amount: 600 })]) await send(program, earlier);
  await send(program, aBill({ n: 'B', uid, amount: 1000, created: now() }));
  await send(program, aLink({ n: 'B' }));
  const before = (await entriesOf(table, program)).length;
  let moment = milliseconds(Date.now());
  const pause = async () => {
    moment = milliseconds(moment + 5000);
  };
  const [sent, start] = [event(), moment];
  proxied.proxy.next('TransactWriteItems', cancellation('TransactionConflict', 'None'));
  await applyStripeEvent(atTime(proxied.faulty, () => moment).but({ pause }), program, sent);
  expect(moment).toBeGreaterThan(start);
  const written = (await entriesOf(table, program)).slice(before);
  expect(written).toHaveLength(1);
  expect(written[0]?.createdAt).toBe(Math.floor(moment / 1000));
});

test.each([
  // Without a net total, the amount is what was paid.
  ['2019-03-14', 1190, [-238, -952, 952]],
  ['2024-06-20', 1000, [-200, -800, 800]],
  ['2026-10-28.endive', 1000, [-200, -800, 800]],
])('events of the API version %s record a payment of %i, and refunds of %j', async (version, amount, refunds) => {
  const events = VERSIONS[version] ?? [];
  for (const isReversed of [false, true]) {
    const program = await aProgram(table, { commissionPercentage: 10 });
    await aReferral(table, program, await anAdvocate(table, program), { email: 'ben@shop.example' });
    for (const event of isReversed ? events.toReversed() : events) await applyStripeEvent(table, program, event);
    const entries = await entriesOf(table, program);
    const left = sumsOf(entries);
    expect(left).toEqual({ amount: amount + (refunds[0] ?? 0), commission: amount === 1000 ? 80 : 95 });
    if (!isReversed) expect(entries.map((entry) => entry.amount)).toEqual([amount, ...refunds]);
    for (const event of events) await applyStripeEvent(table, program, event);
    expect(await entriesOf(table, program)).toEqual(entries);
  }
});

test('generated payments and rules with refunds, disputes and voids, shuffled and doubled, equal an oracle', async () => {
  const kinds = new Set<string>();
  for (const seed of [1, 2, 3]) {
    const { events, entries, statements, differences, sums, decided } = await replay(4, 100, seed);
    expect(differences).toEqual([]);
    expect(events).toBeGreaterThan(1200);
    expect(entries).toBeGreaterThan(500);
    expect(statements).toBeGreaterThan(4 * 3 * 12);
    expect(sums).toBeGreaterThan(1500);
    for (const kind of decided) kinds.add(kind);
  }
  const parts = ['percentage', 'amounts', 'payments', 'months', 'paying_from'];
  expect([...kinds].sort()).toEqual([...parts, 'capped', 'later rule', 'no rule'].sort());
});
