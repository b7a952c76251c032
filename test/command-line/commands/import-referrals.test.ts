import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { adminHere, adminWith, importing, jsonHere, useFiles } from '../../support/admin-here.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { itemsOf } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();

const START = 1_700_000_000;
const A_YEAR = 1_731_622_400;
const JANE = { slug: 'jane', email: 'jane@partners.example', uid: '4711', commissionPercentage: 7 };

let program: Program;
beforeEach(async () => {
  program = await aProgram(table, { attributionDays: 10 });
  await anAdvocate(table, program, JANE);
});

const imported = async (lines: string | readonly string[], ...options: string[]) =>
  importing(table, 'referral', program.id, await file([lines].flat().join('\n')), ...options);
const created = (count: number) => ({ created: count, skipped: 0, failed: [] });
const skipped = (count: number) => ({ created: 0, skipped: count, failed: [] });
const show = (email: string) => jsonHere(table, 'referral', 'show', '--program', program.id, '--email', email);
/** Returns the exported rows of the program. */
async function rows(): Promise<Record<string, unknown>[]> {
  const { stdout } = await adminHere(table, 'referral', 'export', '--program', program.id, '--format', 'ndjson');
  const lines = stdout.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

test('a line sets the slug, state, times, sub id, rate, end of the commission and flags', async () => {
  const id = newId();
  const content = `id,advocate_slug,email,uid,state,sub_id,created_at,converted_at,state_set_at,commission_percentage,commission_end_date,flags
${id},Jane,Ann@Shop.example,cus_1,churned,spring,${START},${START + 60},2023-11-15T00:00:00.9+01:00,12.5,${A_YEAR}, self_referral  self_referral`;
  expect(await imported(content)).toEqual(created(1));
  expect(await show('ann@shop.example')).toEqual({
    id,
    affiliate_slug: 'jane',
    ...{ payments: 0, revenue: {}, commission: {} },
    email: 'ann@shop.example',
    uid: 'cus_1',
    state: 'churned',
    state_set_at: 1_700_002_800,
    created_at: START,
    updated_at: 1_700_002_800,
    converted_at: START + 60,
    sub_id: 'spring',
    commission_percentage: 12.5,
    commission_rules_id: null,
    commission_end_date: A_YEAR,
    flags: ['self_referral'],
    ...{ credited_by: 'import', code: null },
    advocate: expect.objectContaining({ slug: 'jane', email: JANE.email, active: true }),
    history: [{ type: 'state', state: 'churned', lost: null, set_at: 1_700_002_800, by: 'import' }],
  });
});

describe('clicks', () => {
  test('clicks need no id, email or uid, and equal lines create different clicks', async () => {
    const click = `jane,clicked,${START},spring`;
    const content = ['advocate_slug,state,created_at,sub_id', click, click, `jane,clicked,${START},`, click];
    expect(await imported(content)).toEqual(created(4));
    const before = await rows();
    expect(new Set(before.map(({ id }) => id)).size).toBe(4);
    expect(await imported(content)).toEqual(skipped(4));
    expect(await rows()).toEqual(before);
    const items = (await itemsOf(table, program)).filter(({ sk }) => sk === 'REFERRAL');
    expect(items.map(({ expires_at }) => expires_at)).toEqual(Array(4).fill(START + 864_000));
  });

  test('a click that occurs again in the file as a referral becomes that referral', async () => {
    const id = newId();
    const content = `id,advocate_slug,email,state\n${id},jane,,clicked\n${id},jane,late@shop.example,paid\n`;
    expect(await imported(content)).toEqual(created(2));
    expect(await rows()).toMatchObject([{ id, email: 'late@shop.example', state: 'paid' }]);
    expect(await imported(content)).toEqual(skipped(2));
  });
});

describe('references to an advocate', () => {
  const HEADER = 'advocate_slug,advocate_email,advocate_uid,state,uid';
  const SHARED = 'shared@partners.example';
  beforeEach(async () => {
    await anAdvocate(table, program, { slug: 'joe', email: SHARED, uid: '4712', commissionPercentage: 5 });
    await anAdvocate(table, program, { slug: 'jim', email: SHARED, uid: '4713', commissionPercentage: 6 });
  });

  test('a line identifies its advocate by slug, email, uid or several of them, and has its rate', async () => {
    const lines = ['jane,,,paid,1', ',Jane@Partners.example ,,paid,2', ',,4711,paid,3', `joe,${SHARED},,paid,5`];
    expect(await imported([HEADER, ...lines], '--dry-run')).toEqual(created(4));
    expect(await imported([HEADER, ...lines])).toEqual(created(4));
    const advocates = (await rows()).map((row) => [row['uid'], [row['advocate_slug'], row['commission_percentage']]]);
    const jane = ['jane', 7];
    expect(Object.fromEntries(advocates)).toEqual({ 1: jane, 2: jane, 3: jane, 5: ['joe', 5] });
  });

  test('a line fails for unknown advocates, for different ones, and for an email that several have', async () => {
    const other = await aProgram(table);
    await anAdvocate(table, other, { slug: 'else', email: 'else@partners.example', uid: '4714' });
    const several =
      'advocate_email belongs to several advocates: name the advocate by advocate_slug or advocate_uid instead';
    const disagree = 'advocate_slug, advocate_email and advocate_uid must name the same advocate';
    const unknown = (column: string) =>
      `advocate_${column} does not belong to an advocate of the program: import the advocates first`;
    const cases: [string, string][] = [
      ['else,,', unknown('slug')],
      ['jane,,nobody', unknown('uid')],
      [`,${SHARED},`, several],
      [`jane,${SHARED},`, disagree],
    ];
    const failed = cases.map(([, reason], index) => ({ line: index + 2, reason }));
    await expectUnchanged(table, async () => {
      const report = await imported([HEADER, ...cases.map(([line]) => `${line},clicked,`)]);
      expect(report).toEqual({ created: 0, skipped: 0, failed });
    });
  });
});

describe('the file', () => {
  const run = async (content: string, ...options: string[]) => {
    const path = await file(content);
    return adminHere(table, 'referral', 'import', '--program', program.id, '--file', path, ...options);
  };

  test('unknown columns are listed in a warning, and --map and --map-state translate names and states', async () => {
    const content = 'Partner=Code;Status; Uid ;Note;;x\nJANE;ACTIVE;1;"a;b\nc";;\njane;gone;2\njane;other;4;;;\n';
    const options = ['--map', 'partner=code=advocate_slug', '--map', 'Status=state'];
    const states = ['--map-state', 'active=paid', '--map-state', 'gone=churned'];
    const { stdout, stderr } = await run(content, '--json', ...options, ...states);
    const state = 'clicked, converted, paid, churned, rejected, or translated with --map-state';
    const failed = [
      { line: 4, reason: 'the line has 3 columns, but the header has 6' },
      { line: 5, reason: `state ("Status" in the file) must be one of ${state}` },
    ];
    expect(JSON.parse(stdout)).toEqual({ created: 1, skipped: 0, failed });
    expect(stderr).toBe(
      'Unknown columns are ignored: "Note", "", "x". Use --map to import one of them.\nSome lines were not imported. Correct them, and import the same file again.\n',
    );
  });

  test('every invalid line is reported with its number and column, and the others are imported', async () => {
    const header =
      'id,advocate_slug,email,uid,state,sub_id,created_at,state_set_at,commission_percentage,commission_end_date,flags';
    const cases: [string, string][] = [
      [',jane,a"b@shop.example,,paid,,,,,,', 'the line has a misplaced quote'],
      [',nobody,c@shop.example,,paid,,,,,,', 'advocate_slug does not belong to an advocate of the program'],
      [',jane,d@shop.example,,Paid,,,,,,', 'state must be one of clicked, converted, paid, churned, rejected, or'],
      [`,jane,f@shop.example,,paid,,${START},${START - 1},,,`, 'state_set_at must not be before created_at'],
      [',jane,,,rejected,,,,,,', 'email or uid is required unless the state is clicked'],
      [`,jane,i@shop.example,"${'x'.repeat(70_000)}",paid,,,,,,`, 'the line is longer than 64 KiB'],
      // The file ends in the middle of its last line.
      [',jane,j@shop.example,,pai', 'the line has 5 columns, but the header has 11'],
    ];
    const lines = cases.flatMap(([line], index) => [`,jane,good-${index}@shop.example,,paid,,${START},,,,`, line]);
    const { failed, ...counts } = await imported([header, ...lines]);
    expect(counts).toEqual({ created: cases.length, skipped: 0 });
    expect(failed).toEqual(
      cases.map(([, reason], index) => ({ line: 2 * index + 3, reason: expect.stringContaining(reason) })),
    );
    expect(JSON.stringify(failed)).not.toMatch(/shop\.example|4711|nobody|yesterday|Paid/);
  });

  test('standard input that ends with an error ends the import with status 1', async () => {
    async function* broken() {
      yield 'advocate_slug,state,email\n';
      throw new Error('EIO');
    }
    const args = ['referral', 'import', '--program', program.id, '--file', '-', '--json'];
    const sent = await adminWith({ table, input: ['advocate_slug,state,uid\njane,pa', 'id,1'] }, ...args);
    expect(sent).toEqual({ status: 0, stdout: '{"created":1,"skipped":0,"failed":[]}\n', stderr: '' });
    const stderr = expect.stringMatching(/^The file in --file cannot be read to its end\./);
    expect(await adminWith({ table, input: broken() }, ...args)).toMatchObject({ status: 1, stderr });
  });

  test('the report for people has the first failed lines and the number of the others', async () => {
    const lines = (count: number) => `advocate_slug,state\n${'jane,open\n'.repeat(count)}`;
    const few = await run(`${lines(2)}jane,clicked`);
    expect(few).toMatchObject({
      status: 1,
      stderr: 'Some lines were not imported. Correct them, and import the same file again.\n',
    });
    expect(few.stdout).toMatch(/│ created │ 1 +│\n│ skipped │ 0 +│\n│ failed +│ 2 +│/);
    const reason = 'state must be one of clicked, converted, paid, churned, rejected, or translated with --map-state\n';
    expect(few.stdout.endsWith(`┘\nline 2: ${reason}line 3: ${reason}`)).toBe(true);
    const many = (await run(lines(1500))).stdout;
    expect(many.endsWith(`line 21: ${reason}… and 1480 more. Run with --json to see all failed lines.\n`)).toBe(true);
  });
});
