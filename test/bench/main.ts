import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureColdStarts } from './cold-start-table.ts';
import { type MeasuredList, measurePages, pagesOf } from './pages.ts';
import { PER_PAGE } from './pages-here.ts';
import { Missing, peerFolder, VERSIONS } from './peer-folder.ts';
import { startPostgres } from './postgres.ts';
import { markdownTable, type Report, slowerHere, splice } from './report.ts';
import { measureThroughput } from './throughput.ts';
import { measureTimes } from './times.ts';
import { measureUnits } from './units.ts';

// npm run bench: measures the service beside its peers, and writes tables and chart into docs/benchmarks.md. With
// `--quick`, measures less and only prints the tables. With `--rows 1000000`, also measures the pages of a longer list.
// Capacities are counted and are the same everywhere; times depend on the machine.

const { quick: isQuick, rows } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, rows: { type: 'string' } },
}).values;
const DOCS = join(import.meta.dirname, '../../docs');
const [DOCUMENT, CHART] = [join(DOCS, 'benchmarks.md'), join(DOCS, 'benchmarks.svg')];
const SCALE = isQuick
  ? { lines: 3000, processes: 3, list: 10_000, load: { connections: 16, seconds: 2, warmUp: 1 } }
  : { lines: 10_000, processes: 7, list: 100_000, load: { connections: 16, seconds: 10, warmUp: 3 } };
const LONG_LIST = 1_000_000;

/** The lists whose pages are measured: the usual length, and the length in `--rows`. */
function listsOf(option: string | undefined): MeasuredList[] {
  const asked = Number(option ?? SCALE.list);
  if (!Number.isSafeInteger(asked) || asked < PER_PAGE) {
    throw new Missing(`--rows must be a whole number of at least ${PER_PAGE}.`);
  }
  return [...new Set([SCALE.list, asked])].map((count) => ({ rows: count, pages: pagesOf(count) }));
}

/** Says what was not measured. */
function notRun(lists: readonly MeasuredList[]): string {
  if (lists.some((list) => list.rows >= LONG_LIST)) return 'Everything was measured.';
  return 'A list of 1,000,000 rows was not measured: `npm run bench -- --rows 1000000` also measures its pages.';
}

/** The machine, what else it did, the versions and the date of this run. */
function environmentOf(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const versions = Object.entries(VERSIONS).map(([name, version]) => `${name} ${version}`);
  const machine = `${availableParallelism()} cores (${model}), Node ${process.version}`;
  const [minute = 0] = loadavg();
  const others = `When the run started, other programs made a load average of ${minute.toFixed(1)}`;
  const command = `npm run bench${rows === undefined ? '' : ` -- --rows ${rows}`}`;
  return `\`${command}\` measured on ${new Date().toISOString().slice(0, 10)} with ${machine}; ${versions.join(', ')}. ${others}.`;
}

/** Prints a report as soon as it is measured, because the run takes minutes. */
function printed<Measured extends Report>(report: Measured): Measured {
  for (const section of report.sections) console.log(`\n${section.name}\n${markdownTable(section)}\n`);
  return report;
}

async function run(): Promise<void> {
  const lists = listsOf(rows);
  const environment = environmentOf();
  const peers = peerFolder();
  console.log('Counting requests and capacity …');
  const reports: Report[] = [printed(await measureUnits(peers))];
  console.log('Bundling and cold-starting the functions …');
  reports.push(printed(await measureColdStarts(peers, SCALE.processes)));
  console.log('Reading pages …');
  const postgres = await startPostgres(peers);
  let pages: Awaited<ReturnType<typeof measurePages>>;
  try {
    pages = printed(await measurePages(postgres, lists));
    console.log('Sending requests over HTTP …');
    reports.push(pages, printed(await measureThroughput(peers, postgres, SCALE.load)));
  } finally {
    await postgres.stop();
  }
  console.log('Starting the service, importing and exporting …');
  reports.push(printed(await measureTimes(SCALE.lines)));
  const slower = slowerHere(reports.flatMap(({ comparisons }) => comparisons));
  reports.push(printed({ sections: [slower], comparisons: [] }));
  if (isQuick) return;

  let document = splice(readFileSync(DOCUMENT, 'utf8'), { name: 'environment' }, environment);
  for (const section of reports.flatMap(({ sections }) => sections)) {
    if (!section.isOnlyPrinted) document = splice(document, section, markdownTable(section));
  }
  document = splice(document, { name: 'not-run' }, notRun(lists));
  document = splice(document, { name: 'chart' }, '![What a page costs, by its number](benchmarks.svg)');
  writeFileSync(DOCUMENT, document);
  writeFileSync(CHART, pages.svg);
}

// The listeners of `exit` end PostgreSQL and the peers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
try {
  await run();
} catch (error) {
  if (!(error instanceof Missing)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
