import { expect, test } from '@jest/globals';
import { STATES } from '../../../functions/domain/referral/state.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const NONE = { clicked: 0, converted: 0, paid: 0, churned: 0, rejected: 0 };
const stats = (id: string, ...options: string[]) => ['program', 'stats', '--program', id, ...options];
const rfc3339 = (second: number) => new Date(second * 1000).toISOString();

test('stats counts all advocates by state, most paid first, then by slug', async () => {
  const program = await aProgram(table);
  const advocates = [];
  for (const slug of ['b', 'a', 'z-2', 'idle', 'z']) advocates.push(await anAdvocate(table, program, { slug }));
  const [b, a, , , z] = advocates;
  if (!a || !b || !z) throw new Error('no advocates');
  await aReferral(table, await aProgram(table), a);
  for (const each of [a, b, z, z]) await aReferral(table, program, each, { state: 'paid' });
  for (const state of STATES.filter((state) => state !== 'clicked')) await aReferral(table, program, b, { state });
  for (const _ of [1, 2, 3]) await aClick(table, program, a);
  const rows = [
    { slug: 'b', clicked: 0, converted: 1, paid: 2, churned: 1, rejected: 1 },
    { slug: 'z', ...NONE, paid: 2 },
    { slug: 'a', ...NONE, paid: 1, clicked: 3 },
    { slug: 'idle', ...NONE },
    { slug: 'z-2', ...NONE },
  ];
  const total = { clicked: 3, converted: 1, paid: 5, churned: 1, rejected: 1 };
  expect(await jsonHere(table, ...stats(program.id))).toEqual({ program: program.id, total, advocates: rows });
  const { stdout } = await adminHere(table, ...stats(program.id));
  expect(stdout).toMatch(
    /│ clicked +│ 3 +│\n(.*\n)+│ slug +│ clicked │ converted │ paid │.*\n.*\n│ b +│ 0 +│ 1 +│ 2 +│/,
  );
});

test('--created-after and --created-before are exclusive, and compare the time of the click', async () => {
  const program = await aProgram(table);
  const jane = await anAdvocate(table, program, { slug: 'jane' });
  const start = seconds(now() - 1000);
  for (const offset of [0, 1, 2, 3]) await aReferral(table, program, jane, { createdAt: seconds(start + offset) });
  const counted = async (...options: string[]) => {
    const { total } = (await jsonHere(table, ...stats(program.id, ...options))) as { total: typeof NONE };
    return total.converted;
  };
  expect(await counted('--created-after', rfc3339(start))).toBe(3);
  expect(await counted('--created-before', rfc3339(start + 3))).toBe(3);
  expect(await counted('--created-after', rfc3339(start), '--created-before', rfc3339(start + 2))).toBe(1);
  expect(await counted('--created-after', rfc3339(start), '--created-before', rfc3339(start))).toBe(0);
  const contractForm = new Date((start + 7200) * 1000).toISOString().replace('T', ' ').replace('.000Z', ' +0200');
  expect(await counted('--created-after', contractForm)).toBe(3);
});
