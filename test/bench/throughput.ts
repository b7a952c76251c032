import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import conversion from '../events/conversion-v2.json' with { type: 'json' };
import list from '../events/list-referrals-v2.json' with { type: 'json' };
import { end, start } from '../support/start.ts';
import { type LoadRequest, type LoadResult, type LoadScale, load } from './load.ts';
import { type LoadedTable, loadReferrals } from './many-referrals.ts';
import { PER_PAGE } from './pages-here.ts';
import { fillPostgres } from './pages-postgres.ts';
import type { Postgres } from './postgres.ts';
import { type Comparison, figure, type Report } from './report.ts';

/** Referrals of the advocate before the load. */
const ROWS = 10_000;
const PEER = 'Fastify with PostgreSQL';
const HEAD = ['operation', 'with', 'requests a second', 'p50, ms', 'p99, ms', 'other responses'];

interface Operation {
  readonly title: string;
  readonly next: () => LoadRequest;
}

/** Measures `npm start` and Fastify with PostgreSQL under the same load, one after the other. */
export async function measureThroughput(peers: string, postgres: Postgres, scale: LoadScale): Promise<Report> {
  const loaded = await loadReferrals(ROWS);
  try {
    const operations = operationsOf(loaded);
    const own = await onService(loaded, (url) => loadAll(url, operations, scale));
    await fillPostgres(postgres, ROWS);
    await postgres.sql.query("INSERT INTO tokens VALUES (sha256(convert_to($1, 'UTF8')))", [loaded.token]);
    const other = await onFastify(peers, postgres, (url) => loadAll(url, operations, scale));
    const rows = operations.flatMap(({ title }, index) =>
      [
        { name: 'the service, `npm start`', result: own[index] },
        { name: PEER, result: other[index] },
      ].flatMap(({ name, result }) => (result ? [[title, name, ...cells(result)]] : [])),
    );
    const comparisons = operations.flatMap(({ title }, index) => comparisonsOf(title, own[index], other[index]));
    return { sections: [{ name: 'throughput', head: HEAD, rows }], comparisons };
  } finally {
    await loaded.stop();
  }
}

function operationsOf({ token, slug }: LoadedTable): Operation[] {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let customers = 0;
  return [
    {
      title: 'conversion by slug and email, unique email',
      next: () => {
        customers += 1;
        const body = JSON.stringify({ email: `buyer-${customers}@shop.example`, affiliate_slug: slug });
        return { method: 'POST', path: conversion.rawPath, headers, body, status: 201 };
      },
    },
    {
      title: `first page of ${PER_PAGE} referrals`,
      next: () => {
        const path = `${list.rawPath}?affiliate_slug=${slug}&per_page=${PER_PAGE}`;
        return { method: 'GET', path, headers, status: 200 };
      },
    },
  ];
}

async function loadAll(url: string, operations: readonly Operation[], scale: LoadScale): Promise<LoadResult[]> {
  const results = [];
  for (const { next } of operations) results.push(await load(url, next, scale));
  return results;
}

/** Runs `npm start` on the engine with the referrals, as its guide says: it also delivers events and counts. */
async function onService<Result>({ table, endpoint }: LoadedTable, work: (url: string) => Promise<Result>) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-throughput-'));
  const started = await start({ DATA_DIR: folder, DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table.name, DEMO: 'off' });
  try {
    return await work(started.url);
  } finally {
    await end(started, 'SIGTERM');
    rmSync(folder, { recursive: true });
  }
}

async function onFastify<Result>(peers: string, { folder }: Postgres, work: (url: string) => Promise<Result>) {
  const child = spawn(process.execPath, [join(peers, 'fastify.mjs')], {
    env: { ...process.env, NODE_ENV: 'production', POSTGRES_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill();
  process.once('exit', kill);
  try {
    return await work(await addressOf(child.stdout));
  } finally {
    process.off('exit', kill);
    const ended = once(child, 'exit');
    if (kill()) await ended;
  }
}

async function addressOf(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const url = /^Ready on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('Fastify did not start.');
}

function cells({ perSecond, p50, p99, others }: LoadResult): string[] {
  return [perSecond, p50, p99, others].map(figure);
}

function comparisonsOf(title: string, own: LoadResult | undefined, other: LoadResult | undefined): Comparison[] {
  if (!own || !other) return [];
  const common = { peer: PEER, unit: 'ms' };
  return [
    {
      figure: `requests a second: ${title}`,
      unit: '',
      isMoreBetter: true,
      here: own.perSecond,
      peer: PEER,
      there: other.perSecond,
    },
    { ...common, figure: `p50 under load: ${title}`, here: own.p50, there: other.p50 },
    { ...common, figure: `p99 under load: ${title}`, here: own.p99, there: other.p99 },
  ];
}
