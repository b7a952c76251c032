import { beforeAll, describe, expect, test } from '@jest/globals';
import { createAdvocate, updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { recordPayment } from '../../../functions/ledger/table/payments.ts';
import { eraseReferral, setReferralState } from '../../../functions/referrals/table/referrals.ts';
import { adminHere, importing, useFiles } from '../../support/admin-here.ts';
import { ledgerOf, paymentOf } from '../../support/ledger/ledger.ts';
import { aClick, anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();
const START = seconds(1_700_000_000);
const COLUMNS =
  'id,advocate_slug,email,uid,state,sub_id,created_at,state_set_at,updated_at,converted_at,commission_percentage,commission_rules_id,commission_end_date,flags,metadata,payments,revenue,commission';

async function exported(program: Program, ...options: string[]): Promise<string> {
  const { status, stdout, stderr } = await adminHere(table, 'referral', 'export', '--program', program.id, ...options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** A program with a referral of each kind, and with values that are difficult to quote. */
async function aFullProgram(): Promise<{ program: Program; advocates: Advocate[] }> {
  const program = await aProgram(table);
  const jane = await anAdvocate(table, program, { slug: '-jane' });
  const idle = await anAdvocate(table, program, { slug: 'idle' });
  const gone = await anAdvocate(table, program, { slug: 'gone', commissionPercentage: 1e-7 });
  const set = (id: string, state: 'paid' | 'churned' | 'rejected') =>
    setReferralState(table, program.id, id, { state, actor: 'merchant' });
  const specialValues = ['=1+1', "'=1", '@a', 'a "b", c', 'Ünï\u{1f600}', ' a ', '＝1', "'"];
  for (const [index, value] of specialValues.entries()) {
    const at = seconds(START + index);
    await aReferral(table, program, jane, { customerUid: value, subId: value, createdAt: at, stateSetAt: at });
    await aClick(table, program, jane, { subId: value, createdAt: at, stateSetAt: at });
  }
  await aReferral(table, program, jane, {
    email: '=a+b@shop.example',
    commissionPercentage: null,
    metadata: { plan: '=1, "pro"' },
  });
  await aReferral(table, program, jane, {
    email: null,
    customerUid: 'by uid alone',
    commissionEndDate: null,
  });
  await set((await aReferral(table, program, jane, { flags: ['self_referral'] })).id, 'paid');
  const times = { createdAt: START, convertedAt: seconds(START + 20), stateSetAt: seconds(START + 40) };
  await aReferral(table, program, jane, { ...times, updatedAt: times.stateSetAt, state: 'churned' });
  await set((await aClick(table, program, jane)).id, 'rejected');
  const { id: erased } = await aReferral(table, program, gone, { customerUid: 'erased' });
  await set(erased, 'rejected');
  await eraseReferral(table, program.id, erased, 'operator');
  await eraseReferral(table, program.id, (await aReferral(table, program, gone)).id, 'operator');
  await aReferral(table, program, gone);
  await updateAdvocate(table, program.id, gone.slug, { active: false });
  return { program, advocates: [jane, idle, gone] };
}

describe('an export', () => {
  let full: Awaited<ReturnType<typeof aFullProgram>>;
  let csv: string;
  beforeAll(async () => {
    full = await aFullProgram();
    csv = await exported(full.program);
  });

  test('an export contains every referral and click of the program, and no others', async () => {
    await aReferral(table, await aProgram(table), full.advocates[0] as Advocate);
    const rows: Record<string, unknown>[] = (await exported(full.program, '--json'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(24);
    for (const row of rows) expect(Object.keys(row).join()).toBe(COLUMNS);
    const count = (key: string, value: unknown) => rows.filter((row) => row[key] === value).length;
    expect(['clicked', 'converted', 'paid', 'churned', 'rejected'].map((state) => count('state', state))).toEqual([
      8, 12, 1, 1, 2,
    ]);
    expect(count('advocate_slug', 'gone')).toBe(3);
    expect(rows.filter(({ metadata }) => JSON.stringify(metadata) !== '{}')).toMatchObject([
      { email: '=a+b@shop.example', metadata: { plan: '=1, "pro"' } },
    ]);
  });

  test('an export has a header and contains no value that a spreadsheet would run as a formula', () => {
    expect(csv.startsWith(`${COLUMNS}\n`)).toBe(true);
    expect(csv).toMatch(/,'=1\+1,converted,'=1\+1,/);
    expect(csv).toMatch(/,"a ""b"", c",/);
    expect(csv).not.toMatch(/(?:^|[,\n])"?[=+\-@＝]/);
  });

  test('an export has what each referral brought, in units, and an import ignores it without a warning', async () => {
    const program = await aProgram(table, { commissionPercentage: 20 });
    const referral = await aReferral(table, program, await anAdvocate(table, program));
    for (const [paymentId, currency] of [
      ['in_1', 'usd'],
      ['in_2', 'jpy'],
    ] as const)
      await recordPayment(table, ledgerOf(program), paymentOf(referral, { paymentId, currency }));
    const csv = await exported(program);
    expect(csv).toMatch(/,2,"1000 jpy, 10\.00 usd","200 jpy, 2\.00 usd"\n$/);
    const json = JSON.parse(await exported(program, '--json'));
    expect(json).toMatchObject({ payments: 2, revenue: { jpy: 1000, usd: 1000 }, commission: { jpy: 200, usd: 200 } });
    const args = ['--program', program.id, '--file', await file(csv), '--dry-run'];
    const { stderr } = await adminHere(table, 'referral', 'import', ...args);
    expect(stderr).not.toContain('Unknown columns');
  });

  test('an export can be imported into a program with the same advocates and exported again unchanged', async () => {
    const other = await aProgram(table, { commissionPercentage: 1, commissionMonths: 1 });
    for (const advocate of full.advocates) await createAdvocate(table, other.id, advocate);
    const path = await file(csv);
    expect(await importing(table, 'referral', other.id, path)).toEqual({ created: 24, skipped: 0, failed: [] });
    expect(await exported(other)).toBe(csv);
    for (const { id } of [other, full.program]) {
      expect(await importing(table, 'referral', id, path)).toEqual({ created: 0, skipped: 24, failed: [] });
    }
    expect(await exported(full.program)).toBe(csv);
  });
});
