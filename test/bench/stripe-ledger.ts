import { replay } from '../support/stripe/replay.ts';

// Replays generated invoices of 1,000 advocates in 3 currencies through the code of the service, on a table in memory,
// and compares the entries and the statements of every advocate, currency and month with an oracle:
// `npm run bench:ledger -- 100000`. Its seeds are fixed.

const ADVOCATES = 1000;
/** Advocates whose items are in memory together. */
const TOGETHER = 20;

const invoices = Number(process.argv[2] ?? ADVOCATES);
const each = Math.ceil(invoices / ADVOCATES);
const startedAt = performance.now();
const totals = { invoices: each * ADVOCATES, events: 0, entries: 0, statements: 0, differences: 0 };
for (let seed = 0; seed < ADVOCATES / TOGETHER; seed += 1) {
  const { events, entries, statements, differences } = await replay(TOGETHER, each, seed);
  totals.events += events;
  totals.entries += entries;
  totals.statements += statements;
  totals.differences += differences.length;
  for (const difference of differences) console.error(JSON.stringify(difference));
}
const { user, system } = process.cpuUsage();
const seconds = Math.round((performance.now() - startedAt) / 1000);
const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ ...totals, seconds, cpuSeconds: Math.round((user + system) / 1e6), megabytes }));
process.exitCode = totals.differences === 0 ? 0 : 1;
