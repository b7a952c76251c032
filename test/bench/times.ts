import { type BulkRun, importAndExport } from './import.ts';
import type { Report } from './report.ts';
import { stackCost } from './stack.ts';
import { startUpTimes } from './start-up.ts';

/** Measures the middy stack, `npm start`, and the import and the export of `lines` referrals. */
export async function measureTimes(lines: number): Promise<Report> {
  const stack = await stackCost();
  const startUp = await startUpTimes();
  const { imported, importedWithPreset, exported } = await importAndExport(lines);
  const bulk = ({ perSecond, memory }: BulkRun) =>
    `${Math.round(perSecond).toLocaleString('en')} a second, in at most ${Math.round(memory / 1e6)} MB`;
  const count = lines.toLocaleString('en');
  const rows = [
    ['middy stack with validation, per call', `${stack.toFixed(1)} µs`],
    ['`npm start` until it is ready, the first time', `${startUp.first.toFixed(0)} ms`],
    ['`npm start` until it is ready, later', `${startUp.next.toFixed(0)} ms`],
    [`\`referral import\` of ${count} referrals`, bulk(imported)],
    [`\`referral import --from firstpromoter\` of ${count} referrals`, bulk(importedWithPreset)],
    [`\`referral export\` of ${count} referrals`, bulk(exported)],
  ];
  return { sections: [{ name: 'times', head: ['figure', 'measured'], rows }], comparisons: [] };
}
