import { expect, test } from '@jest/globals';
import { type Balance, collectBalances } from '../../../web/dashboard/payouts/balances.ts';

/** Ten balances. Each page has two of them. */
const ROWS = Array.from({ length: 10 }, (_, index) => ({ id: String(index + 1) }) as Balance);
const PAGE = 2;

async function read(cursor = '0') {
  const end = Number(cursor) + PAGE;
  return { rows: ROWS.slice(Number(cursor), end), next: end < ROWS.length ? String(end) : undefined };
}

const isEven = ({ id }: Balance) => Number(id) % 2 === 0;
const idsOf = (rows: readonly Balance[]) => rows.map(({ id }) => Number(id));

test('balances are read on until enough of them are wanted, whatever number of others stands between', async () => {
  const { rows, isCut } = await collectBalances(read, isEven, 3);
  expect([idsOf(rows), isCut]).toEqual([[2, 4, 6], true]);
});

test('balances of the last page are not reported as cut', async () => {
  const { rows, isCut } = await collectBalances(read, isEven, 5);
  expect([idsOf(rows), isCut]).toEqual([[2, 4, 6, 8, 10], false]);
});

test('all balances are read when fewer than enough are wanted', async () => {
  const { rows, isCut } = await collectBalances(read, ({ id }) => id === '9', 5);
  expect([idsOf(rows), isCut]).toEqual([[9], false]);
});
