import { join } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type Clock, DAY } from '../../functions/domain/time.ts';
import type { Queue } from '../../functions/events/destinations.ts';
import { messageBody } from '../../functions/events/messages.ts';

/** A message that was received. Others can receive it again after the visibility timeout. */
export interface ReceivedMessage {
  readonly receiptHandle: string;
  /** How often the message was received, including this time. */
  readonly receives: number;
  /** A `DeliveryMessage`, as `messageBody` writes it. */
  readonly body: string;
}

/** How far a shard of a stream was published. */
export interface Position {
  readonly stream: string;
  readonly shard: string;
  /** The sequence number of the last published record; empty for a shard that ended without records. */
  readonly sequence: string;
  readonly hasEnded: boolean;
}

/** Longest wait for another process that is writing, in milliseconds. A write takes less than one. */
const BUSY_LIMIT = 10_000;
/** In milliseconds, as on AWS. */
const VISIBILITY_TIMEOUT = 6 * 60_000;
/** Dead letters are kept for 14 days, as on AWS. In milliseconds. */
const RETENTION = 14 * DAY * 1000;

// With NORMAL, a write survives the death of the process (https://www.sqlite.org/wal.html#performance_considerations). A
// power failure can undo the last writes, but the position together with all messages after it: the stream repeats them.
// SQLite opens files that are not writable. Only setting the version always writes.
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS message (
    id INTEGER PRIMARY KEY AUTOINCREMENT, webhook TEXT NOT NULL, event TEXT NOT NULL, attempt INTEGER NOT NULL,
    visible_at INTEGER NOT NULL, receives INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL,
    UNIQUE (webhook, event, attempt)
  );
  CREATE INDEX IF NOT EXISTS visible ON message (webhook, visible_at);
  CREATE TABLE IF NOT EXISTS dead_letter (id INTEGER PRIMARY KEY, buried_at INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS position (
    stream TEXT, shard TEXT, sequence TEXT NOT NULL, ended INTEGER NOT NULL, PRIMARY KEY (stream, shard)
  );
  PRAGMA user_version = 1;
  COMMIT;
`;
const SEND = `
  INSERT OR REPLACE INTO message (webhook, event, attempt, visible_at, body)
  SELECT value ->> 'webhook', value ->> 'event', value ->> 'attempt', value ->> 'visibleAt', value ->> 'body'
  FROM json_each(?)
`;
const RECEIVE = `
  UPDATE message SET visible_at = ?, receives = receives + 1 WHERE id = (
    SELECT id FROM message WHERE webhook = ? AND visible_at <= ? ORDER BY visible_at, id LIMIT 1
  )
  RETURNING id, receives, body
`;

/** Opens an SQLite file. `timeout` limits the wait for another process that is writing, in milliseconds. */
export function openDatabase(file: string, timeout: number): DatabaseSync {
  // Loaded here, because some releases of Node 24 print a warning that SQLite is experimental.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  return new DatabaseSync(file, { timeout });
}

/**
 * The file `events.sqlite` in `DATA_DIR`: the queue of deliveries, dead letters, and the positions in the table's stream.
 * Several processes can use it simultaneously. It contains nothing about customers. Every method throws an error with one
 * clear message if the file cannot be used.
 */
export class EventsFile implements Queue {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #database: DatabaseSync;

  /** Opens the file, or creates it. */
  constructor(dataDir: string, clock: Clock) {
    this.#file = join(dataDir, 'events.sqlite');
    this.#clock = clock;
    this.#database = this.#guard(() => openDatabase(this.#file, BUSY_LIMIT));
    this.#guard(() => this.#database.exec(SCHEMA));
  }

  /**
   * Adds messages. A message with the same webhook, event and attempt is replaced. If that one is in flight, deleting it
   * does not delete the new one.
   */
  async send(messages: Parameters<Queue['send']>[0]): Promise<ReadonlySet<number>> {
    const rows = messages.map(({ message, delay }) => {
      const { webhook, event, attempt } = message;
      const visibleAt = this.#clock() + delay * 1000;
      return { webhook, event: event.id, attempt, visibleAt, body: messageBody(message) };
    });
    this.#run(SEND, JSON.stringify(rows));
    return new Set();
  }

  /** Lists the ids of the webhooks that have messages, by the index. `SELECT DISTINCT` would read every message. */
  webhooks(): string[] {
    const webhooks: string[] = [];
    const next = () =>
      this.#run('SELECT min(webhook) AS id FROM message WHERE webhook > ?', webhooks.at(-1) ?? '')[0]?.['id'];
    for (let id = next(); typeof id === 'string'; id = next()) webhooks.push(id);
    return webhooks;
  }

  /** Receives the visible message of a webhook that has waited longest. */
  receive(webhook: string): ReceivedMessage | undefined {
    const now = this.#clock();
    const [row] = this.#run(RECEIVE, now + VISIBILITY_TIMEOUT, webhook, now);
    return row && { receiptHandle: String(row['id']), receives: Number(row['receives']), body: String(row['body']) };
  }

  /** Makes a received message visible again after some seconds. */
  changeVisibility(receiptHandle: string, seconds: number): void {
    this.#run('UPDATE message SET visible_at = ? WHERE id = ?', this.#clock() + seconds * 1000, receiptHandle);
  }

  /** Makes all messages visible that a killed process had received. Only for the process that receives messages. */
  resetVisibility(): void {
    this.#run('UPDATE message SET visible_at = ? WHERE receives > 0', this.#clock());
  }

  /** Deletes a received message. */
  delete(receiptHandle: string): void {
    this.#run('DELETE FROM message WHERE id = ?', receiptHandle);
  }

  /** Adds dead letters, which are JSON, and deletes those that are older than 14 days. */
  async addDeadLetters(letters: readonly string[]): Promise<ReadonlySet<number>> {
    const now = this.#clock();
    this.#run(
      'INSERT INTO dead_letter (buried_at, body) SELECT ?, value FROM json_each(?)',
      now,
      JSON.stringify(letters),
    );
    this.#run('DELETE FROM dead_letter WHERE buried_at < ?', now - RETENTION);
    return new Set();
  }

  /** Returns the positions in all shards of all streams. */
  positions(): Position[] {
    return this.#run('SELECT * FROM position').map(({ stream, shard, sequence, ended }) => {
      return { stream: String(stream), shard: String(shard), sequence: String(sequence), hasEnded: ended === 1 };
    });
  }

  setPosition({ stream, shard, sequence, hasEnded }: Position): void {
    this.#run('INSERT OR REPLACE INTO position VALUES (?, ?, ?, ?)', stream, shard, sequence, Number(hasEnded));
  }

  /** Closes the file. */
  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]();
  }

  /** Runs one statement, which is a transaction of its own. */
  #run(statement: string, ...values: readonly (string | number)[]): Record<string, SQLOutputValue>[] {
    return this.#guard(() => this.#database.prepare(statement).all(...values));
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : 'unknown error';
      throw new Error(
        `The queue of events ${this.#file} cannot be used (${reason}). If it is damaged, move it away and send its events again with webhook replay. Otherwise, make it writable.`,
        { cause },
      );
    }
  }
}
