import { PER_PAGE } from './pages-here.ts';
import type { Postgres, Sql } from './postgres.ts';
import { median } from './report.ts';

/** What it takes PostgreSQL to read a page: blocks of 8 KB that it visits, and milliseconds. */
export interface BlockCost {
  readonly blocks: number;
  readonly ms: number;
}

const ROUNDS = 5;
const SELECT = 'SELECT id, email, state, sub_id, created_at, state_set_at FROM referrals WHERE advocate_id = 1';
const ORDER = `ORDER BY created_at DESC, id DESC LIMIT ${PER_PAGE}`;

/** Fills the tables with `count` referrals of one advocate, a second apart, and updates the planner's statistics. */
export async function fillPostgres({ sql }: Postgres, count: number): Promise<void> {
  await sql.query('TRUNCATE referrals, advocates RESTART IDENTITY');
  await sql.query("INSERT INTO advocates (slug) VALUES ('jane-doe')");
  await sql.query(
    `INSERT INTO referrals (advocate_id, email, created_at, state_set_at)
      SELECT 1, 'customer-' || number || '@shop.example', at, at
      FROM generate_series(1, $1::int) AS number, LATERAL (SELECT to_timestamp(1600000000 + number) AS at) AS times`,
    [count],
  );
  await sql.query('VACUUM ANALYZE');
}

/** Measures a page by OFFSET. */
export function byOffset({ sql }: Postgres, page: number): Promise<BlockCost> {
  return cost(sql, `${SELECT} ${ORDER} OFFSET $1`, [(page - 1) * PER_PAGE]);
}

/** Measures a page that starts after the last row of the page before it. */
export async function byKeyset({ sql }: Postgres, page: number): Promise<BlockCost> {
  if (page === 1) return cost(sql, `${SELECT} ${ORDER}`, []);
  const skipped = (page - 1) * PER_PAGE - 1;
  // The column as text, because a Date of JavaScript has no microseconds.
  const { rows } = await sql.query<{ at: string; id: string }>(
    `SELECT created_at::text AS at, id FROM referrals WHERE advocate_id = 1
      ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $1`,
    [skipped],
  );
  const [last] = rows;
  return cost(sql, `${SELECT} AND (created_at, id) < ($1::timestamptz, $2::uuid) ${ORDER}`, [last?.at, last?.id]);
}

async function cost(sql: Sql, query: string, values: readonly unknown[]): Promise<BlockCost> {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const { rows } = await sql.query(query, values);
    times.push(performance.now() - startedAt);
    if (rows.length !== PER_PAGE) throw new Error(`PostgreSQL returned ${rows.length} rows.`);
  }
  const { rows } = await sql.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${query}`,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  const blocks = (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN);
  return { blocks, ms: median(times) };
}
