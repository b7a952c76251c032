import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { adminHere, adminWith, importing, useFiles } from '../../support/admin-here.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { allItems, itemsOf } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();

let program: Program;
/** A folder for the files of one test, and a path in it that `--failed` names. */
let folder: string;
let failedPath: string;
beforeEach(async () => {
  program = await aProgram(table);
  await anAdvocate(table, program, { slug: 'jane' });
  folder = join(dirname(await file('')), newId());
  await mkdir(folder);
  failedPath = join(folder, 'failed.csv');
});

const write = async (lines: readonly string[], name = 'source.csv') => {
  const path = join(folder, name);
  await writeFile(path, lines.join('\n'));
  return path;
};
const run = (path: string, ...options: string[]) =>
  adminHere(table, 'referral', 'import', '--program', program.id, '--file', path, '--json', ...options);
const failing = (path: string, ...options: string[]) => run(path, '--failed', failedPath, ...options);
const failedLines = async () => (await readFile(failedPath, 'utf8')).split('\n').slice(0, -1);
const report = (created: number, skipped = 0) => `{"created":${created},"skipped":${skipped},"failed":[]}\n`;
/** The uids of the program's referrals. */
const uids = async () =>
  (await itemsOf(table, program)).flatMap(({ sk, uid }) => (sk === 'REFERRAL' ? [uid] : [])).sort();

const HEADER = 'advocate_slug,state,uid,note';
const STATE = 'state must be one of clicked, converted, paid, churned, rejected, or translated with --map-state';

test('the JSON report of many failed lines is written in pieces: one string could be too long', async () => {
  const count = 10_000;
  const path = await write([HEADER, ...Array.from({ length: count }, (_, n) => `jane,open,u${n},`)]);
  const sizes: number[] = [];
  const setting = { table, onOutput: (piece: string) => sizes.push(piece.length) };
  const args = ['--program', program.id, '--file', path, '--json'];
  const { status, stdout } = await adminWith(setting, 'referral', 'import', ...args);
  expect([status, JSON.parse(stdout).failed.length]).toEqual([1, count]);
  expect(Math.max(...sizes)).toBeLessThan(stdout.length / 5);
});

describe('the file in --failed', () => {
  test('the file in --failed contains each failed line with its number and its reason', async () => {
    const path = await write([
      HEADER,
      'jane,paid,u1,',
      'jane,open,u2,"a, ""b""',
      'c"',
      'jane,paid,u3',
      'jane,paid,"u5,',
      'nobody,paid,u6,\u00fc',
      'jane,paid,u\u0001,',
    ]);
    const { status, stdout, stderr } = await failing(path);
    // The lines contain personal data, so only their owner can read them.
    expect((await stat(failedPath)).mode & 0o777).toBe(0o600);
    expect(await failedLines()).toEqual([
      `failure_reason,${HEADER}`,
      `"line 3: ${STATE}",jane,open,u2,"a, ""b""`,
      'c"',
      '"line 5: the line has 3 columns, but the header has 4",jane,paid,u3',
      'line 6: the line has a misplaced quote,"jane,paid,""u5,"',
      'line 7: advocate_slug does not belong to an advocate of the program: import the advocates first,nobody,paid,u6,\u00fc',
      'line 8: the line contains control characters',
    ]);
    expect(JSON.parse(stdout).failed.map(({ line }: { line: number }) => line)).toEqual([3, 5, 6, 7, 8]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        'Unknown columns are ignored: "note". Use --map to import one of them.\nSome lines were not imported. Correct them in the file in --failed, and import that file.\n',
    });
  });

  test('the file in --failed can be imported after its repair, without a warning about its reasons', async () => {
    const source = ['Code;Status;Client', 'jane;won;=1', 'jane;lost;@2', "jane;open;'=3", 'joe;won;4,5'];
    const map = ['--map', 'code=advocate_slug', '--map', 'status=state', '--map', 'client=uid'];
    const options = [...map, '--map-state', 'won=paid', '--map-state', 'lost=churned'];
    expect(await failing(await write(source), ...options)).toMatchObject({ status: 1 });
    const written = await failedLines();
    expect(written.map((line) => line.split(';').slice(1).join(';'))).toEqual([
      'Code;Status;Client',
      "jane;open;'=3",
      'joe;won;"4,5"',
    ]);
    await anAdvocate(table, program, { slug: 'joe' });
    const repaired = await write(
      written.map((line) => line.replace('open', 'lost')),
      'repaired.csv',
    );
    expect(await run(repaired, ...options)).toEqual({ status: 0, stdout: report(2), stderr: '' });
    expect(await uids()).toEqual(['4,5', '=1', '=3', '@2']);
    expect(await run(repaired, ...options)).toEqual({ status: 0, stdout: report(0, 2), stderr: '' });
  });

  test('the file in --failed keeps its old content if Ctrl-C interrupts the import', async () => {
    await writeFile(failedPath, 'old');
    const path = await write([HEADER, 'jane,open,u0,', ...Array.from({ length: 200 }, (_, n) => `jane,paid,u${n},`)]);
    beforeNext(table, 'TransactWriteItemsCommand', async () => process.emit('SIGINT'));
    expect(await failing(path)).toMatchObject({ status: 130 });
    expect(await readFile(failedPath, 'utf8')).toBe('old');
    expect((await readdir(folder)).sort()).toEqual(['failed.csv', 'source.csv']);
    await failing(path);
    expect(await failedLines()).toHaveLength(2);
    expect((await readdir(folder)).sort()).toEqual(['failed.csv', 'source.csv']);
  });

  test('the file in --failed must not be the file in --file by any name, or a folder', async () => {
    const lines = [HEADER, 'jane,paid,u1,'];
    const path = await write(lines);
    const link = join(folder, 'link.csv');
    await symlink(path, link);
    const same = '--failed must not be the file in --file. Give another path.\n';
    const noFile = 'The path in --failed is not the path of a file. Give the path of a CSV file.\n';
    const unwritable = 'The file in --failed cannot be written. Check its folder, its permissions and the disk.\n';
    await expectUnchanged(table, async () => {
      for (const [failed, status, stderr] of [
        [path, 2, same],
        [`${folder}/../${basename(folder)}/source.csv`, 2, same],
        [link, 2, same],
        [folder, 1, noFile],
        [join(folder, 'none', 'failed.csv'), 1, unwritable],
      ] as const) {
        expect(await run(path, '--failed', failed)).toEqual({ status, stdout: '', stderr });
      }
    });
    expect(await readFile(path, 'utf8')).toBe(lines.join('\n'));
  });
});

describe('a dry run', () => {
  /** Imports a file without and with `--dry-run`, which must report the same and write nothing. */
  async function rehearse(noun: 'advocate' | 'referral', lines: readonly string[], into: Program): Promise<void> {
    const path = await file(lines.join('\n'));
    const before = await allItems(table);
    const announced = await importing(table, noun, into.id, path, '--dry-run');
    expect(await allItems(table)).toEqual(before);
    expect(await importing(table, noun, into.id, path)).toEqual(announced);
  }
  const cell = (...values: string[]) => fc.constantFrom('', ...values);
  const ids = [newId(), newId()];
  const FILES: ['advocate' | 'referral', string, fc.Arbitrary<string>[]][] = [
    [
      'advocate',
      'email,first_name,slug,uid,active',
      [
        fc.constantFrom('a@b.example', 'A@b.example', 'c@d.example', 'invalid'),
        cell('Jane'),
        cell('jane', 'JOE', 'jane-2', 'not valid'),
        cell('1', '2'),
        cell('true', 'false', 'TRUE'),
      ],
    ],
    [
      'referral',
      'id,advocate_slug,advocate_uid,email,uid,state,created_at,stripe_customer',
      [
        fc.boolean().chain((hasId) => fc.constantFrom(...(hasId ? ids : ['']))),
        fc.constantFrom('jane', 'joe', 'nobody', ''),
        cell('4711', '4712'),
        cell('a@shop.example', 'A@shop.example', 'b@shop.example', 'invalid'),
        cell('u1', 'u2'),
        fc.constantFrom('clicked', 'converted', 'paid', 'rejected', 'other'),
        cell('1700000000', 'yesterday'),
        cell('cus_1', 'cus_2'),
      ],
    ],
  ];

  test.each(FILES)(
    'a dry run of %s import writes nothing and reports what it then does',
    async (noun, header, cells) => {
      const line = fc.tuple(...cells).map((values) => values.join(','));
      const aFile = fc.array(line, { minLength: 1, maxLength: 30 });
      const run = async (first: string[], second: string[]) => {
        const into = await aProgram(table);
        await anAdvocate(table, into, { slug: 'jane', uid: '4711' });
        await anAdvocate(table, into, { slug: 'joe', uid: '4712' });
        for (const lines of [first, second]) await rehearse(noun, [header, ...lines], into);
      };
      await fc.assert(fc.asyncProperty(aFile, aFile, run), { numRuns: 4 });
    },
  );

  test('the report for people says that nothing was written', async () => {
    const dryRun = async (content: string) =>
      adminHere(table, ...['advocate', 'import', '--program', program.id, '--dry-run', '--file', await file(content)]);
    const remark = 'This was a dry run: nothing was written.\n';
    const good = await dryRun('email,slug\na@b.example,a\n');
    expect(good).toEqual({ status: 0, stdout: expect.stringMatching(`\u2518\n${remark}$`), stderr: '' });
    const reason = 'line 2: email must be an email address such as name@example.com\n';
    expect(await dryRun('email,slug\ninvalid,a\n')).toEqual({
      status: 1,
      stdout: expect.stringMatching(`\u2518\n${reason}${remark}$`),
      stderr: 'Some lines would not be imported. Correct them, and repeat the dry run.\n',
    });
  });
});
