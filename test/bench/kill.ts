import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import CliTable from 'cli-table3';
import { anEventScene, convert, type EventScene, VerifyingReceiver } from '../support/events/event-service.ts';
import { end, type Started, start } from '../support/start.ts';

// Kills npm start between changes and their deliveries, and counts the events that get lost: `npm run bench:events`.
// Then it measures the time from a change to its delivery, without kills.

const KILLS = Number(process.argv[2] ?? 300);
/** Simultaneous changes before each kill. */
const CHANGES = 3;
/** Kills come at a random moment in this many milliseconds: before, during and after the deliveries. */
const LATEST_KILL = 400;
/** Changes of the measurement, a few at a time, and their longest distance in milliseconds. */
const MEASURED = 300;
const LONGEST_DISTANCE = 50;
/** How long the last events may take, in milliseconds. What has not arrived by then is lost. */
const LAST_WAIT = 60_000;

const folder = await mkdtemp(join(tmpdir(), 'bench-kill-'));
const environment = { DATA_DIR: folder, DEMO: 'off' };
const receiver = new VerifyingReceiver();
const url = await receiver.listen();
try {
  const first = await start(environment);
  const scene = await anEventScene(folder, url);
  const killed = await killRepeatedly(first, scene);
  const times = await changeToDelivery(killed.running, scene);
  await end(killed.running, 'SIGTERM');
  const table = new CliTable({ style: { head: [], border: [], compact: true } });
  table.push(
    ['kills', KILLS],
    ['changes', killed.expected.length],
    ['kills before the delivery of a change', killed.early],
    ['events lost', killed.lost],
    ['events delivered more than once', killed.repeated],
    ['events with an id that no change has', killed.unknown],
    ['deliveries with an invalid signature', receiver.faults.length],
    [`change to delivery of ${times.length} changes, p50`, `${quantile(times, 0.5)} ms`],
    ['p99', `${quantile(times, 0.99)} ms`],
  );
  console.log(`${table}`);
} finally {
  receiver.close();
  await rm(folder, { recursive: true });
}

async function killRepeatedly(first: Started, scene: EventScene) {
  let running = first;
  let early = 0;
  const expected: string[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const converted = await Promise.all(Array.from({ length: CHANGES }, () => convert(running, scene)));
    expected.push(...converted.map(({ event }) => event));
    await setTimeout(Math.random() * LATEST_KILL);
    const delivered = new Set(receiver.received.map(({ id }) => id));
    if (converted.some(({ event }) => !delivered.has(event))) early += 1;
    const { exitCode } = running.process;
    if (exitCode !== null) throw new Error(`The service ended before kill ${kill}, with status ${exitCode}.`);
    await end(running, 'SIGKILL');
    running = await start(environment);
    if (kill % 10 === 0) console.error(`${kill} kills`);
  }
  await Promise.race([
    Promise.all(expected.map((event) => receiver.waitFor(event))),
    setTimeout(LAST_WAIT, undefined, { ref: false }),
  ]);
  const delivered = receiver.received.map(({ id }) => id);
  const ids = new Set(delivered);
  const lost = expected.filter((event) => !ids.has(event)).length;
  const unknown = [...ids].filter((id) => !expected.includes(id)).length;
  return { running, early, expected, lost, unknown, repeated: delivered.length - ids.size };
}

/** Measures the milliseconds from the response to a change to the arrival of its event. */
async function changeToDelivery(running: Started, scene: EventScene): Promise<number[]> {
  const changes: { event: string; changedAt: number }[] = [];
  for (let n = 0; n < MEASURED; n += 1) {
    const { event } = await convert(running, scene);
    changes.push({ event, changedAt: Date.now() });
    await setTimeout(Math.random() * LONGEST_DISTANCE);
  }
  for (const { event } of changes) await receiver.waitFor(event);
  const arrivals = new Map(receiver.received.map(({ id, at }) => [id, at]));
  return changes.map(({ event, changedAt }) => (arrivals.get(event) ?? Number.NaN) - changedAt).sort((a, b) => a - b);
}

/** The quantile of sorted numbers. */
function quantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.ceil(sorted.length * share) - 1];
}
