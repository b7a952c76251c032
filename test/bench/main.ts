import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { replay } from '../support/stripe/replay.ts';
import { measureColdStarts } from './cold-starts.ts';
import { chartOf, withFigures } from './document.ts';
import { measureEvents } from './events.ts';
import { measureImport } from './import.ts';
import { measurePages } from './pages.ts';
import { VERSIONS } from './peers.ts';
import type { Measured, Row } from './report.ts';
import { measureThroughput } from './throughput.ts';
import { measureUnits } from './units.ts';

// npm run bench -- <name> …: measures, and writes the results into docs/benchmarks.json, and its figures and chart into
// docs/benchmarks.md. Without a name, measures everything. With `--quick`, measures less and only prints the results.

const BENCHMARKS: Readonly<Record<string, (isQuick: boolean) => Promise<Row[]>>> = {
  units: measureUnits,
  cold: (isQuick) => measureColdStarts(isQuick ? 1 : 7),
  pages: (isQuick) => measurePages(isQuick ? 10_000 : 1_000_000),
  throughput: (isQuick) => measureThroughput(isQuick ? 1000 : 10_000),
  import: (isQuick) => measureImport(isQuick ? 1000 : 10_000),
  events: (isQuick) => measureEvents(isQuick ? 5 : 300),
  ledger: (isQuick) => measureLedger(isQuick ? 1 : 1000),
};
const DOCS = join(import.meta.dirname, '../../docs');
const DATA = join(DOCS, 'benchmarks.json');
const DOCUMENT = join(DOCS, 'benchmarks.md');
const CHART = join(DOCS, 'benchmarks.svg');

/** Advocates of the ledger, and how many of them are in memory together. */
const [ADVOCATES, TOGETHER] = [1000, 20];

/** Replays generated invoices through the code of the service, and compares what it stores with an oracle. */
async function measureLedger(invoicesEach: number): Promise<Row[]> {
  const total = { 'rule sets': 0, 'events delivered': 0, entries: 0, statements: 0, sums: 0 };
  for (let seed = 0; seed < ADVOCATES / TOGETHER; seed += 1) {
    const { ruleSets, events, entries, statements, sums, differences } = await replay(TOGETHER, invoicesEach, seed);
    if (differences.length > 0) throw new Error(`Seed ${seed}: ${JSON.stringify(differences)}`);
    total['rule sets'] += ruleSets;
    total['events delivered'] += events;
    total.entries += entries;
    total.statements += statements;
    total.sums += sums;
  }
  return [{ invoices: invoicesEach * ADVOCATES, ...total, differences: 0 }];
}

/** The date, the machine, what else it did, and the versions. */
function environment(): string {
  const versions = Object.entries(VERSIONS).map(([name, version]) => `${name} ${version}`);
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model}), Node ${process.version}`;
  const others = `load average of other programs ${(loadavg()[0] ?? 0).toFixed(1)}`;
  return `${new Date().toISOString().slice(0, 10)}: ${machine}, ${others}; ${versions.join(', ')}`;
}

async function run(): Promise<void> {
  const options = { quick: { type: 'boolean', default: false } } as const;
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)) {
    const measure = BENCHMARKS[name];
    if (!measure) throw new Error(`No benchmark is called ${name}: choose ${Object.keys(BENCHMARKS).join(', ')}.`);
    const measured = environment();
    console.log(`${name} …`);
    const rows = await measure(values.quick);
    console.table(rows);
    if (values.quick) continue;
    const results: Record<string, Measured> = JSON.parse(readFileSync(DATA, 'utf8'));
    results[name] = { measured, rows };
    writeFileSync(DATA, `${JSON.stringify(results, undefined, 2)}\n`);
    writeFileSync(DOCUMENT, withFigures(readFileSync(DOCUMENT, 'utf8'), results));
    writeFileSync(CHART, chartOf(results));
  }
}

// The listeners of `exit` end PostgreSQL and the peers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await run();
