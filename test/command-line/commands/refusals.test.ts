import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { copyProject, runAdmin, SEE_HELP } from '../../support/admin.ts';
import { adminHere, recordService } from '../../support/admin-here.ts';
import { aProgram } from '../../support/program.ts';
import { openTable, type TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

/** A table that stays empty. */
const table = useTable();
const programs = useTable();
const endpoint = String(process.env['DYNAMODB_ENDPOINT']);
/** The port of the discard service, where no HTTP server responds. */
const SILENT = 'http://127.0.0.1:9';
const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const NO_PROGRAMS = { status: 0, stdout: '[]\n', stderr: '' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'admin-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command in the empty folder with only this environment. */
const run = (environment: Readonly<Record<string, string>>, args: readonly string[]) =>
  // The SDK must not find credentials in this machine's files or at a metadata address.
  runAdmin(args, { HOME: folder, AWS_EC2_METADATA_DISABLED: 'true', ...environment }, { cwd: folder });

const list = (environment: Readonly<Record<string, string>>) => run(environment, ['program', 'list', '--json']);

/** The result of a command that prints only one sentence, which starts with `start`. */
const refusal = (status: number, start: string) => ({
  status,
  stdout: '',
  stderr: expect.stringMatching(`^${start}[^\n]*\\.\n$`),
});

/** Runs many commands at the same time, and expects each to print a sentence with the given start. */
async function expectRefusals(on: TestTable, status: number, cases: string[][]) {
  const ends = await Promise.all(
    cases.map(async ([line = '']) => ({ line, ...(await adminHere(on, ...line.split(' '))) })),
  );
  expect(ends).toEqual(cases.map(([line, start = '']) => ({ line, ...refusal(status, start) })));
  return ends;
}

describe('invalid arguments', () => {
  test('an invalid argument is reported with its option, but without its value and without a request', async () => {
    const advocate = `advocate create --program ${UNKNOWN} --email`;
    const change = `advocate update --program ${UNKNOWN} --advocate jane`;
    const ledger = (verb: string) => `ledger ${verb} --program ${UNKNOWN} --currency usd`;
    const list = `referral list --program ${UNKNOWN} --advocate jane`;

    const ends = await expectRefusals(openTable(table.name, SILENT), 2, [
      ['program create --name N --commission-percentage 20 --site-url secret://a.example', '--site-url must be'],
      [`${advocate} jane.secret@`, '--email must be'],
      [change, 'Give at least one option with a new value'],
      [`${change} --metadata {secret`, '--metadata must be a JSON object'],
      [`token create --program ${UNKNOWN} --advocate jane --scope read`, 'Tokens of advocates have no scopes'],
      [`token revoke --program ${UNKNOWN} --id secret --advocate jane`, 'Give either --id or --advocate'],
      [`referral show --program ${UNKNOWN}`, '--email, --uid or --id is required'],
      [`${list} --limit 100001`, '--limit must be a whole number from 1 to 100000'],
      [`${list} --state-set-before 2026-01-31`, '--state-set-before must be a time such as'],
      [
        `program stats --program ${UNKNOWN} --created-after 2026-02-01T00:00:00Z --created-before 2026-01-31T00:00:00Z`,
        '--created-after must not be later than --created-before',
      ],
      [`dashboard --program ${UNKNOWN} --base-url a.example`, '--base-url must be an http or https address'],
      [`ledger statement --program ${UNKNOWN} --month 2025-13`, '--month must be a month such as'],
      [`ledger void --program ${UNKNOWN} --payment-id é --note n`, '--payment-id must be 1 to 255 printable'],
      [`${ledger('adjust')} --advocate a --id b --note n --commission 0`, '--commission must not be 0'],
      [`${ledger('settle')} --all`, 'Give --all with --run, or --advocate with'],
      [
        `${ledger('settle')} --advocate jane --run a`,
        '--run, --minimum, --dry-run, --format and --date are options of --all',
      ],
      ['doctor --base-url https://a.example --page https://user:secret@a.example/', '--page must be an http or https'],
    ]);
    for (const { stderr } of ends) expect(stderr).not.toMatch(/secret|jane/);
  });

  const program = ['program', 'create', '--name', 'N'];
  const advocate = ['advocate', 'create', '--program', 'P', '--email', 'jane@secret.example'];
  const noSiteUrl = "required option '--site-url <url>' not specified";
  const noState =
    "option '--state <state>' argument is invalid. Allowed choices are converted, paid, churned, rejected.";
  test.each<[string[], string]>([
    [program, noSiteUrl],
    [[...advocate, '--emial', 'jane@secret.example'], "unknown option '--emial'\n(Did you mean --email?)"],
    [[...advocate, '--Jane@secret.example'], "unknown option '…'"],
    [[...advocate, 'jane@secret.example'], "too many arguments for 'create'. Expected 0 arguments but got 1"],
    [['token', 'rtp_secret'], "unknown command '…'"],
    [['token', 'lst'], "unknown command 'lst'\n(Did you mean list?)"],
    [['referral', 'set-state', '--state', 'piad'], noState],
    [
      ['referral', 'show', '--program', 'P', '--uid', 'secret', '--id', 'secret'],
      "option '--uid <uid>' cannot be used with option '--id <id>'",
    ],
  ])('the invalid arguments %j are reported by commander', async (args, sentence) => {
    const ended = await adminHere(table, ...args);
    expect(ended).toEqual({ status: 2, stdout: '', stderr: `error: ${sentence}\n${SEE_HELP}` });
  });

  test('an invalid argument is never reported with an email or token, wherever it is typed', async () => {
    const secret = fc.constantFrom('jane@secret.example', `rtp_${'secret'.repeat(6)}`, `rta_${'Secret0'.repeat(5)}`);
    const word = fc.constantFrom('advocate', 'referral', 'token', 'create', 'set-state', 'export', '--', '-x');
    const typed = fc
      .tuple(fc.constantFrom('', '-', '--', '--emial=', '--format=', '--state=', "'", '\n'), secret)
      .map((parts) => parts.join(''));
    const option = fc.constantFrom('--state', '--format', '--email', '--program', '--file', '--advocate', '--id');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(word, typed, option), { maxLength: 6 }), typed, async (words, last) => {
        const { stdout, stderr } = await adminHere(table, ...words, last);
        expect(stdout + stderr).not.toMatch(/secret/i);
      }),
    );
  });

  test('--help prints examples with status 0', async () => {
    const commands = [
      'program',
      'program create',
      'advocate update',
      'token create',
      'referral import',
      'webhook replay',
    ];
    const calls = commands.map((words) => adminHere(table, ...words.split(' '), '--help'));
    const ends = [run({}, ['--help']), ...calls];
    for (const { status, stdout, stderr } of await Promise.all(ends)) {
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const isImport = / import \[/.test(stdout);
      if (!isImport) expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
      expect(stdout).toMatch(/^Usage: .*\nExamples:\n {2}\.\/referrals /s);
    }
  });
});

test('unknown ids, slugs and files are reported in one sentence', async () => {
  const { id } = await aProgram(programs);
  await expectRefusals(programs, 1, [
    [`advocate list --program ${UNKNOWN}`, 'No program has the id in --program'],
    [`token create --program ${id} --advocate nobody`, 'No advocate of the program has the slug in --advocate'],
    [`referral show --program ${id} --id ${UNKNOWN}`, 'No referral of the program has the id in --id'],
    [`ledger void --program ${id} --payment-id in_1 --note n`, 'No payment of the program has the id in --payment-id'],
    [
      `referral erase --program ${id} --email a@b.example`,
      'No referral of the program has the email in --email, or the person was erased already\\. Run',
    ],
    [`referral import --program ${id} --file none.csv`, 'The file in --file cannot be opened'],
  ]);
});

describe('the table', () => {
  test('the table is at DYNAMODB_ENDPOINT if it is set', async () => {
    const ends = await Promise.all([
      list({ DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table.name }),
      list({ DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: 'no-such-table' }),
      list({ DYNAMODB_ENDPOINT: SILENT }),
      list({ DYNAMODB_ENDPOINT: 'localhost:8000' }),
    ]);
    expect(ends).toEqual([
      NO_PROGRAMS,
      refusal(1, 'The table no-such-table does not exist at '),
      refusal(1, 'No DynamoDB responds at '),
      refusal(1, 'DYNAMODB_ENDPOINT must be '),
    ]);
  });

  test('a command from a subfolder finds .local of the project, and DATA_DIR and --file in the current folder', async () => {
    const project = await mkdtemp(join(folder, 'project-'));
    await copyProject(project);
    const cwd = join(project, 'docs');
    const fromDocs = (...args: string[]) => runAdmin([...args, '--json'], {}, { project, cwd });
    await mkdir(join(cwd, '.local'), { recursive: true });
    recordService(join(cwd, '.local'), { endpoint, tableName: table.name });
    const none = refusal(1, 'No local service found\\. Run `npm start`, or set TABLE_NAME to use AWS');
    expect(await fromDocs('program', 'list')).toEqual(none);

    const { id } = await aProgram(programs);
    await mkdir(join(project, '.local'));
    recordService(join(project, '.local'), { endpoint, tableName: programs.name });
    await writeFile(join(cwd, 'advocates.csv'), 'email,slug\njane@example.com,jane\n');
    const imported = await fromDocs('advocate', 'import', '--program', id, '--file', 'advocates.csv');
    expect(imported).toEqual({ status: 0, stdout: '{"created":1,"skipped":0,"failed":[]}\n', stderr: '' });
    expect(await runAdmin(['program', 'list', '--json'], { DATA_DIR: '.local' }, { project, cwd })).toEqual(
      NO_PROGRAMS,
    );
  });

  test('the list stops without an error if the reader of the output stops early', async () => {
    const env = { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table.name };
    const watch = (child: ChildProcess) => void child.stdout?.destroy();
    const { stderr } = await runAdmin(['program', 'list'], env, { watch });
    expect(stderr).toBe('');
  });
});
