import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { claimServiceFile, removeServiceFile } from '../../bin/local/service-file.ts';
import { runAdmin } from '../support/admin.ts';
import { aProgram } from '../support/program.ts';
import { useTable } from '../support/use-table.ts';

/** It stays empty. */
const table = useTable();
const programs = useTable();
const endpoint = String(process.env['DYNAMODB_ENDPOINT']);
/** The port of discard, at which nothing answers HTTP. */
const SILENT = 'http://127.0.0.1:9';
const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const NO_PROGRAMS = { status: 0, stdout: '[]\n', stderr: '' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'admin-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command with an environment of its own, in the empty folder. */
const run = (environment: Readonly<Record<string, string>>, args: readonly string[]) =>
  // The SDK must find no credentials: neither this machine's files nor an address to ask.
  runAdmin(args, { HOME: folder, AWS_EC2_METADATA_DISABLED: 'true', ...environment }, { cwd: folder });

const list = (environment: Readonly<Record<string, string>>) => run(environment, ['program', 'list', '--json']);

/** What a command must end with that prints nothing but one sentence, which begins with `start`. */
const refusal = (status: number, start: string) => ({
  status,
  stdout: '',
  stderr: expect.stringMatching(`^${start}[^\n]*\\.\n$`),
});

/** Runs many commands at the same time, each with the refusal that it must end with. */
async function expectRefusals(environment: Readonly<Record<string, string>>, status: number, cases: string[][]) {
  const ends = await Promise.all(
    cases.map(async ([line = '']) => ({ line, ...(await run(environment, line.split(' '))) })),
  );
  expect(ends).toEqual(cases.map(([line, start = '']) => ({ line, ...refusal(status, start) })));
  return ends;
}

describe('wrong usage', () => {
  test('is told in one sentence that names the option and repeats no value, without asking the table', async () => {
    const advocate = `advocate create --program ${UNKNOWN} --email`;
    const program = 'program create --name N --site-url';
    const token = `token create --program ${UNKNOWN} --expires-in-days`;
    const ends = await expectRefusals({ DYNAMODB_ENDPOINT: SILENT }, 2, [
      ['program create --name N', '--site-url is missing'],
      ['program create --site-url https://a.example --name', '--name needs a value'],
      [`${program} secret://a.example`, '--site-url must be'],
      [`${program} https://a.example --commission-percentage abc`, '--commission-percentage must be'],
      [`${program} https://a.example --commission-months 1.5`, '--commission-months must be'],
      [`${program} https://a.example --allowed-origin https://a.example/b`, '--allowed-origin must be'],
      [`${advocate} jane.secret@`, '--email must be'],
      [`${advocate} jane@example.com --slug sec/ret`, '--slug must be'],
      [`${advocate} jane@example.com secret@example.com`, 'There is a word too many'],
      [`${advocate}=jane@example.com --emial=secret@example.com`, 'There is no option --emial'],
      [`${token} 0`, '--expires-in-days must be'],
      [`${token} 36501`, '--expires-in-days must be'],
      ['token rtp_secret', 'There is no command of that name'],
      ['tokens', 'There is no command tokens'],
    ]);
    for (const { stderr } of ends) expect(stderr).not.toMatch(/secret|jane/);
  });

  test('a bare noun prints its help on stderr', async () => {
    const { status, stdout, stderr } = await run({}, ['token']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: npm run admin -- token .*create.*list.*revoke/s);
  });

  test('--help prints examples and is no error', async () => {
    const verbs = ['show', 'set-state', 'erase', 'import', 'export'].map((verb) => ['referral', verb, '--help']);
    const nouns = ['advocate', 'referral'].map((noun) => [noun, '--help']);
    const calls = [['--help'], ...nouns, ['token', 'create', '--help'], ['advocate', 'import', '--help'], ...verbs];
    for (const { status, stdout, stderr } of await Promise.all(calls.map((args) => run({}, args)))) {
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage: .*\nExamples:\n {2}npm run --silent admin -- /s);
    }
  });
});

test('what is unknown is told in one sentence', async () => {
  const { id } = await aProgram(programs);
  await expectRefusals({ DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: programs.name }, 1, [
    [`advocate list --program ${UNKNOWN}`, 'There is no program with the id in --program'],
    ['token list --program nothing', 'There is no program with the id in --program'],
    [`advocate deactivate --program ${id} --slug nobody`, 'The program has no advocate with the slug in --slug'],
    [`token create --program ${id} --advocate nobody`, 'The program has no advocate with the slug in --advocate'],
    [`token revoke --program ${id} --id ${UNKNOWN}`, 'The program has no token with the id in --id'],
    [`referral show --program ${id} --id ${UNKNOWN}`, 'The program has no referral with the id in --id'],
    [`referral erase --program ${id} --email a@b.example`, 'The program has no referral with the email in --email'],
    [`referral import --program ${id} --file none.csv`, 'The file in --file cannot be opened'],
    [`referral export --program ${UNKNOWN}`, 'There is no program with the id in --program'],
  ]);
});

describe('the table', () => {
  test('is that at DYNAMODB_ENDPOINT', async () => {
    const ends = await Promise.all([
      list({ DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table.name }),
      list({ DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: 'no-such-table' }),
      list({ DYNAMODB_ENDPOINT: SILENT }),
      list({ DYNAMODB_ENDPOINT: 'localhost:8000' }),
    ]);
    expect(ends).toEqual([
      NO_PROGRAMS,
      refusal(1, 'There is no table no-such-table at '),
      refusal(1, 'No DynamoDB answers at '),
      refusal(1, 'DYNAMODB_ENDPOINT must be '),
    ]);
  });

  test('is none where another service answers at the endpoint', async () => {
    const other = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const answer = await list({ DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}` });
    other.close();
    expect(answer).toEqual(refusal(1, 'No DynamoDB answers at '));
  });

  test('is on AWS where only TABLE_NAME is set', async () => {
    const TABLE_NAME = table.name;
    const ends = await Promise.all([list({ TABLE_NAME }), list({ TABLE_NAME, AWS_REGION: 'eu-central-1' })]);
    expect(ends).toEqual([
      refusal(1, 'TABLE_NAME alone means a table on AWS, but no region'),
      refusal(1, 'TABLE_NAME alone means a table on AWS, but there are no valid AWS credentials'),
    ]);
  });

  test('is else that of the running service, by its note in DATA_DIR', async () => {
    const DATA_DIR = await mkdtemp(join(folder, 'by-note-'));
    const none = refusal(1, 'No service is running on the data in [^:]*: start it with npm start');
    expect(await list({})).toEqual(none);
    expect(await list({ DATA_DIR, TABLE_NAME: 'another' })).toEqual(none);
    await claimServiceFile(DATA_DIR, { endpoint, tableName: table.name, pid: 1 });
    expect(await list({ DATA_DIR })).toEqual(NO_PROGRAMS);
    expect(await list({ DATA_DIR, TABLE_NAME: table.name })).toEqual(NO_PROGRAMS);
    const another = refusal(1, 'The service running on the data in [^:]* works on the table [^:]*: correct or unset');
    expect(await list({ DATA_DIR, TABLE_NAME: 'another' })).toEqual(another);
    await removeServiceFile(DATA_DIR);
    await claimServiceFile(DATA_DIR, { endpoint: SILENT, tableName: table.name, pid: 1 });
    expect(await list({ DATA_DIR })).toEqual(none);
  });

  test('may be listed to a reader that stops early', async () => {
    const env = { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table.name };
    const watch = (child: ChildProcess) => void child.stdout?.destroy();
    const { stderr } = await runAdmin(['program', 'list'], env, { watch });
    expect(stderr).toBe('');
  });
});
