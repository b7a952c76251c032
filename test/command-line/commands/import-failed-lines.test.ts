import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { adminHere, jsonHere, useFiles } from '../../support/admin-here.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { allItems, itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
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

describe('the file in --failed', () => {
  test('the file in --failed contains each failed line with its number and its reason', async () => {
    const path = await write([
      HEADER,
      'jane,paid,u1,',
      'jane,open,u2,"a, ""b""',
      'c"',
      'jane,paid,u3',
      'jane,paid,u4,,x',
      'jane,paid,"u5,',
      'nobody,paid,u6,\u00fc',
      'jane,paid,u\u0001,',
    ]);
    const { status, stdout, stderr } = await failing(path);
    expect(await failedLines()).toEqual([
      `failure_reason,${HEADER}`,
      `"line 3: ${STATE}",jane,open,u2,"a, ""b""`,
      'c"',
      '"line 5: the line has 3 columns, but the header has 4",jane,paid,u3',
      '"line 6: the line has 5 columns, but the header has 4",jane,paid,u4,,x',
      'line 7: the line has a misplaced quote,"jane,paid,""u5,"',
      'line 8: advocate_slug does not belong to an advocate of the program: import the advocates first,nobody,paid,u6,\u00fc',
      'line 9: the line contains control characters',
    ]);
    expect(JSON.parse(stdout).failed.map(({ line }: { line: number }) => line)).toEqual([3, 5, 6, 7, 8, 9]);
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

  test('the file in --failed contains the same after a dry run', async () => {
    await jsonHere(table, 'advocate', 'create', '--program', program.id, '--email', 'joe@b.example', '--slug', 'joe');
    const path = await write([HEADER, 'jane,paid,u1,', 'joe,paid,u1,', 'jane,open,u2,']);
    const before = await allItems(table);
    const { stderr } = await failing(path, '--dry-run');
    expect(stderr).toBe(
      'Unknown columns are ignored: "note". Use --map to import one of them.\nSome lines would not be imported. The file in --failed contains them.\n',
    );
    expect(await allItems(table)).toEqual(before);
    const announced = await failedLines();
    expect(announced).toEqual([
      `failure_reason,${HEADER}`,
      'line 3: uid belongs to another referral,joe,paid,u1,',
      `"line 4: ${STATE}",jane,open,u2,`,
    ]);
    await failing(path);
    expect(await failedLines()).toEqual(announced);
  });

  test('the file in --failed contains only the header if no line failed, and replaces an older file', async () => {
    await writeFile(failedPath, 'old');
    expect(await failing(await write([HEADER, 'jane,paid,u1,']))).toMatchObject({ status: 0, stdout: report(1) });
    expect(await failedLines()).toEqual([`failure_reason,${HEADER}`]);
  });

  test('the file in --failed can be read only by its owner, because it contains personal data', async () => {
    await failing(await write(['advocate_slug,state,email', 'joe,paid,ann@shop.example']));
    expect(await readFile(failedPath, 'utf8')).toContain('ann@shop.example');
    expect((await stat(failedPath)).mode & 0o777).toBe(0o600);
  });

  test('the file in --failed is the target of a link', async () => {
    const target = await write(['old'], 'target.csv');
    await symlink(target, failedPath);
    await failing(await write([HEADER]));
    expect(await readFile(target, 'utf8')).toBe(`failure_reason,${HEADER}\n`);
  });

});

describe('files in --failed after an interruption', () => {
  beforeEach(() => writeFile(failedPath, 'old'));
  const expectOnlyOldFile = async () => {
    expect(await readFile(failedPath, 'utf8')).toBe('old');
    expect((await readdir(folder)).sort()).toEqual(['failed.csv', 'source.csv']);
  };
  const lines = [HEADER, 'jane,open,u0,', ...Array.from({ length: 200 }, (_, index) => `jane,paid,u${index},`)];

  test('the file in --failed keeps its old content if Ctrl-C interrupts the import', async () => {
    const path = await write(lines);
    beforeNext(table, 'TransactWriteItemsCommand', async () => process.emit('SIGINT'));
    expect(await failing(path)).toMatchObject({ status: 130 });
    await expectOnlyOldFile();
    await failing(path);
    expect(await failedLines()).toHaveLength(2);
    expect((await readdir(folder)).sort()).toEqual(['failed.csv', 'source.csv']);
  });

});

describe('invalid files in --failed', () => {
  const refused = async (path: string, failed: string) => {
    const before = await allItems(table);
    const { status, stdout, stderr } = await run(path, '--failed', failed);
    expect(stdout).toBe('');
    expect(await allItems(table)).toEqual(before);
    return { status, stderr };
  };

  test('--failed is refused if it is the file in --file, by any name', async () => {
    const lines = [HEADER, 'jane,paid,u1,'];
    const path = await write(lines);
    const link = join(folder, 'link.csv');
    await symlink(path, link);
    const stderr = '--failed must not be the file in --file. Give another path.\n';
    for (const other of [path, join(folder, '.', '../../table', basename(folder), 'source.csv'), link]) {
      expect(await refused(path, other)).toEqual({ status: 2, stderr });
    }
    expect(await readFile(path, 'utf8')).toBe(lines.join('\n'));
  });

  test('--failed is refused if it is a folder or a socket, or if its folder does not exist', async () => {
    const path = await write([HEADER, 'jane,paid,u1,']);
    const socket = join(folder, 'socket');
    await using server = createServer().listen(socket);
    await once(server, 'listening');
    const noFile = 'The path in --failed is not the path of a file. Give the path of a CSV file.\n';
    const unwritable = 'The file in --failed cannot be written. Check its folder, its permissions and the disk.\n';
    expect(await refused(path, folder)).toEqual({ status: 1, stderr: noFile });
    expect(await refused(path, socket)).toEqual({ status: 1, stderr: noFile });
    expect(await refused(path, join(folder, 'none', 'failed.csv'))).toEqual({ status: 1, stderr: unwritable });
  });
});

test('an import whose --failed file cannot be completed says so, and its rows stay', async () => {
  const path = await file(`${HEADER}\njane,paid,u1,\n`);
  beforeNext(table, 'TransactWriteItemsCommand', () => rm(folder, { recursive: true }));
  const { status, stderr } = await failing(path);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('cannot be written') });
  expect(stderr).toContain('Imported rows stay. Run the same command again to import the rest.');
  expect(await uids()).toEqual(['u1']);
});
