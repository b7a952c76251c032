import { type Clock, DAY } from '../../../functions/domain/time.ts';
import type { DeliveryMessage, Queue } from '../../../functions/events/destinations.ts';
import { messageBody } from '../../../functions/events/messages.ts';
import type { EventsFile } from './file.ts';

/** A message that was handed out. It is hidden for six minutes, unless it is released before. */
export interface ReceivedMessage {
  /** Identifies the message in the queue: an event that is queued again has another one. */
  readonly receipt: number;
  /** How often the message was handed out, this time included. */
  readonly receives: number;
  /** A `DeliveryMessage`, as `messageBody` writes it. */
  readonly body: string;
}

/** How long a message that was handed out is hidden, in milliseconds, as on AWS. */
const VISIBILITY = 6 * 60_000;
/** Dead letters are kept for 14 days, as on AWS. In milliseconds. */
const RETENTION = 14 * DAY * 1000;

/**
 * Steps from each endpoint to the next by the index. `SELECT DISTINCT` would read every message.
 * https://www.sqlite.org/lang_with.html#rcex1
 */
const ENDPOINTS = `
  WITH RECURSIVE endpoint (webhook) AS (
    SELECT min(webhook) FROM message
    UNION ALL
    SELECT (SELECT min(message.webhook) FROM message WHERE message.webhook > endpoint.webhook)
    FROM endpoint WHERE endpoint.webhook IS NOT NULL
  )
  SELECT webhook FROM endpoint WHERE webhook IS NOT NULL
`;
const TAKE = `
  UPDATE message SET in_flight = 1, visible_at = ?, receives = receives + 1 WHERE id IN (
    SELECT id FROM message WHERE webhook = ? AND visible_at <= ? ORDER BY visible_at, id LIMIT ?
  )
  RETURNING id, receives, body
`;

/** The queue of deliveries on this machine. It delays and hides messages as the queue on AWS does, and survives the process. */
export class LocalQueue implements Queue {
  readonly #file: EventsFile;
  readonly #clock: Clock;

  constructor(file: EventsFile, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  /**
   * Adds messages. A message that is pending already (same endpoint, event and attempt) is replaced, and so is stored
   * once. If it is in flight, the new one remains when the one in flight is deleted.
   */
  async send(
    messages: readonly { readonly message: DeliveryMessage; readonly delay: number }[],
  ): Promise<ReadonlySet<number>> {
    this.#file.write((database) => {
      const insert = database.prepare(
        'INSERT OR REPLACE INTO message (webhook, event, attempt, visible_at, body) VALUES (?, ?, ?, ?, ?)',
      );
      for (const { message, delay } of messages) {
        const { webhook, event, attempt } = message;
        insert.run(webhook, event.id, attempt, this.#clock() + delay * 1000, messageBody(message));
      }
    });
    return new Set();
  }

  /** The queue of the messages whose attempts are used up. */
  get deadLetters(): Queue {
    return {
      send: async (messages) => {
        this.addDeadLetters(messages.map(({ message }) => message));
        return new Set();
      },
    };
  }

  /** Adds dead letters of any shape, and deletes those that are older than 14 days. */
  addDeadLetters(letters: readonly object[]): void {
    this.#file.write((database) => {
      const now = this.#clock();
      database.prepare('DELETE FROM dead_letter WHERE buried_at < ?').run(now - RETENTION);
      const insert = database.prepare('INSERT INTO dead_letter (buried_at, body) VALUES (?, ?)');
      for (const letter of letters) insert.run(now, JSON.stringify(letter));
    });
  }

  /** Moves a message to the dead letters. */
  moveToDeadLetters(receipt: number): void {
    this.#file.write((database) => {
      const move = 'INSERT INTO dead_letter (buried_at, body) SELECT ?, body FROM message WHERE id = ?';
      database.prepare(move).run(this.#clock(), receipt);
      database.prepare('DELETE FROM message WHERE id = ?').run(receipt);
    });
  }

  /** Returns the bodies of the dead letters, oldest first, as JSON. */
  deadLetterBodies(): string[] {
    return this.#file.read((database) =>
      database
        .prepare('SELECT body FROM dead_letter ORDER BY id')
        .all()
        .map(({ body }) => String(body)),
    );
  }

  /** Returns the ids of the endpoints that have messages, due or not. */
  endpoints(): string[] {
    return this.#file.read((database) =>
      database
        .prepare(ENDPOINTS)
        .all()
        .map(({ webhook }) => String(webhook)),
    );
  }

  /**
   * Hands out at most `limit` due messages of an endpoint, those that have waited longest. A message that is neither
   * deleted nor released in time, because the file was locked, is due again.
   */
  take(webhook: string, limit: number): ReceivedMessage[] {
    const now = this.#clock();
    return this.#file.write((database) =>
      database
        .prepare(TAKE)
        .all(now + VISIBILITY, webhook, now, limit)
        .map(({ id, receives, body }) => ({ receipt: Number(id), receives: Number(receives), body: String(body) })),
    );
  }

  /** Deletes a message that was delivered or sent again. */
  delete(receipt: number): void {
    this.#file.write((database) => database.prepare('DELETE FROM message WHERE id = ?').run(receipt));
  }

  /** Releases a message: it is handed out again after `delay` seconds. */
  release(receipt: number, delay: number): void {
    this.#file.write((database) =>
      database
        .prepare('UPDATE message SET in_flight = 0, visible_at = ? WHERE id = ?')
        .run(this.#clock() + delay * 1000, receipt),
    );
  }

  /** Releases all messages that a killed process had in flight. Only for the process that takes messages. */
  releaseAll(): void {
    this.#file.write((database) =>
      database.prepare('UPDATE message SET in_flight = 0, visible_at = ? WHERE in_flight = 1').run(this.#clock()),
    );
  }
}
