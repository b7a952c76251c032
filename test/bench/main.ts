import { availableParallelism } from 'node:os';
import CliTable from 'cli-table3';
import { startEngine } from '../../bin/local/engine.ts';
import { createMissingTable } from '../../functions/table/operator/create-table.ts';
import { openWithin } from '../support/table.ts';
import { capacities } from './capacity.ts';
import { coldStarts } from './cold-start.ts';
import { coldStartTable } from './cold-start-table.ts';
import { importAndExport } from './import.ts';
import { stackCost } from './stack.ts';
import { startUpTimes } from './start-up.ts';

// Prints the figures of docs/design.md. Capacities are counted and are the same everywhere; times depend on this machine.

/** Lines of the file to import: `npm run bench -- 1000000` measures a large one. */
const LINES = Number(process.argv[2] ?? 100_000);

console.log('Measuring the middy stack …');
const stack = await stackCost();

console.log('Counting requests and capacity …');
const engine = await startEngine();
const table = openWithin(undefined, 'bench', engine.endpoint);
await createMissingTable(table);
const measured = await capacities(table);
await engine.stop();

console.log('Bundling and cold-starting each function …');
const starts = await coldStarts();

console.log('Starting the service …');
const startUp = await startUpTimes();

console.log(`Importing ${LINES.toLocaleString('en')} referrals and exporting them …`);
const { imported, importedWithPreset, exported } = await importAndExport(LINES);

const style = { head: [], border: [], compact: true };
const capacity = new CliTable({ head: ['operation', 'requests', 'read units', 'write units'], style });
for (const { operation, requests, readUnits, writeUnits } of measured) {
  capacity.push([operation, requests, readUnits, writeUnits]);
}
const times = new CliTable({
  head: [`time, on ${availableParallelism()} cores with Node ${process.version}`, ''],
  style,
});
times.push(['middy stack with validation, per call', `${stack.toFixed(1)} µs`]);
times.push(['npm start until it is ready, the first time', `${startUp.first.toFixed(0)} ms`]);
times.push(['npm start until it is ready, later', `${startUp.next.toFixed(0)} ms`]);
const runs = { import: imported, 'import --from firstpromoter': importedWithPreset, export: exported };
for (const [name, { perSecond, memory }] of Object.entries(runs)) {
  const rate = `${Math.round(perSecond).toLocaleString('en')}/s in at most ${Math.round(memory / 1e6)} MB`;
  times.push([`referral ${name} of ${LINES.toLocaleString('en')} referrals, with the embedded engine in memory`, rate]);
}
const share = importedWithPreset.perSecond / imported.perSecond;
times.push(['speed of the import with a preset, compared with the one without', share.toFixed(2)]);
console.log(`${capacity}\n${coldStartTable(starts)}\n${times}`);
