import { beforeEach, describe, expect, test } from '@jest/globals';
import { eraseAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { InvalidAffiliate } from '../../../functions/kernel/errors.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import type { Adjustment, Settlement } from '../../../functions/ledger/rules/entry.ts';
import { BalanceChanged, EntryExists } from '../../../functions/ledger/rules/errors.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { recordSettlement, type SettlementRequest } from '../../../functions/ledger/table/settlements.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { entriesOf, ledgerOf } from '../../support/ledger/ledger.ts';
import { anAdvocate, aProgram } from '../../support/program.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let jane: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
});

const MONEY = { currency: 'usd' };
const adjust = (changes: Partial<Adjustment> = {}) =>
  recordAdjustment(table, ledgerOf(program), {
    ...{ slug: jane.slug, adjustmentId: 'a', commission: -500, note: 'Correction', ...MONEY },
    ...changes,
  });
const settle = (changes: Partial<SettlementRequest> = {}) =>
  recordSettlement(table, ledgerOf(program), {
    ...{ slug: jane.slug, settlementId: 's', amount: 700, reference: 'Transfer', settledAt: seconds(5), ...MONEY },
    ...changes,
  });

test('an adjustment and a settlement with the same id are two entries', async () => {
  const adjusted = await adjust({ adjustmentId: 'x' });
  const settled = await settle({ settlementId: 'x' });
  expect([adjusted, settled]).toMatchObject([
    { isNew: true, entry: { kind: 'adjustment', commission: -500 } },
    { isNew: true, entry: { kind: 'settlement', commission: -700, occurredAt: 5 } },
  ]);
  expect(await adjust({ adjustmentId: 'x' })).toEqual({ ...adjusted, isNew: false });
  expect(await settle({ settlementId: 'x' })).toEqual({ ...settled, isNew: false });
  expect(await entriesOf(table, program)).toHaveLength(2);
});

describe('a repetition', () => {
  test.each<Partial<Adjustment>>([{ commission: 500 }, { note: 'correction' }])(
    'an adjustment with %j is refused',
    async (changes) => {
      await adjust();
      await expect(adjust(changes)).rejects.toThrow(EntryExists);
    },
  );

  test.each<Partial<Settlement>>([{ amount: 701 }, { settledAt: seconds(6) }])(
    'a settlement with %j is refused',
    async (changes) => {
      await settle();
      await expect(settle(changes)).rejects.toThrow(EntryExists);
    },
  );

  test('an id of another advocate is refused', async () => {
    const { slug } = await anAdvocate(table, program);
    await Promise.all([adjust({ slug }), settle({ slug })]);
    await expect(adjust()).rejects.toThrow(EntryExists);
    await expect(settle()).rejects.toThrow(EntryExists);
  });

  test('a settlement without reference and time is the first one', async () => {
    const first = await settle();
    expect(await settle({ reference: null, settledAt: null })).toEqual({ ...first, isNew: false });
  });

  test('the first of two entries with one id wins, and an equal one returns it', async () => {
    beforeNext(table, 'TransactWriteItemsCommand', () => adjust());
    expect(await adjust()).toMatchObject({ isNew: false });
    beforeNext(table, 'TransactWriteItemsCommand', () => settle({ amount: 1 }));
    await expect(settle()).rejects.toThrow(EntryExists);
    expect(await entriesOf(table, program)).toHaveLength(2);
  });
});

describe('a settlement of a balance', () => {
  const over = (settlementCount: number, settlementId: string, changes: Partial<SettlementRequest> = {}) =>
    settle({ settlementCount, settlementId, ...changes });

  test('a settlement is refused if the balance has other settlements in its currency, and writes nothing', async () => {
    await over(0, 'first');
    await settle({ settlementId: 'said nothing' });
    await over(0, 'in euros', { currency: 'eur' });
    await adjust();
    await expectUnchanged(table, async () => {
      for (const count of [0, 1, 3]) await expect(over(count, 'next')).rejects.toThrow(BalanceChanged);
      expect(await over(0, 'first')).toMatchObject({ isNew: false });
    });
    expect(await over(2, 'next')).toMatchObject({ isNew: true });
  });

  test('one of several settlements of a balance at the same time is recorded', async () => {
    beforeNext(table, 'TransactWriteItemsCommand', () => settle({ settlementId: 'other' }));
    await expect(over(0, 'late')).rejects.toThrow(BalanceChanged);
    const all = await Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => over(1, id)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    beforeNext(table, 'TransactWriteItemsCommand', () => over(2, 'same'));
    expect(await over(2, 'same')).toMatchObject({ isNew: false });
    expect(await entriesOf(table, program)).toHaveLength(3);
  });
});

test('an unknown advocate is refused before the id is looked up; an erased one has a balance', async () => {
  await adjust();
  for (const record of [adjust, settle]) await expect(record({ slug: 'nobody' })).rejects.toThrow(InvalidAffiliate);
  await eraseAdvocate(table, program.id, jane.slug);
  expect(await settle()).toMatchObject({ isNew: true });
});
