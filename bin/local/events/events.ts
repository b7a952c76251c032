import { setTimeout } from 'node:timers/promises';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { deliverHandler } from '../../../functions/events/deliver.ts';
import type { SetAside } from '../../../functions/events/destinations.ts';
import { publishHandler } from '../../../functions/events/publish.ts';
import { sender } from '../../../functions/events/send.ts';
import type { SecretReader } from '../../../functions/secrets/secrets.ts';
import type { Connection } from '../../../functions/table/dynamodb/connection.ts';
import { secretFiles } from '../../service/secret-files.ts';
import { EventsFile } from './file.ts';
import { Poller } from './poller.ts';
import { Positions } from './positions.ts';
import { LocalQueue } from './queue.ts';
import { Runner } from './runner.ts';
import { ChangeStream } from './stream.ts';

/** The table whose changes become events, and the folder of the queue and the secrets. */
export interface EventsSource {
  readonly connection: Connection;
  readonly endpoint: string;
  readonly tableName: string;
  readonly dataDir: string;
}

/**
 * Polling interval of the stream and the queue, in milliseconds. The command line adds messages to the queue, too.
 */
const INTERVAL = 200;
/** How long a stop waits for deliveries under way, in milliseconds. */
const GRACE = 1000;
/** Limit of each request to the table, in milliseconds. */
const REQUEST_LIMIT = 10_000;
/** A new endpoint gets the next event: the local service reads the endpoints each time. */
const UNCACHED = 0;

/**
 * Publishes and delivers the events of a table, as the stack does on AWS. Continues where the last start stopped.
 * Resolves to a function that stops it within about a second. Throws an error with one clear message if it cannot start.
 */
export async function startEvents(source: EventsSource): Promise<() => Promise<void>> {
  const { connection, endpoint, tableName, dataDir } = source;
  const { clock } = connection;
  const file = new EventsFile(dataDir);
  try {
    const stream = await ChangeStream.open(endpoint, tableName);
    const stopping = new AbortController();
    const { signal } = stopping;
    const queue = new LocalQueue(file, clock);
    const common = { table: connection.withLimit(REQUEST_LIMIT), webhookTtl: UNCACHED };
    const setAside: SetAside = async (changes) => {
      queue.addDeadLetters(changes);
      const lost = JSON.stringify(changes);
      console.error(`Changes could not be published: ${lost}. Repair the cause, then run \`webhook replay\`.`);
      return new Set();
    };
    const publish = publishHandler({ ...common, queue, setAside });
    const { deadLetters } = queue;
    const send = sender({ clock, allowLoopback: true });
    const deliver = deliverHandler({ ...common, retries: queue, deadLetters, secrets: patientSecrets(dataDir), send });
    const runner = new Runner(queue, deliver, reporter());
    const poller = new Poller({
      stream,
      positions: new Positions(file),
      publish,
      setAside,
      pause: (milliseconds) => setTimeout(milliseconds, undefined, { signal }),
    });
    const polling = repeat(signal, async () => {
      const isMore = await poller.poll();
      runner.dispatch();
      return isMore;
    });
    const dispatching = repeat(signal, async () => {
      runner.dispatch();
      return false;
    });
    return async () => {
      stopping.abort();
      const ended = new AbortController();
      const grace = setTimeout(GRACE, undefined, { signal: ended.signal }).catch(() => undefined);
      await runner.stop(grace);
      await Promise.race([Promise.all([polling, dispatching]), grace]);
      ended.abort();
      stream.close();
      file.close();
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Reads the secrets in `DATA_DIR`. Files that cannot be read postpone a delivery, as Parameter Store does on AWS. */
function patientSecrets(dataDir: string): SecretReader {
  const files = secretFiles(dataDir);
  return {
    read: (owner) =>
      files.read(owner).catch((error: unknown) => {
        // The name says which file, and what to do.
        throw new Unavailable(error, error instanceof Error ? error.name : undefined);
      }),
  };
}

/** Repeats work until the signal: at once if there is more, or else after a pause. Prints why it fails, and goes on. */
async function repeat(signal: AbortSignal, work: () => Promise<boolean>): Promise<void> {
  const report = reporter();
  while (!signal.aborted) {
    const isMore = await work().then(
      (more) => {
        report(undefined);
        return more;
      },
      (error: unknown) => {
        if (!signal.aborted) report(error);
        return false;
      },
    );
    if (!isMore) await setTimeout(INTERVAL, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns a function that prints an error, but not the same one twice in a row. */
function reporter(): (error: unknown) => void {
  let last: string | undefined;
  return (error) => {
    const message = error instanceof Error ? error.message || error.name : undefined;
    if (message !== undefined && message !== last) {
      console.error(
        `Events are delayed: ${message.replace(/\.$/, '')}. If this continues, check DynamoDB and the folder DATA_DIR.`,
      );
    }
    last = message;
  };
}
