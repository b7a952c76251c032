import { beforeEach, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { applyStripeEvent } from '../../../functions/tracking/stripe/handler.ts';
import { importing, useFiles } from '../../support/admin-here.ts';
import { anAdvocate, aProgram, aReferral, now } from '../../support/program.ts';
import { aBill, aRefunded } from '../../support/stripe/money.ts';
import { entriesOf } from '../../support/table/entries.ts';
import { atTime } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();
const uid = '1001';
const DAY = 86_400_000;
let program: Program;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 10 });
  await aReferral(table, program, await anAdvocate(table, program), { customerUid: uid });
});

const lineOf = (id: string, paidAt: number, refunded: string) =>
  `payment_id,uid,amount_minor,currency,paid_at,refunded_minor\n${id},${uid},1000,usd,${paidAt},${refunded}`;
const AT_STRIPE = 'Stripe reports this payment and its refunds: send its events again from Stripe instead';
const FAILED = { created: 0, skipped: 0, failed: [{ line: 2, reason: AT_STRIPE }] };

test('a line of a payment of which a refund at Stripe waits fails, until the refund expires', async () => {
  await applyStripeEvent(table, program, aRefunded({ n: 'A', amount: 1000, refunded: 400 }));
  const path = await file(lineOf('pi_A', now() - 60, '250'));
  const after = (time: number) => atTime(table, () => milliseconds(Date.now() + time));
  const days = (count: number, ...options: string[]) =>
    importing(after(count * DAY), 'ledger', program.id, path, ...options);
  await expectUnchanged(table, async () => {
    expect(await days(29)).toEqual(FAILED);
    expect(await days(30, '--dry-run')).toMatchObject({ created: 1 });
  });
  // DynamoDB has not deleted the expired item yet.
  expect(await days(30)).toMatchObject({ created: 1 });
  expect(await days(30)).toMatchObject({ created: 0, skipped: 1 });
  expect(await entriesOf(table, program)).toMatchObject([{ amount: 1000 }, { amount: -250 }]);
});

test('a line of a payment that Stripe reported is skipped, and fails if more was refunded', async () => {
  const created = now() - 60;
  await applyStripeEvent(table, program, aBill({ n: 'A', uid, amount: 1000, created }));
  const run = async (refunded: string) =>
    importing(table, 'ledger', program.id, await file(lineOf('in_A', created, refunded)));
  await expectUnchanged(table, async () => {
    expect(await run('')).toMatchObject({ created: 0, skipped: 1, failed: [] });
    expect(await run('1')).toEqual(FAILED);
  });
});
