import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/** How long a process waits for another one that is writing, in milliseconds. A write takes less than one. */
const BUSY_LIMIT = 10_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS message (
    id INTEGER PRIMARY KEY AUTOINCREMENT, webhook TEXT NOT NULL, event TEXT NOT NULL, attempt INTEGER NOT NULL,
    visible_at INTEGER NOT NULL, in_flight INTEGER NOT NULL DEFAULT 0, receives INTEGER NOT NULL DEFAULT 0,
    body TEXT NOT NULL, UNIQUE (webhook, event, attempt)
  );
  CREATE INDEX IF NOT EXISTS visible ON message (webhook, visible_at);
  -- The index of earlier versions.
  DROP INDEX IF EXISTS due;
  CREATE TABLE IF NOT EXISTS dead_letter (id INTEGER PRIMARY KEY, buried_at INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS position (
    stream TEXT, shard TEXT, sequence TEXT NOT NULL, ended INTEGER NOT NULL, PRIMARY KEY (stream, shard)
  );
  -- Not only the version of this schema: SQLite opens a file that is not writable, and only this statement always writes.
  PRAGMA user_version = 1;
`;

/** Opens an SQLite file. `timeout` limits the wait for another process that is writing, in milliseconds. */
export function openDatabase(file: string, timeout: number): DatabaseSync {
  // Loaded here, because some releases of Node 24 print a warning that SQLite is experimental.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  return new DatabaseSync(file, { timeout });
}

/** The file cannot be used. The message says what to do. */
class UnusableFile extends Error {
  constructor(file: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : 'unknown error';
    super(
      `The queue of events ${file} cannot be used (${reason}). If it is damaged, move it away and send its events again with webhook replay. Otherwise, make it writable.`,
      { cause },
    );
    this.name = 'UnusableFile';
  }
}

/**
 * The file `events.sqlite` in `DATA_DIR`: pending deliveries, dead letters, and the position in the stream of changes.
 * Several processes can use it at once. It contains nothing about customers.
 */
export class EventsFile {
  readonly #file: string;
  readonly #database: DatabaseSync;

  /** Opens the file, or creates it. Throws an error with one clear message if it cannot be used. */
  constructor(dataDir: string) {
    this.#file = join(dataDir, 'events.sqlite');
    this.#database = this.#guard(() => openDatabase(this.#file, BUSY_LIMIT));
    try {
      // With NORMAL, a write survives the death of the process (https://www.sqlite.org/wal.html#performance_considerations).
      // A power failure may undo the last writes, but only all writes since a moment: the position is in the same file
      // as the messages, so that their changes are then read from the stream again.
      this.#guard(() => this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL'));
      this.write((database) => database.exec(SCHEMA));
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Reads. Throws an error with one clear message if the file cannot be used. */
  read<Result>(work: (database: DatabaseSync) => Result): Result {
    return this.#guard(() => work(this.#database));
  }

  /** Writes in one transaction: all of the work or, if it throws, none. Throws as `read` does. */
  write<Result>(work: (database: DatabaseSync) => Result): Result {
    return this.#guard(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        const result = work(this.#database);
        this.#database.exec('COMMIT');
        return result;
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw new UnusableFile(this.#file, error);
    }
  }
}
