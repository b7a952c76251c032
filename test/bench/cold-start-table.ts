import CliTable from 'cli-table3';
import type { ColdStart } from './cold-start.ts';

const HEAD = ['function', 'bundle', 'KB', 'import, ms', 'first request, ms', 'sum, ms', 'request', 'sum'];

/** Formats cold starts as a table. The last two columns are the deployed bundle's share of each naive one's time. */
export function coldStartTable(starts: readonly ColdStart[]): string {
  const table = new CliTable({ head: HEAD, style: { head: [], border: [], compact: true } });
  for (const start of starts) {
    const { name, build, size, init, request, sum } = start;
    const deployed = starts.find((other) => other.name === name && other.build === 'deployed');
    const shares =
      build === 'deployed' || !deployed
        ? ['', '']
        : [deployed.request / request, deployed.sum / sum].map((share) => share.toFixed(2));
    const figures = [Math.round(size / 1000), ...[init, request, sum].map((time) => time.toFixed(0))];
    table.push([name, build, ...figures, ...shares]);
  }
  return table.toString();
}
