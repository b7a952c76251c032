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

/** Imports `count` referrals through the command line, as an operator does, and exports them again. */
export async function importAndExport(count: number): Promise<{ imported: BulkRun; exported: BulkRun }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  const engine = await startEngine();
  try {
    const table = openWithin(undefined, 'bench', engine.endpoint);
    await createMissingTable(table);
    const program = await aProgram(table);
    for (let number = 0; number < ADVOCATES; number += 1) {
      await anAdvocate(table, program, { slug: `advocate-${number}` });
    }
    const file = join(folder, 'referrals.csv');
    await pipeline(Readable.from(lines(count)), createWriteStream(file));
    const environment = {
      DYNAMODB_ENDPOINT: engine.endpoint,
      TABLE_NAME: 'bench',
      MEMORY_FILE: join(folder, 'memory'),
    };
    const command = ['--program', program.id];
    const run = (args: string[], output: string) => measured(count, args, environment, output);
    const imported = await run(
      ['referral', 'import', ...command, '--file', file, '--json'],
      join(folder, 'report.json'),
    );
    const exported = await run(['referral', 'export', ...command], join(folder, 'export.csv'));
    return { imported, exported };
  } finally {
    await engine.stop();
    await rm(folder, { recursive: true });
  }
}

/** The lines of a CSV file, such as another product exports. */
function* lines(count: number): Generator<string, void> {
  const states = ['converted', 'paid', 'churned', 'rejected'];
  yield 'advocate_slug,email,state,sub_id,created_at,state_set_at\n';
  for (let number = 0; number < count; number += 1) {
    const createdAt = FIRST + number;
    yield `advocate-${number % ADVOCATES},customer-${number}@shop.example,${states[number % states.length]},,${createdAt},${createdAt + 3600}\n`;
  }
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
    stdio: ['ignore', file.fd, 'inherit'],
  });
  const [status] = await once(child, 'exit');
  const seconds = (performance.now() - start) / 1000;
  await file.close();
  if (status !== 0) throw new Error(`${args.slice(0, 2).join(' ')} exited with status ${status}.`);
  const kibibytes = Number(await readFile(String(environment['MEMORY_FILE']), 'utf8'));
  return { perSecond: count / seconds, memory: kibibytes * 1024 };
}
