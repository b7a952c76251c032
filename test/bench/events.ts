import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { anEventScene, convert, type EventScene, VerifyingReceiver } from '../support/events/event-service.ts';
import { end, type Started, start } from '../support/start.ts';
import { quantile, type Row } from './report.ts';

/** Simultaneous changes before each kill. */
const CHANGES = 3;
/** Kills come at a random moment in this many milliseconds: before, during and after the deliveries. */
const LATEST_KILL = 400;
/** The longest distance in milliseconds between the changes whose delivery is timed. */
const LONGEST_DISTANCE = 50;
/** How long the last events may take, in milliseconds. What has not arrived by then is lost. */
const LAST_WAIT = 60_000;

/** Kills `npm start` between changes and their deliveries, and counts events. Then times deliveries without kills. */
export async function measureEvents(kills: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-events-'));
  const environment = { DATA_DIR: folder, DEMO: 'off' };
  const receiver = new VerifyingReceiver();
  const url = await receiver.listen();
  let running = await start(environment);
  try {
    const scene = await anEventScene(folder, url);
    let early = 0;
    const expected = new Set<string>();
    for (let kill = 0; kill < kills; kill += 1) {
      const changes = await Promise.all(Array.from({ length: CHANGES }, () => convert(running, scene)));
      for (const { event } of changes) expected.add(event);
      await setTimeout(Math.random() * LATEST_KILL);
      const delivered = new Set(receiver.received.map(({ id }) => id));
      if (changes.some(({ event }) => !delivered.has(event))) early += 1;
      if (running.process.exitCode !== null) throw new Error('The service ended before it was killed.');
      await end(running, 'SIGKILL');
      running = await start(environment);
    }
    const arrivals = Promise.all([...expected].map((event) => receiver.waitFor(event)));
    await Promise.race([arrivals, setTimeout(LAST_WAIT, undefined, { ref: false })]);
    const ids = receiver.received.map(({ id }) => id);
    const delivered = new Set(ids);
    const counted = {
      kills,
      changes: expected.size,
      'kills before the delivery of a change': early,
      'events lost': [...expected].filter((id) => !delivered.has(id)).length,
      'events delivered more than once': ids.length - delivered.size,
      'events with an unknown id': [...delivered].filter((id) => !expected.has(id)).length,
    };
    const times = await timesOf(running, scene, receiver, kills);
    return [
      {
        ...counted,
        'deliveries with an invalid signature': receiver.faults.length,
        'change to delivery, p50, ms': quantile(times, 0.5),
        'change to delivery, p99, ms': quantile(times, 0.99),
      },
    ];
  } finally {
    await end(running, 'SIGTERM');
    receiver.close();
    await rm(folder, { recursive: true });
  }
}

/** Measures the milliseconds from the response to a change to the arrival of its event. */
async function timesOf(running: Started, scene: EventScene, receiver: VerifyingReceiver, count: number) {
  const changes: { event: string; changedAt: number }[] = [];
  for (let change = 0; change < count; change += 1) {
    const { event } = await convert(running, scene);
    changes.push({ event, changedAt: Date.now() });
    await setTimeout(Math.random() * LONGEST_DISTANCE);
  }
  await Promise.all(changes.map(({ event }) => receiver.waitFor(event)));
  const arrivals = new Map(receiver.received.map(({ id, at }) => [id, at]));
  return changes.map(({ event, changedAt }) => (arrivals.get(event) ?? Number.NaN) - changedAt);
}
