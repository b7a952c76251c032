import { beforeAll, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { applyStripeEvent } from '../../../functions/tracking/stripe/handler.ts';
import { usageOf } from '../../bench/flood.ts';
import { metered } from '../../support/meter.ts';
import { anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { aBill, aDispute, aLink, aRefunded, aSale } from '../../support/stripe/money.ts';
import { useCountingTable } from '../../support/use-table.ts';

const table = useCountingTable();
let program: Program;
let jane: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
});

const aCustomer = async () => {
  const uid = newId();
  await aReferral(table, program, jane, { customerUid: uid });
  return uid;
};
const measure = async (event: object) => {
  const { requests, readUnits, writeUnits } = await metered(table, () => applyStripeEvent(table, program, event));
  return { requests, readUnits, writeUnits };
};

test('a payment takes at most 3 requests and 16 write units', async () => {
  const uid = await aCustomer();
  const [first, second, third] = [newId(), newId(), newId()];
  // The entry, the payment, the record, the referral and its indexes.
  const { readUnits, writeUnits } = usageOf('event of Stripe that sets `paid` and records a payment');
  expect(await measure(aBill({ n: first, uid, amount: 2400 }))).toEqual({ requests: 3, readUnits, writeUnits });
  // The state is set already, so no index changes.
  expect((await measure(aBill({ n: second, uid, amount: 2400 }))).writeUnits).toBe(8);
  expect(await measure(aSale({ n: third, uid, amount: 2400 }))).toMatchObject({ requests: 3, writeUnits: 8 });
  // With a customer at Stripe that is new.
  const other = aBill({ n: newId(), uid: await aCustomer(), amount: 2400 }, { customer: newId() });
  expect(await measure(other)).toMatchObject({ requests: 3, writeUnits: 16 });
});

test('a refund of a known payment takes 4 requests', async () => {
  const [uid, n] = [await aCustomer(), newId()];
  await applyStripeEvent(table, program, aBill({ n, uid, amount: 2400 }));
  // The link alone, in one item.
  expect(await measure(aLink({ n }))).toMatchObject({ requests: 3, writeUnits: 1 });
  expect(await measure(aRefunded({ n, amount: 2400, refunded: 600 }))).toEqual({
    ...{ requests: 4, readUnits: 4, writeUnits: 10 },
  });
});

test('events of customers whom nobody referred cost one or two write units', async () => {
  const n = newId();
  expect(await measure(aBill({ n, uid: newId(), amount: 2400 }))).toMatchObject({ writeUnits: 0 });
  expect(await measure(aLink({ n }))).toEqual({ requests: 3, readUnits: 2, writeUnits: 2 });
  // It renews the link of its invoice.
  expect(await measure(aRefunded({ n, amount: 2400, refunded: 600 }))).toMatchObject({ requests: 4, writeUnits: 2 });
  expect(await measure(aDispute({ n: newId(), amount: 2400 }))).toMatchObject({ requests: 2, writeUnits: 1 });
});
