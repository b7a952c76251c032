import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '../../bin/local/engine.ts';
import { contextOf } from '../../bin/local/event.ts';
import { referralsHandler } from '../../functions/api/referrals.ts';
import { FUNCTIONS } from '../../functions/kernel/http/route.ts';
import { eventFor } from '../support/event-fixtures.ts';
import { metered } from '../support/meter.ts';
import { openWithin, type TestTable } from '../support/table.ts';
import { FILE, fillProgram, SAMPLE } from './large-program.ts';
import { byKeyset, byOffset, fillPostgres, PER_PAGE, startPostgres } from './postgres.ts';
import { BY_LINK, BY_NUMBER, KEYSET, OFFSET, type Row } from './report.ts';

/** The first page, and pages at powers of ten. */
const PAGES = [1, 20, 200, 2000, 20_000];
/** Rows that a page number may skip. */
const MAX_SKIPPED = 100_000;
/** KB of a read unit, of an eventually consistent read, and of a block of PostgreSQL. */
const [UNIT_KB, BLOCK_KB] = [8, 8];

/** Measures pages of a list of `count` referrals through the handler of the service, and in PostgreSQL. */
export async function measurePages(count: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-pages-'));
  const { token, tableName } = await fillProgram(folder, 1, count);
  const engine = await startEngine(join(folder, FILE));
  const postgres = await startPostgres();
  try {
    await fillPostgres(postgres, count);
    const table = openWithin(undefined, tableName, engine.endpoint);
    const send = listOf(table, token);
    const rows: Row[] = [];
    let [reached, next] = [0, ''];
    for (const page of PAGES.filter((each) => each * PER_PAGE <= count)) {
      for (; reached < page - 1; reached += 1) next = await send(next);
      const isRefused = (page - 1) * PER_PAGE > MAX_SKIPPED;
      const number = isRefused ? undefined : await unitsOf(table, () => send(`page=${page}`));
      const link = await unitsOf(table, () => send(next));
      const [offset, keyset] = [await byOffset(postgres, page), await byKeyset(postgres, page)];
      rows.push({
        rows: count,
        page,
        ...(number !== undefined && { [`${BY_NUMBER}: KB`]: number * UNIT_KB }),
        [`${BY_LINK}: KB`]: link * UNIT_KB,
        [`${OFFSET}: KB`]: offset * BLOCK_KB,
        [`${KEYSET}: KB`]: keyset * BLOCK_KB,
      });
    }
    return rows;
  } finally {
    await postgres.stop();
    await engine.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Reads a page of the advocate's referrals. Returns the query of the next page, which the `Link` header contains. */
function listOf(table: TestTable, token: string): (query: string) => Promise<string> {
  const handler = referralsHandler(table.connection);
  return async (query) => {
    const whole = `affiliate_slug=${SAMPLE}&per_page=${PER_PAGE}&${query}`;
    const sent = eventFor({ operation: 'listReferralsV2', token, query: whole });
    const { statusCode, body, headers } = await handler(sent, contextOf('referrals', FUNCTIONS.referrals.timeout));
    const rows = statusCode === 200 ? JSON.parse(body ?? '').data.length : 0;
    if (rows !== PER_PAGE) throw new Error(`${query}: ${statusCode} with ${rows} rows`);
    return /\bcursor=[\w-]+/.exec(String(headers?.['link']))?.[0] ?? '';
  };
}

/** The read units of a page. */
async function unitsOf(table: TestTable, read: () => Promise<unknown>): Promise<number> {
  // The first request looks the token up.
  await read();
  const { readUnits } = await metered(table, read);
  return readUnits;
}
