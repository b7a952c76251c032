import { beforeEach, describe, expect, test } from '@jest/globals';
import { changeOwn } from '../../../functions/advocates/rules/advocate-changes.ts';
import { replaceAdvocate, updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { AdvocateFields } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { adminHere, importing, jsonHere, useFiles } from '../../support/admin-here.ts';
import { schemaErrors } from '../../support/ledger/pain-schema.ts';
import { anAdvocate, aProgram, newId, now } from '../../support/program.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();
const IBAN = 'DE02120300000000202051';
const PAYPAL = { payoutMethod: 'paypal', payoutAccount: 'sam@pay.example' } as const;
const BANK = { payoutMethod: 'bank', payoutAccount: IBAN } as const;

let program: Program;
beforeEach(async () => {
  program = await aProgram(table, { payoutName: 'Acme', payoutIban: IBAN });
});

/** An advocate to whom 10 euros are payable. */
async function earning(slug: string, account: Partial<AdvocateFields> = {}) {
  await anAdvocate(table, program, { slug, email: `${slug}@partners.example`, ...account });
  const bonus = { slug, adjustmentId: newId(), commission: 1000, currency: 'eur', note: 'Bonus' };
  await recordAdjustment(table, { program: program.id, by: 'operator' }, bonus);
}
const settle = (...options: string[]) =>
  adminHere(
    table,
    ...['ledger', 'settle', '--program', program.id, '--all', '--run', '2026-10', '--currency', 'eur'],
    ...options,
  );

describe('files of a payout run at the command line', () => {
  test('a run settles all, and writes only whom the format pays, with a list of the others', async () => {
    await earning('jane', BANK);
    await earning('sam', PAYPAL);
    await earning('ida');
    const { status, stdout, stderr } = await settle('--format', 'sepa', '--date', '2026-11-02');
    expect([status, await schemaErrors(stdout)]).toEqual([0, []]);
    expect(stdout).toContain('<ReqdExctnDt><Dt>2026-11-02</Dt></ReqdExctnDt>');
    expect([...stdout.matchAll(/EndToEndId>([^<]+)</g)].map(([, id]) => id)).toEqual(['2026-10:eur:jane']);
    const lines = stderr.split('\n');
    expect(lines[0]).toBe('The file leaves out 2 of the settlements. Pay them in another way:');
    expect(lines.slice(1).toSorted()).toEqual(['', '  ida: no_account', '  sam: other_method']);
    // The same settlements, in PayPal's file.
    const paypal = await settle('--format', 'paypal');
    expect(paypal.stdout).toBe('sam@pay.example,10.00,EUR,2026-10:eur:sam,Acme 2026-10,PAYPAL\r\n');
  });

  test('a run whose file would be empty still settles, lists all, and exits with an error', async () => {
    await earning('ida');
    const { status, stdout, stderr } = await settle('--format', 'sepa');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/ {2}ida: no_account\nThe file would pay nobody[^\n]* What was settled stays/);
    expect((await settle()).stdout).toMatch(/\nida,.*,10\.00,eur,2026-10:eur:ida,,,no_account\n$/);
  });

  test('a repeated run leaves out an account that changed since its settlement', async () => {
    await earning('jane', BANK);
    await earning('kim', BANK);
    const first = await settle('--format', 'sepa');
    expect(first.stderr).toBe('');
    await updateAdvocate(table, program.id, 'kim', { ...BANK, payoutAccount: 'NO9386011117947' });
    const { stdout, stderr } = await settle('--format', 'sepa');
    expect(stderr).toMatch(/leaves out 1 of the settlements.*\n {2}kim: account_changed\n$/);
    expect(stdout).toContain('<CtrlSum>10.00</CtrlSum>');
    const ids = (xml: string) => /<MsgId>[^<]+/.exec(xml)?.[0];
    expect(ids(stdout)).toBe(ids(first.stdout));
    expect((await settle()).stdout).toMatch(/kim,.*,2026-10:eur:kim,,,account_changed\n/);
  });

  test('each form of a run leaves out an advocate with a new account for 3 days, and lists it', async () => {
    const changeAt = (slug: string, at: number) => {
      const other = { ...BANK, payoutAccount: 'NO9386011117947' };
      return replaceAdvocate(table, program.id, slug, { change: (before) => changeOwn(before, other, seconds(at)) });
    };
    for (const slug of ['jane', 'kim', 'sam']) await earning(slug, BANK);
    await changeAt('kim', now() - 3 * 86_400 + 60);
    await changeAt('sam', now() - 3 * 86_400);
    const pending =
      'The run leaves out 1 of the advocates, whose payout account or email is new. Run the same command again after 3 days: it adds them.\n  kim: payout_pending\n';
    expect((await settle('--dry-run')).stderr).toBe(`${pending}This was a dry run: nothing was written.\n`);
    for (const form of [[], ['--json'], ['--format', 'sepa']]) {
      const { status, stdout, stderr } = await settle(...form);
      expect([status, stderr]).toEqual([0, pending]);
      const paid = stdout.match(/2026-10:eur:(?:jane|kim|sam)/g);
      expect(paid?.sort()).toEqual(['2026-10:eur:jane', '2026-10:eur:sam']);
    }
    expect((await settle('--minimum', '1001')).stderr).toBe('');
  });

  test.each([
    [['--format', 'sepa', '--dry-run'], /^A dry run writes csv only/],
    [['--format', 'paypal', '--date', '2026-11-02'], /^--date is for --format sepa/],
    [['--format', 'sepa', '--date', '2026-02-30'], /date must be a date/],
  ])('the options %j are refused, and nothing is settled', async (options, sentence) => {
    await earning('jane', BANK);
    await expectUnchanged(table, async () => {
      expect(await settle(...options)).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(sentence),
      });
    });
  });

  test('a program without an account settles nothing for a bank', async () => {
    program = await aProgram(table);
    await earning('jane', BANK);
    await expectUnchanged(table, async () => {
      expect(await settle('--format', 'sepa')).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/payout_iban/),
      });
    });
    const account = ['--payout-name', 'Acme', '--payout-iban', 'DE02 1203 0000 0000 2020 51'];
    const updated = await jsonHere(table, 'program', 'update', '--program', program.id, ...account);
    expect(updated).toMatchObject({ payout_name: 'Acme', payout_iban: IBAN });
    expect((await settle('--format', 'sepa')).status).toBe(0);
  });
});

test('an export contains payout accounts, and an import of it into another program sets them', async () => {
  await earning('jane', BANK);
  const { stdout } = await adminHere(table, 'advocate', 'export', '--program', program.id);
  expect(stdout).toContain(`bank,${IBAN}`);
  const other = await aProgram(table);
  const text = 'email,slug,payout_method,payout_account\njane@a.example,jane,bank,de02 1203 0000 0000 2020 51\n';
  await importing(table, 'advocate', other.id, await file(text));
  const shown = await jsonHere(table, 'advocate', 'show', '--program', other.id, '--advocate', 'jane');
  expect(shown).toMatchObject({ payout_method: 'bank', payout_account: IBAN });
  const wrong = 'email,slug,payout_method,payout_account\njoe@a.example,joe,bank,\n';
  const report = await importing(table, 'advocate', other.id, await file(wrong));
  expect(JSON.stringify(report)).toContain('payout_account is required with payout_method');
});
