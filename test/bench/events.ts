import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { anEventScene, convert, VerifyingReceiver } from '../support/events/event-service.ts';
import { end, start } from '../support/start.ts';
import type { Row } from './report.ts';

/** Simultaneous changes before each kill. */
const CHANGES = 3;
/** Kills come at a random moment in this many milliseconds: before, during and after the deliveries. */
const LATEST_KILL = 400;
/** How long the last events may take, in milliseconds. What has not arrived by then is lost. */
const LAST_WAIT = 60_000;

/** Kills `npm start` between changes and their deliveries, and counts events. */
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
    return [
      {
        kills,
        changes: expected.size,
        'kills before the delivery of a change': early,
        'events lost': [...expected].filter((id) => !delivered.has(id)).length,
        'events delivered more than once': ids.length - delivered.size,
        'events with an unknown id': [...delivered].filter((id) => !expected.has(id)).length,
        'deliveries with an invalid signature': receiver.faults.length,
      },
    ];
  } finally {
    await end(running, 'SIGTERM');
    receiver.close();
    await rm(folder, { recursive: true });
  }
}
