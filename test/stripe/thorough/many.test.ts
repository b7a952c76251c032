import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { verifyLedger } from '../../../functions/ledger/operator/ledger.ts';
import { recordPayment } from '../../../functions/ledger/table/payments.ts';
import { toWaitingItem, type Waiting } from '../../../functions/ledger/table/waiting.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { dyingAt } from '../../support/dying.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { ledgerOf, paymentOf } from '../../support/ledger/ledger.ts';
import { anAdvocate, aProgram, aReferral, now } from '../../support/program.ts';
import { aBill, aLink, aRefunded } from '../../support/stripe/money.ts';
import { entriesOf, sumsOf } from '../../support/table/entries.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const uid = '1001';
const invoice = 'in_A';
let program: Program;
let referralId: string;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 10 });
  ({ id: referralId } = await aReferral(table, program, await anAdvocate(table, program), { customerUid: uid }));
});
const send = (event: unknown) => applyStripeEvent(table, program, event);
const bill = () => aBill({ n: 'A', uid, amount: 100_000 });
const link = (n: number) => aLink({ n, invoice });
const refunded = (n: number, amount = 100) => aRefunded({ n, amount: 1000, refunded: amount });
const sums = async () => sumsOf(await entriesOf(table, program));

/** Stores what the events of payment intents of an invoice leave, of which every tenth was refunded. */
async function linked(count: number, every = 10): Promise<number> {
  const nothing = { pays: [], paidBy: [], facts: [], isKept: false, factCount: 0, version: 0 };
  const ids = Array.from({ length: count }, (_, index) => index);
  const fact = (n: number) => ({
    ...({ kind: 'charge', id: `ch_${n}`, source: `pi_${n}`, currency: 'usd', charged: 1000, returned: 100 } as const),
    ...{ eventId: `evt_${n}`, createdAt: now() },
  });
  const isRefunded = (n: number) => n % every === every - 1;
  const all: Waiting[] = [
    { ...nothing, id: invoice, paidBy: ids.map((n) => `pi_${n}`), factCount: ids.filter(isRefunded).length },
    ...ids.map((n) => ({ ...nothing, id: `pi_${n}`, pays: [invoice], facts: isRefunded(n) ? [fact(n)] : [] })),
  ];
  for (let start = 0; start < all.length; start += 25) {
    const puts = all.slice(start, start + 25).map((each) => toWaitingItem(program.id, each, now()));
    const RequestItems = { [table.name]: puts.map((Item) => ({ PutRequest: { Item } })) };
    await table.client.send(new BatchWriteCommand({ RequestItems }));
  }
  return ids.filter(isRefunded).length;
}

/** What is left after a number of refunds of 100. */
const left = (refunds: number) => ({ amount: 100_000 - refunds * 100, commission: 10_000 - refunds * 10 });

test.each([
  [97, 'Stripe'],
  [97, 'the API'],
])(
  'an invoice of %i payment intents that %s reports is recorded, with all that waited and all links',
  async (count, by) => {
    const refunds = await linked(count);
    const paid = paymentOf({ id: referralId }, { paymentId: invoice, amount: 100_000 });
    if (by === 'Stripe') expect(await send(bill())).toMatchObject({ applied: 'paid' });
    else expect(await recordPayment(table, ledgerOf(program), paid)).toMatchObject({ isNew: true });
    if (by === 'Stripe') expect(await sums()).toEqual(left(refunds));
    // No link expires.
    const inYears = table.but({ clock: () => (now() + 366 * 86_400) * 1000 } as never);
    await applyStripeEvent(inYears, program, refunded(count - 2));
    expect(await entriesOf(table, program)).toContainEqual(expect.objectContaining({ kind: 'refund' }));
    if (by === 'Stripe') expect(await sums()).toEqual(left(refunds + 1));
    expect((await verifyLedger(table, program.id)).differences).toEqual([]);
  },
);

test.each([false, true])(
  'a repetition applies the links that a stopped request left (executed: %s)',
  async (isExecuted) => {
    for (let write = 0, hasDied = true; hasDied; write += 1) {
      program = await aProgram(table, { commissionPercentage: 10 });
      await aReferral(table, program, await anAdvocate(table, program), { customerUid: uid });
      const refunds = await linked(60);
      const event = bill();
      hasDied = await dyingAt(table, { write, isExecuted }, () => send(event).catch(() => undefined));
      expect(await send(event)).toHaveProperty('entry');
      expect(await sums()).toEqual(left(refunds));
    }
  },
);

test('a refund at the same moment counts once, whichever of the transactions it precedes', async () => {
  for (const nth of [1, 3]) {
    program = await aProgram(table, { commissionPercentage: 10 });
    await aReferral(table, program, await anAdvocate(table, program), { customerUid: uid });
    const refunds = await linked(60);
    const disturb = async (left: number): Promise<void> => {
      if (left > 1) return beforeNext(table, 'TransactWriteItemsCommand', () => disturb(left - 1));
      await send(refunded(50));
    };
    beforeNext(table, 'TransactWriteItemsCommand', () => disturb(nth));
    await send(bill());
    expect(await sums()).toEqual(left(refunds + 1));
    expect((await verifyLedger(table, program.id)).differences).toEqual([]);
  }
});

test('more than 500 links or 150 refunds of an invoice are refused, and change nothing', async () => {
  await linked(500, 4);
  for (let n = 0; n < 25; n += 1) await send(refunded(n * 4));
  const tooMany = [link(1000), refunded(100), aRefunded({ n: 1001, amount: 1000, refunded: 1 }, { invoice })];
  await expectUnchanged(table, async () => {
    for (const event of tooMany) expect(await send(event)).toEqual({ ignored: 'too_many' });
  });
  // A larger refund of the same charge, and a link that is known.
  expect(await send(refunded(0, 200))).toEqual({ ignored: 'unknown_payment' });
  expect(await send(link(7))).toEqual({ ignored: 'unknown_payment' });
  await send(bill());
  expect(await sums()).toEqual(left(151));
  await expectUnchanged(table, async () => expect(await send(refunded(100))).toEqual({ ignored: 'too_many' }));
  expect(await send(refunded(0, 300))).toHaveProperty('entry');
});
