import { expect, test } from '@jest/globals';
import { eraseAdvocate, updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { eraseReferral, reassignReferral, setReferralState } from '../../../functions/referrals/table/referrals.ts';
import { adminHere, importing, useFiles } from '../../support/admin-here.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken } from '../../support/program.ts';
import type { TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

/** The tables of two deployments. */
const table = useTable();
const otherTable = useTable();
const file = useFiles();
const START = seconds(1_700_000_000);
const at = (second: number) => ({ createdAt: seconds(START + second), stateSetAt: seconds(START + second) });

/** Fills a program with advocates and referrals of each kind. */
async function fill(program: Program): Promise<void> {
  const fields = { metadata: { tier: '=1+1', constructor: '"a", b' }, company: "'=Acme", companyId: '7', uid: '@jane' };
  const jane = await anAdvocate(table, program, { slug: 'jane', ...fields, firstName: '=1+1', lastName: "'=x" }, START);
  // In the same second, the ids decide on the order.
  for (const slug of ['a', 'b', 'c']) await anAdvocate(table, program, { slug, commissionPercentage: 0 }, START);
  const gone = await anAdvocate(table, program, { slug: 'gone', uid: 'gone', commissionPercentage: 1e-7 }, START);
  await anAdvocate(table, program, { slug: 'idle', firstName: null, lastName: null });
  await updateAdvocate(table, program.id, 'b', { active: false });
  const set = (id: string, state: 'paid' | 'churned' | 'rejected') =>
    setReferralState(table, program.id, id, { state, actor: 'merchant' });
  await aClick(table, program, jane, { subId: '-1', createdAt: START, stateSetAt: START, expiresAt: seconds(4e9) });
  await aReferral(table, program, jane, { customerUid: '+1', subId: '=1', metadata: { plan: 'pro' }, ...at(1) });
  await set((await aReferral(table, program, jane, { flags: ['self_referral'], ...at(2) })).id, 'paid');
  await set((await aReferral(table, program, gone, at(3))).id, 'churned');
  await set((await aClick(table, program, gone, at(4))).id, 'rejected');
  await eraseReferral(table, program.id, (await aReferral(table, program, gone, at(5))).id, 'operator');
  const { email } = await aReferral(table, program, gone, at(6));
  await reassignReferral(table, program, { id: null, email, uid: null }, { slug: 'jane', actor: 'merchant' });
  await eraseAdvocate(table, program.id, 'gone');
}

/** Everything that lists and advocates of a program return. Only the id of the program and links of pages are new. */
async function lists(where: TestTable, program: Program): Promise<string[]> {
  const [, connect] = DRIVERS[0] ?? [];
  const token = await aToken(where, program);
  const texts: string[] = [];
  const read = async (
    operation: 'listAdvocates' | 'listAdvocatesV2' | 'listReferralsV2' | 'getAdvocate',
    more = {},
  ) => {
    const response = await connect?.(where)({ operation, token, ...more });
    expect(response?.status).toBe(200);
    texts.push(response?.text.replaceAll(program.id, 'PROGRAM') ?? '');
  };
  await read('listAdvocates');
  await read('listAdvocatesV2');
  await read('listReferralsV2');
  for (const slug of ['jane', 'a', 'b', 'c', 'gone', 'idle']) {
    await read('getAdvocate', { slug });
    for (const filter of ['', '&state_eq=clicked']) {
      await read('listReferralsV2', { query: `affiliate_slug=${slug}${filter}` });
    }
  }
  return texts;
}

test('both exports, imported into an empty program of another deployment, restore the same lists', async () => {
  const program = await aProgram(table);
  await fill(program);
  const copy = await aProgram(otherTable);
  for (const [noun, rows] of [
    ['advocate', 6],
    ['referral', 7],
  ] as const) {
    const { status, stdout, stderr } = await adminHere(table, noun, 'export', '--program', program.id);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const path = await file(stdout);
    expect(await importing(otherTable, noun, copy.id, path)).toEqual({ created: rows, skipped: 0, failed: [] });
    expect(await importing(otherTable, noun, copy.id, path)).toEqual({ created: 0, skipped: rows, failed: [] });
    expect((await adminHere(otherTable, noun, 'export', '--program', copy.id)).stdout).toBe(stdout);
  }
  const before = await lists(table, program);
  expect(before.join()).toMatch(/"slug":"gone".*"active":false/);
  expect(await lists(otherTable, copy)).toEqual(before);
});
