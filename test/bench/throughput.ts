import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { end, start } from '../support/start.ts';
import { fillProgram, SAMPLE } from './large-program.ts';
import { peerFolder } from './peers.ts';
import { fillPostgres, PER_PAGE, startPostgres } from './postgres.ts';
import { FASTIFY, type Row, SERVICE } from './report.ts';

/** Referrals of the advocate before the load, connections, and milliseconds of the warm-up. */
const [ROWS, CONNECTIONS, WARM_UP] = [10_000, 16, 3000];
let customers = 0;

const OPERATIONS = [
  {
    operation: 'conversion',
    next: () => {
      customers += 1;
      const body = JSON.stringify({ email: `buyer-${customers}@shop.example`, affiliate_slug: SAMPLE });
      return { method: 'POST', path: '/v2/tracking/conversion', body, status: 201 };
    },
  },
  {
    operation: 'list of referrals',
    next: () => {
      const path = `/v2/referrals?affiliate_slug=${SAMPLE}&per_page=${PER_PAGE}`;
      return { method: 'GET', path, body: '', status: 200 };
    },
  },
];
type Next = (typeof OPERATIONS)[number]['next'];

/** Measures `npm start` and Fastify with PostgreSQL under the same load, one after the other. */
export async function measureThroughput(milliseconds: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-throughput-'));
  try {
    const { token } = await fillProgram(folder, 1, ROWS);
    const service = await start({ DATA_DIR: folder, DEMO: 'off' });
    const rows: Row[] = [];
    try {
      rows.push(...(await loadAll(SERVICE, service.url, token, milliseconds)));
    } finally {
      await end(service, 'SIGTERM');
    }
    return [...rows, ...(await loadPeer(token, milliseconds))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function loadPeer(token: string, milliseconds: number): Promise<Row[]> {
  const postgres = await startPostgres();
  await fillPostgres(postgres, ROWS);
  await postgres.sql.query("INSERT INTO tokens VALUES (sha256(convert_to($1, 'UTF8')))", [token]);
  const child = spawn(process.execPath, [join(peerFolder(), 'fastify.mjs')], {
    env: { ...process.env, NODE_ENV: 'production', POSTGRES_FOLDER: postgres.folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill();
  process.once('exit', kill);
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /^Ready on (\S+)$/.exec(line)?.[1];
      if (url !== undefined) return await loadAll(FASTIFY, url, token, milliseconds);
    }
    throw new Error('Fastify did not start.');
  } finally {
    process.off('exit', kill);
    kill();
    await ended;
    await postgres.stop();
  }
}

async function loadAll(name: string, url: string, token: string, milliseconds: number): Promise<Row[]> {
  const rows = [];
  for (const { operation, next } of OPERATIONS) {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    await load(agent, url, token, next, WARM_UP);
    const responses = await load(agent, url, token, next, milliseconds);
    agent.destroy();
    rows.push({ operation, with: name, 'a second': Math.round((responses * 1000) / milliseconds) });
  }
  return rows;
}

/** Each connection stays open, and sends the next request after the response to the last one. Returns the number of responses. */
async function load(agent: Agent, url: string, token: string, next: Next, milliseconds: number): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let count = 0;
  const until = performance.now() + milliseconds;
  const sendUntilTheEnd = async () => {
    while (performance.now() < until) {
      const { method, path, body, status } = next();
      const sent = request(new URL(path, url), { agent, method, headers });
      const responses = once(sent, 'response');
      sent.end(body);
      const [response] = await responses;
      response.resume();
      await once(response, 'end');
      if (response.statusCode !== status) throw new Error(`${path}: ${response.statusCode}`);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendUntilTheEnd));
  return count;
}
