import { expect, test } from '@jest/globals';
import { applyStripeEvent } from '../../functions/tracking/stripe/handler.ts';
import { anAdvocate, aProgram, aReferral } from '../support/program.ts';
import { VERSIONS } from '../support/stripe/api-versions.ts';
import { entriesOf, sumsOf } from '../support/table/entries.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();

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
