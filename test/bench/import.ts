import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startEngine } from '../../bin/local/engine.ts';
import { createMissingTable } from '../../functions/table/operator/create-table.ts';
import { anAdvocate, aProgram } from '../support/program.ts';
import { openWithin } from '../support/table.ts';

/** The throughput and memory of one run of the command line. */
export interface BulkRun {
  /** Referrals per second. */
  readonly perSecond: number;
  /** Peak resident memory in bytes. */
  readonly memory: number;
}

const ADVOCATES = 1000;
const FIRST = 1_700_000_000;
const MAIN = join(import.meta.dirname, '../../bin/admin/main.ts');
/** Preloaded into the measured process: writes its peak resident set, in KiB, to a file. */
const MEMORY_PROBE = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs';
  process.on('exit', () => writeFileSync(process.env.MEMORY_FILE, String(process.resourceUsage().maxRSS)));
`)}`;

/** A file of referrals: its header, its lines, and the options that it needs. */
interface ReferralFile {
  readonly header: string;
  readonly line: (number: number) => string;
  readonly options: readonly string[];
}

const STATES = ['converted', 'paid', 'churned', 'rejected'];
const OURS: ReferralFile = {
  header: 'advocate_slug,email,state,sub_id,created_at,state_set_at',
  line: (number) => {
    const createdAt = FIRST + number;
    const state = STATES[number % STATES.length];
    return `advocate-${number % ADVOCATES},customer-${number}@shop.example,${state},,${createdAt},${createdAt + 3600}`;
  },
  options: [],
};
/** The same referrals as FirstPromoter exports them. */
const THEIR_STATES = ['Signup', 'Active', 'Cancelled', 'Denied'];
const THEIRS: ReferralFile = {
  header: 'id,state,email,uid,promoter_email,plan_name,created_at,customer_since,cancelled_at',
  line: (number) => {
    const time = (second: number) => new Date(second * 1000).toISOString();
    const createdAt = FIRST + number;
    const state = THEIR_STATES[number % THEIR_STATES.length];
    const advocate = emailOf(number % ADVOCATES);
    return `${number},${state},customer-${number}@shop.example,,${advocate},Pro monthly,${time(createdAt)},${time(createdAt + 3600)},`;
  },
  options: ['--from', 'firstpromoter'],
};
const emailOf = (advocate: number) => `advocate-${advocate}@partners.example`;

/**
 * Imports `count` referrals through the command line, as an operator does, and exports them again. Imports the same
 * referrals also in the form of another product, into a separate engine.
 */
export async function importAndExport(
  count: number,
): Promise<{ imported: BulkRun; importedWithPreset: BulkRun; exported: BulkRun }> {
  const { imported, exported } = await runsOf(OURS, count);
  return { imported, importedWithPreset: (await runsOf(THEIRS, count)).imported, exported };
}

async function runsOf(
  { header, line, options }: ReferralFile,
  count: number,
): Promise<{ imported: BulkRun; exported: BulkRun }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  const engine = await startEngine();
  try {
    const table = openWithin(undefined, 'bench', engine.endpoint);
    await createMissingTable(table);
    const program = await aProgram(table);
    for (let number = 0; number < ADVOCATES; number += 1) {
      await anAdvocate(table, program, { slug: `advocate-${number}`, email: emailOf(number) });
    }
    const file = join(folder, 'referrals.csv');
    await pipeline(Readable.from(linesOf(header, line, count)), createWriteStream(file));
    const environment = {
      DYNAMODB_ENDPOINT: engine.endpoint,
      TABLE_NAME: 'bench',
      MEMORY_FILE: join(folder, 'memory'),
    };
    const command = ['--program', program.id];
    const run = (args: string[], output: string) => measured(count, args, environment, output);
    const imported = await run(
      ['referral', 'import', ...command, '--file', file, '--json', ...options],
      join(folder, 'report.json'),
    );
    const exported = await run(['referral', 'export', ...command], join(folder, 'export.csv'));
    return { imported, exported };
  } finally {
    await engine.stop();
    await rm(folder, { recursive: true });
  }
}

function* linesOf(header: string, line: ReferralFile['line'], count: number): Generator<string, void> {
  yield `${header}\n`;
  for (let number = 0; number < count; number += 1) yield `${line(number)}\n`;
}

async function measured(
  count: number,
  args: string[],
  environment: NodeJS.ProcessEnv,
  output: string,
): Promise<BulkRun> {
  const file = await open(output, 'w');
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', MEMORY_PROBE, MAIN, ...args], {
    env: environment,
    // The warning about columns that a preset ignores belongs to no measurement.
    stdio: ['ignore', file.fd, 'ignore'],
  });
  const [status] = await once(child, 'exit');
  const seconds = (performance.now() - start) / 1000;
  await file.close();
  if (status !== 0) throw new Error(`${args.slice(0, 2).join(' ')} exited with status ${status}.`);
  const kibibytes = Number(await readFile(String(environment['MEMORY_FILE']), 'utf8'));
  return { perSecond: count / seconds, memory: kibibytes * 1024 };
}
