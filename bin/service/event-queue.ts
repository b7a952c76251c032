import type { SQLOutputValue } from 'node:sqlite';
import { type Clock, DAY } from '../../functions/kernel/time.ts';
import type { Queue } from '../../functions/webhooks/stream/destinations.ts';
import { messageBody } from '../../functions/webhooks/stream/messages.ts';

export type Run = (
  statement: string,
  ...values: readonly (string | number | null)[]
) => Record<string, SQLOutputValue>[];

/** A message that was received. Others can receive it again after the visibility timeout. */
export interface ReceivedMessage {
  readonly receiptHandle: string;
  readonly receives: number;
  readonly body: string;
}

const READERS = ['publish', 'statistics'] as const;
export type ReaderName = (typeof READERS)[number];

/** How far a function has read a shard of a stream. */
export interface Position {
  readonly reader: ReaderName;
  readonly stream: string;
  readonly shard: string;
  /** The sequence number of the last handled record; empty for a shard that ended without records. */
  readonly sequence: string;
  readonly hasEnded: boolean;
}

/** In milliseconds, as on AWS. */
const VISIBILITY_TIMEOUT = 6 * 60_000;
/** Dead letters are kept for 14 days, as on AWS. In milliseconds. */
const RETENTION = 14 * DAY * 1000;

export const QUEUE_TABLES = `
  CREATE TABLE IF NOT EXISTS message (
    id INTEGER PRIMARY KEY AUTOINCREMENT, webhook TEXT NOT NULL, event TEXT NOT NULL, attempt INTEGER NOT NULL,
    visible_at INTEGER NOT NULL, receives INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL,
    UNIQUE (webhook, event, attempt)
  );
  CREATE INDEX IF NOT EXISTS visible ON message (webhook, visible_at);
  CREATE TABLE IF NOT EXISTS dead_letter (id INTEGER PRIMARY KEY, buried_at INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS reader_position (
    reader TEXT, stream TEXT, shard TEXT, sequence TEXT NOT NULL, ended INTEGER NOT NULL,
    PRIMARY KEY (reader, stream, shard)
  );
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

/** The queue of deliveries, dead letters, and the positions in the table's stream. It contains nothing about customers. */
export class EventQueue implements Queue {
  readonly #run: Run;
  readonly #clock: Clock;

  constructor(run: Run, clock: Clock) {
    this.#run = run;
    this.#clock = clock;
  }

  /** Adds messages. One with the same webhook, event and attempt is replaced, even if it is in flight. */
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

  receive(webhook: string): ReceivedMessage | undefined {
    const now = this.#clock();
    const [row] = this.#run(RECEIVE, now + VISIBILITY_TIMEOUT, webhook, now);
    return row && { receiptHandle: String(row['id']), receives: Number(row['receives']), body: String(row['body']) };
  }

  changeVisibility(receiptHandle: string, seconds: number): void {
    this.#run('UPDATE message SET visible_at = ? WHERE id = ?', this.#clock() + seconds * 1000, receiptHandle);
  }

  /** Makes all messages visible that a killed process had received. Only for the process that receives messages. */
  resetVisibility(): void {
    this.#run('UPDATE message SET visible_at = ? WHERE receives > 0', this.#clock());
  }

  delete(receiptHandle: string): void {
    this.#run('DELETE FROM message WHERE id = ?', receiptHandle);
  }

  /** Adds dead letters, which are JSON, and deletes dead letters older than 14 days. */
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

  positions(): Position[] {
    return this.#run('SELECT * FROM reader_position').flatMap(({ reader: name, stream, shard, sequence, ended }) => {
      const reader = READERS.find((each) => each === name);
      const place = { stream: String(stream), shard: String(shard), sequence: String(sequence) };
      return reader ? [{ reader, ...place, hasEnded: ended === 1 }] : [];
    });
  }

  /** Returns, for each shard in which every reader has a position, the lowest of these positions. */
  passedPositions(): Position[] {
    const byShard = Map.groupBy(this.positions(), ({ stream, shard }) => `${stream} ${shard}`);
    return [...byShard.values()].flatMap((positions) => {
      const [least] = positions.sort((one, other) => (BigInt(one.sequence) < BigInt(other.sequence) ? -1 : 1));
      return positions.length === READERS.length && least ? [least] : [];
    });
  }

  setPosition({ reader, stream, shard, sequence, hasEnded }: Position): void {
    const values = [reader, stream, shard, sequence, Number(hasEnded)];
    this.#run('INSERT OR REPLACE INTO reader_position VALUES (?, ?, ?, ?, ?)', ...values);
  }
}
