import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { SecretStore } from '../../functions/kernel/secrets/secrets.ts';
import { type Clock, milliseconds, systemClock } from '../../functions/kernel/time.ts';
import { EMAIL_QUEUE_TABLES, emailQueue, type LocalEmailQueue } from './email-queue.ts';
import { EventQueue, QUEUE_TABLES, type Run } from './event-queue.ts';
import { OUTBOX_TABLES, type Outbox, outboxOf } from './outbox.ts';

export interface ServiceRecord {
  readonly endpoint: string;
  readonly tableName: string;
  readonly baseUrl?: string;
}

const NAME = 'service.sqlite';
/** Longest wait for another process that is writing, in milliseconds. A write takes less than one. */
const BUSY_LIMIT = 10_000;

/** True for SQLite's error for a file that another connection has locked (https://www.sqlite.org/rescode.html#busy). */
export function isLocked(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === 5;
}

/**
 * The version of what a data folder contains. Version 1 had no totals and no money by day; version 2 no total of paying
 * customers, and indexes without groups, rules and codes; version 3 no items by which advocates are found by email;
 * version 4 indexes without `converted_at`.
 */
const DATA_VERSION = 5;

// With NORMAL, a write survives the death of the process (https://www.sqlite.org/wal.html#performance_considerations). A
// power failure can undo the last writes, but the position together with all messages after it: the stream repeats them.
// SQLite opens files that are not writable. Only setting the version always writes.
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA secure_delete = ON;
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS service (
    id INTEGER PRIMARY KEY, endpoint TEXT NOT NULL, table_name TEXT NOT NULL, base_url TEXT
  );
  CREATE TABLE IF NOT EXISTS secret (
    owner TEXT, value TEXT, created_at INTEGER NOT NULL, PRIMARY KEY (owner, value)
  ) STRICT, WITHOUT ROWID;
  ${QUEUE_TABLES}
  ${EMAIL_QUEUE_TABLES}
  ${OUTBOX_TABLES}
  PRAGMA user_version = ${DATA_VERSION};
  COMMIT;
`;
/** Moves the log into the file: a power failure does not undo an added secret, and the log keeps no removed one. */
const CHECKPOINT = 'PRAGMA wal_checkpoint(TRUNCATE)';

/** The sentence is also the name: the service logs only names. It contains no personal data and no secret. */
export class UnusableFile extends Error {
  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : 'unknown error';
    const sentence = isLocked(cause)
      ? `Another process is writing ${path}. Try again.`
      : `The file ${path} cannot be used (${reason}). If it is damaged, move it away and restart the service, then run webhook rotate, stripe connect and webhook replay. Otherwise, make it writable.`;
    super(sentence, { cause });
    this.name = sentence;
  }
}

/** An earlier version of the service wrote the folder. The message says how to keep the data. */
export class EarlierData extends Error {
  constructor(dataDir: string) {
    super(
      `An earlier version of the service wrote ${dataDir}, and this one cannot read it. With the earlier version, export advocates, referrals and payments; then delete the folder, or set DATA_DIR to another one, and import them.`,
    );
    this.name = 'EarlierData';
  }
}

/** Opens an SQLite file. `timeout` limits the wait for another process that is writing, in milliseconds. */
export function openDatabase(file: string, timeout: number): DatabaseSync {
  // Loaded here, because some releases of Node 24 print a warning that SQLite is experimental.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  return new DatabaseSync(file, { timeout });
}

/**
 * The file `service.sqlite` in `DATA_DIR`, which only its owner can read. Every method throws `UnusableFile`, and the
 * constructor also `EarlierData`.
 */
export class ServiceFile {
  readonly secrets: SecretStore;
  readonly queue: EventQueue;
  readonly emails: LocalEmailQueue;
  readonly outbox: Outbox;
  readonly #database: DatabaseSync;
  readonly #run: Run;

  constructor(dataDir: string, clock: Clock = systemClock) {
    const path = join(dataDir, NAME);
    const guard = <Result>(work: () => Result): Result => {
      try {
        return work();
      } catch (cause) {
        throw new UnusableFile(path, cause);
      }
    };
    this.#database = guard(() => {
      // SQLite gives its log the permissions of the file.
      if (!existsSync(path)) writeFileSync(path, '', { flag: 'a', mode: 0o600 });
      return openDatabase(path, BUSY_LIMIT);
    });
    const version = Number(guard(() => this.#database.prepare('PRAGMA user_version').get())?.['user_version']);
    // A new file has no version.
    if (version !== 0 && version < DATA_VERSION) {
      this.#database.close();
      throw new EarlierData(dataDir);
    }
    guard(() => this.#database.exec(SCHEMA));
    this.#run = (statement, ...values) => guard(() => this.#database.prepare(statement).all(...values));
    this.secrets = secretStore(this.#run);
    this.queue = new EventQueue(this.#run, clock);
    this.emails = emailQueue(this.#run, clock);
    this.outbox = outboxOf(this.#run, clock);
  }

  /** Returns the record. It remains when a service is killed: only a response from the endpoint shows that it runs. */
  service(): ServiceRecord | undefined {
    const [row] = this.#run('SELECT * FROM service');
    const baseUrl = row?.['base_url'];
    return (
      row && {
        endpoint: String(row['endpoint']),
        tableName: String(row['table_name']),
        ...(typeof baseUrl === 'string' && { baseUrl }),
      }
    );
  }

  setService({ endpoint, tableName, baseUrl }: ServiceRecord): void {
    this.#run('INSERT OR REPLACE INTO service VALUES (1, ?, ?, ?)', endpoint, tableName, baseUrl ?? null);
  }

  removeService(): void {
    this.#run('DELETE FROM service');
  }

  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]();
  }
}

/** Returns the record in `dataDir`; `undefined` if there is none. Does not create the file. */
export function readService(dataDir: string): ServiceRecord | undefined {
  if (!existsSync(join(dataDir, NAME))) return undefined;
  using file = new ServiceFile(dataDir);
  return file.service();
}

function secretStore(run: Run): SecretStore {
  return {
    async read(owner) {
      const rows = run('SELECT * FROM secret WHERE owner = ? ORDER BY created_at DESC, value', owner);
      return rows.map((row) => ({ value: String(row['value']), createdAt: milliseconds(Number(row['created_at'])) }));
    },
    async add(owner, { value, createdAt }) {
      run('INSERT OR REPLACE INTO secret VALUES (?, ?, ?)', owner, value, createdAt);
      run(CHECKPOINT);
    },
    async remove(owner, secrets) {
      for (const { value } of secrets) run('DELETE FROM secret WHERE owner = ? AND value = ?', owner, value);
      run(CHECKPOINT);
    },
  };
}
