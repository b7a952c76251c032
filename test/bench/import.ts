import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startEngine } from '../../bin/local/engine.ts';
import { createMissingTable } from '../../functions/operator/create-table.ts';
import { anAdvocate, aProgram } from '../support/program.ts';
import { openWithin } from '../support/table.ts';
import type { Row } from './report.ts';

const ADVOCATES = 1000;
const FIRST = 1_700_000_000;
const MAIN = join(import.meta.dirname, '../../bin/admin/main.ts');

const HEADER = 'advocate_slug,email,state,sub_id,created_at,state_set_at';
const STATES = ['converted', 'paid', 'churned', 'rejected'];

/** Imports `count` referrals through the command line, as an operator does. */
export async function measureImport(count: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  const engine = await startEngine();
  try {
    const table = openWithin(undefined, 'bench', engine.endpoint);
    await createMissingTable(table);
    const program = await aProgram(table);
    for (let number = 0; number < ADVOCATES; number += 1) {
      await anAdvocate(table, program, { slug: `advocate-${number}`, email: `advocate-${number}@partners.example` });
    }
    const file = join(folder, 'referrals.csv');
    await pipeline(Readable.from(linesOf(count)), createWriteStream(file));
    const environment = {
      DYNAMODB_ENDPOINT: engine.endpoint,
      TABLE_NAME: 'bench',
    };
    const args = ['referral', 'import', '--program', program.id, '--file', file, '--json'];
    return [await measured(count, args, environment)];
  } finally {
    await engine.stop();
    await rm(folder, { recursive: true });
  }
}

function* linesOf(count: number): Generator<string, void> {
  yield `${HEADER}\n`;
  for (let number = 0; number < count; number += 1) {
    const createdAt = FIRST + number;
    const state = STATES[number % STATES.length];
    const [slug, email] = [`advocate-${number % ADVOCATES}`, `customer-${number}@shop.example`];
    yield `${slug},${email},${state},,${createdAt},${createdAt + 3600}\n`;
  }
}

async function measured(count: number, args: string[], environment: NodeJS.ProcessEnv): Promise<Row> {
  const start = performance.now();
  const child = spawn(process.execPath, [MAIN, ...args], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = await once(child, 'exit');
  const seconds = (performance.now() - start) / 1000;
  const command = args.slice(0, 2).join(' ');
  if (status !== 0) throw new Error(`${command} exited with status ${status}.`);
  return { command, referrals: count, 'referrals a second': Math.round(count / seconds) };
}
