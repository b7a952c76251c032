import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { adminHere, adminWith, importing, useFiles } from '../../support/admin-here.ts';
import { anAdvocate, aProgram, now } from '../../support/program.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();
const START = 1_700_000_000;
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
  await anAdvocate(table, program, { slug: 'jane' });
});

const imported = async (content: string | Uint8Array) => importing(table, 'referral', program.id, await file(content));

describe('files without referrals', () => {
  const advocate = 'advocate_slug or advocate_email or advocate_uid';
  test.each<[string, string | Uint8Array, string]>([
    ['is empty', '', 'the file is empty: its first line must name its columns'],
    ['contains only an empty line', '\n', `the header must name the column ${advocate}`],
    ['has no header', 'jane,paid,secret@shop.example\n', `the header must name the column ${advocate}`],
    ['lacks a column', 'advocate_slug,email\njane,a@shop.example', 'the header must name the column state'],
    [
      'is in UTF-16',
      Buffer.from('\ufeffadvocate_slug,state\n', 'utf16le'),
      'the line is not valid UTF-8: save the file as CSV in UTF-8',
    ],
    [
      'is binary',
      Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 256),
      'the line is not valid UTF-8: save the file as CSV in UTF-8',
    ],
    ['has one line that does not end', 'a'.repeat(2_000_000), 'the line is longer than 1 MiB: the rest of the file'],
  ])('a file that %s is reported', async (_, content, reason) => {
    const before = await allItems(table);
    const failed = [{ line: 1, reason: expect.stringMatching(`^${reason}`) }];
    expect(await imported(content)).toEqual({ created: 0, skipped: 0, failed });
    expect(await allItems(table)).toEqual(before);
  });

  test('a file may contain only a header, and nothing is imported', async () => {
    expect(await imported('advocate_slug,state\r\n')).toEqual({ created: 0, skipped: 0, failed: [] });
  });
});

test('every invalid line is reported with its number and column, and the others are imported', async () => {
  const header =
    'id,advocate_slug,email,uid,state,sub_id,created_at,state_set_at,commission_percentage,commission_end_date,flags';
  const time = 'must be a time in Unix seconds, in RFC 3339, or as YYYY-MM-DD HH:MM:SS with UTC or an offset, such as';
  const cases: [string, string][] = [
    [`,jane,a@shop.example,,paid,,${START},,,`, 'the line has 10 columns, but the header has 11'],
    [`,jane,a@shop.example,,paid,,${START},,,,,`, 'the line has 12 columns, but the header has 11'],
    [`,jane,a"b@shop.example,,paid,,,,,,`, 'the line has a misplaced quote'],
    ['4711,jane,b@shop.example,,paid,,,,,,', 'id must be a UUIDv7, or empty'],
    [',,c@shop.example,,paid,,,,,,', 'advocate_slug must not be empty'],
    [',ja ne,c@shop.example,,paid,,,,,,', 'advocate_slug must be 1 to 64 letters, digits, hyphens or underscores'],
    [',nobody,c@shop.example,,paid,,,,,,', 'advocate_slug does not belong to an advocate of the program'],
    [',jane,c@shop,,paid,,,,,,', 'email must be an email address'],
    [`,jane,,${'u'.repeat(129)},paid,,,,,,`, 'uid must be 1 to 128 characters long'],
    [',jane,,u\tv,paid,,,,,,', 'uid must not contain control characters'],
    [',jane,,u\u0001v,paid,,,,,,', 'the line contains control characters'],
    [',jane,,u\u2028v,paid,,,,,,', 'uid must not contain control characters'],
    [',jane,d@shop.example,,,,,,,,', 'state must not be empty'],
    [
      ',jane,d@shop.example,,Paid,,,,,,',
      'state must be one of clicked, converted, paid, churned, rejected, or translated',
    ],
    [`,jane,e@shop.example,,paid,${'s'.repeat(129)},,,,,`, 'sub_id must be 1 to 128 characters long'],
    [',jane,f@shop.example,,paid,,yesterday,,,,', `created_at ${time}`],
    [`,jane,f@shop.example,,paid,,${now() + 3600},,,,`, 'created_at must not be in the future'],
    [`,jane,f@shop.example,,paid,,${START},${now() + 3600},,,`, 'state_set_at must not be in the future'],
    [`,jane,f@shop.example,,paid,,${START},${START - 1},,,`, 'state_set_at must not be before created_at'],
    [`,jane,f@shop.example,,paid,,${START},,,${START - 1},`, 'commission_end_date must not be before created_at'],
    [',jane,g@shop.example,,paid,,,,101,,', 'commission_percentage must be a number from 0 to 100'],
    [',jane,,,paid,,,,,,', 'email or uid is required unless the state is clicked'],
    [',jane,h@shop.example,,clicked,,,,,,', 'email must be empty if the state is clicked'],
    [',jane,,h,clicked,,,,,,', 'uid must be empty if the state is clicked'],
    [`,jane,,,clicked,,${START},,,${START},`, 'commission_end_date must be empty if the state is clicked'],
    [`,jane,i@shop.example,"${'x'.repeat(70_000)}",paid,,,,,,`, 'the line is longer than 64 KiB'],
    [',jane,k@shop.example,,paid,,,,,,self_referral other', 'flags must contain only self_referral'],
    [',jane,k@shop.example,,paid,,,,,,"self_referral,x"', 'flags must contain only self_referral'],
    [`,jane,,,clicked,,${START},,,,self_referral`, 'flags must be empty if the state is clicked'],
    // The file ends in the middle of its last line.
    [',jane,j@shop.example,,pai', 'the line has 5 columns, but the header has 11'],
  ];
  const good = (number: number) => `,jane,good-${number}@shop.example,,paid,,${START},,,,`;
  const lines = cases.flatMap(([line], index) => [good(index), line]);
  const { created, skipped, failed } = await imported([header, ...lines].join('\n'));
  expect({ created, skipped }).toEqual({ created: cases.length, skipped: 0 });
  expect(failed.map(({ line }) => line)).toEqual(cases.map((_, index) => 2 * index + 3));
  expect(failed).toEqual(
    cases.map(([, reason]) => expect.objectContaining({ reason: expect.stringContaining(reason) })),
  );
  expect(JSON.stringify(failed)).not.toMatch(/shop\.example|4711|nobody|yesterday|Paid/);
});

test('an unclosed quote invalidates only its own line', async () => {
  const { created, failed } = await imported(`advocate_slug,state,email
jane,paid,"a@shop.example
jane,paid,b@shop.example
jane,paid,"c@shop.example"
jane,paid,"d@shop.example`);
  expect(created).toBe(2);
  expect(failed.map(({ line }) => line)).toEqual([2, 5]);
});

describe('standard input', () => {
  const run = (input: readonly string[] | AsyncIterable<string>) =>
    adminWith({ table, input }, 'referral', 'import', '--program', program.id, '--file', '-', '--json');

  test('standard input is imported as a file is, wherever its chunks end', async () => {
    const { status, stdout } = await run([
      'advocate_slug,state,email\njane,paid,a@',
      'x.example\njane,pa',
      'id,b@x.example',
    ]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '{"created":2,"skipped":0,"failed":[]}\n' });
  });

  test('standard input that ends with an error ends the import with status 1', async () => {
    async function* broken() {
      yield 'advocate_slug,state,email\n';
      throw new Error('EIO');
    }
    const { status, stderr } = await run(broken());
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The file in --file cannot be read to its end\./);
  });
});

describe('a command', () => {
  const run = (...args: string[]) => adminHere(table, 'referral', 'import', ...args);

  test('a command reports a file that cannot be read and does nothing else', async () => {
    const folder = join(await file(''), '../../table');
    const cases: [string, string][] = [
      [join(folder, 'none.csv'), 'The file in --file cannot be opened. Check its name and its permissions.\n'],
      ['', 'The file in --file cannot be opened. Check its name and its permissions.\n'],
      [folder, 'The path in --file is a folder. Give the path of a file.\n'],
    ];
    for (const [path, stderr] of cases) {
      expect(await run('--program', program.id, '--file', path)).toEqual({ status: 1, stdout: '', stderr });
    }
    const stderr = 'No program has the id in --program. Run `program list` to see all programs.\n';
    const path = await file('advocate_slug,state\n');
    expect(await run('--program', UNKNOWN, '--file', path)).toEqual({ status: 1, stdout: '', stderr });
  });

  test('a command prints the first failed lines and the number of the others without --json', async () => {
    const lines = (count: number) => `advocate_slug,state\n${'jane,open\n'.repeat(count)}`;
    const few = await run('--program', program.id, '--file', await file(`${lines(2)}jane,clicked`));
    expect(few).toMatchObject({
      status: 1,
      stderr: 'Some lines were not imported. Correct them, and import the same file again.\n',
    });
    expect(few.stdout).toMatch(/│ created │ 1 +│\n│ skipped │ 0 +│\n│ failed +│ 2 +│/);
    const reason = 'state must be one of clicked, converted, paid, churned, rejected, or translated with --map-state\n';
    expect(few.stdout.endsWith(`┘\nline 2: ${reason}line 3: ${reason}`)).toBe(true);
    const many = await run('--program', program.id, '--file', await file(lines(1500)));
    expect(many.stdout.endsWith(`line 21: ${reason}… and 1480 more. Run with --json to see all failed lines.\n`)).toBe(
      true,
    );
    const { failed } = await imported(lines(1500));
    expect(failed.map(({ line }) => line)).toEqual(Array.from({ length: 1500 }, (_, index) => index + 2));
  });
});
