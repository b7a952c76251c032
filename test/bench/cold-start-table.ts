import { type ColdStart, coldStarts, DEPLOYED } from './cold-start.ts';
import { figure, type Report } from './report.ts';

const HEAD = [
  'operation',
  'build',
  'bundle, KB',
  'import, ms',
  'first request, ms',
  'CPU of both, ms',
  'CPU: the service / this build',
];

/** Measures cold starts of the service and of the libraries. */
export async function measureColdStarts(peers: string, processes: number): Promise<Report> {
  const starts = await coldStarts(peers, processes);
  const sorted = starts.toSorted((one, other) => one.operation.localeCompare(other.operation));
  const deployed = (operation: string) => starts.find((start) => start.operation === operation && isDeployed(start));
  const rows = sorted.map((start) => {
    const share = isDeployed(start) ? '' : ((deployed(start.operation)?.cpu ?? Number.NaN) / start.cpu).toFixed(2);
    const times = [start.init, start.request, start.cpu].map((time) => time.toFixed(0));
    return [start.operation, start.build, figure(Math.round(start.size / 1000)), ...times, share];
  });
  const comparisons = starts.flatMap((peer) => {
    const own = deployed(peer.operation);
    if (!own || isDeployed(peer)) return [];
    const of = (name: string) => `${name} of a cold start: ${peer.operation}`;
    return [
      { figure: of('CPU'), unit: 'ms', here: own.cpu, there: peer.cpu, peer: peer.build },
      { figure: of('import'), unit: 'ms', here: own.init, there: peer.init, peer: peer.build },
      { figure: of('bundle'), unit: 'KB', here: own.size / 1000, there: peer.size / 1000, peer: peer.build },
    ];
  });
  return { sections: [{ name: 'cold-start', head: HEAD, rows }], comparisons };
}

const isDeployed = ({ build }: ColdStart) => build === DEPLOYED;
