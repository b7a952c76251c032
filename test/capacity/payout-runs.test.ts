import { beforeAll, expect, test } from '@jest/globals';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { recordAdjustment } from '../../functions/ledger/table/entry-claims.ts';
import { sendToHandlers } from '../support/drivers.ts';
import { ledgerOf } from '../support/ledger/ledger.ts';
import { metered, type Reading } from '../support/meter.ts';
import { anAdvocate, aProgram, aToken, newId } from '../support/program.ts';
import { inParallel } from '../support/table.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();
const send = sendToHandlers(table);
const SLUGS = Array.from({ length: 50 }, (_, index) => `advocate-${String(index).padStart(2, '0')}`);
const ACCOUNT = { payoutMethod: 'bank', payoutAccount: 'DE02120300000000202051' } as const;

let program: Program;
let token: string;
beforeAll(async () => {
  program = await aProgram(table, { payoutName: 'Acme', payoutIban: ACCOUNT.payoutAccount });
  token = await aToken(table, program);
  await inParallel(SLUGS, async (slug) => {
    await anAdvocate(table, program, { slug, ...ACCOUNT });
    const bonus = { slug, adjustmentId: newId(), commission: 100, currency: 'eur', note: 'Bonus' };
    await recordAdjustment(table, ledgerOf(program), bonus);
  });
  await send({ operation: 'listPayoutRuns', token });
});

test('a run of 50 advocates, its repetition, its file and its lists', async () => {
  const body = { run: '2026-10', currency: 'eur', slugs: SLUGS };
  const payOut = () => metered(table, () => send({ operation: 'payOut', token, body }));
  const first = await payOut();
  expect(first.result.json.data.attributes.settled).toHaveLength(50);
  expect(unitsOf(first)).toEqual([252, 301, 350]);
  expect(unitsOf(await payOut())).toEqual([202, 251, 0]);

  const list = await metered(table, () => send({ operation: 'listSettlements', token, query: 'per_page=50' }));
  const runs = await metered(table, () => send({ operation: 'listPayoutRuns', token }));
  expect(runs.result.json.data[0].attributes.amount).toBe(5000);
  const query = 'currency=eur&format=sepa';
  const file = await metered(table, () => send({ operation: 'getPayoutFile', token, run: '2026-10', query }));
  expect(file.result.json.data.attributes.left_out).toEqual([]);
  expect([list, runs, file].map(unitsOf)).toEqual([
    [2, 51.5, 0],
    [2, 51.5, 0],
    [4, 153, 0],
  ]);
});

const unitsOf = ({ requests, readUnits, writeUnits }: Reading) => [requests, readUnits, writeUnits];
