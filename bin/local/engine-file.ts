import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { fieldsWith } from '../../functions/domain/field-list.ts';
import { REFERRAL_FIELDS } from '../../functions/domain/referral/referral-fields.ts';
import { referralKey } from '../../functions/table/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../../functions/table/schema.ts';
import { openDatabase } from './events/file.ts';
import type { PublishedUpTo } from './events/positions.ts';

// The embedded engine's own file, as dynoxide 1.2.1 lays it out. Another version may store its records in another way:
// then nothing here changes the file.

/** How long a start waits for another process that is writing, in milliseconds. */
const BUSY_LIMIT = 5000;

const INDEX =
  'CREATE INDEX IF NOT EXISTS stream_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))';

/** The keys of an item, and the sort key of every referral. */
const PARTITION = `keys_json ->> '$.${PARTITION_KEY}.S'`;
const SORT = `keys_json ->> '$.${SORT_KEY}.S'`;
const REFERRAL = referralKey('', '')[SORT_KEY];

const isRemoved = (name: string) => `(old_image ->> '$.${name}.S' IS NOT NULL AND new_image ->> '$.${name}.S' IS NULL)`;
/** True for a change that removed an email or a uid. Its old image contains the value. */
const ERASES = `event_name = 'MODIFY' AND (${isRemoved('email')} OR ${isRemoved('uid')})`;
const ANY_ERASURE = `SELECT EXISTS (SELECT 1 FROM _stream_records WHERE ${ERASES}) AS found`;

// The last published record stays: the engine numbers the next one after the last one that it has.
const DELETE_PUBLISHED = `
  DELETE FROM _stream_records WHERE table_name = :table AND CAST(sequence_number AS INTEGER) < :sequence
  AND EXISTS (SELECT 1 FROM _tables WHERE table_name = :table AND stream_label = :label)
`;
// Only changes of referrals are published. The keys of other items contain hashes of the email and the uid.
const EMPTY_UNUSED = `
  UPDATE _stream_records SET keys_json = '{}', old_image = NULL, new_image = NULL WHERE ${SORT} IS NOT '${REFERRAL}'
`;
const PERSONAL = Object.values(fieldsWith(REFERRAL_FIELDS, 'personal')).map(({ attribute }) => `'$.${attribute}'`);
const erased = (image: string) =>
  `json_replace(json_remove(${image}, ${PERSONAL.join(', ')}), '$.payments.M.customers.L', json('[]'))`;
// An event needs nothing personal of its record: it contains what the row has when it is delivered.
const ERASE_REMAINING = `
  UPDATE _stream_records SET old_image = ${erased('old_image')}, new_image = ${erased('new_image')}
  WHERE (table_name, ${PARTITION}) IN (SELECT table_name, ${PARTITION} FROM _stream_records WHERE ${ERASES})
`;
/** Marks a file whose free pages must be rewritten: SQLite's own number for applications, which the engine does not use. */
const MARK = 'PRAGMA user_version = 1';
const UNMARK = 'PRAGMA user_version = 0';

/**
 * Adds the index to the engine's file that its stream lacks. The engine may be running.
 *
 * The engine never deletes a record of a stream, and scans all of them with each write and each read: with 110,000
 * records, a write took 66 ms and a read 71 ms, with the index 5 ms and 2 ms.
 */
export function indexStreamRecords(file: string): void {
  change(file, (database) => database.exec(INDEX));
}

/**
 * Deletes the records of the streams that were published. If a person was erased since the last call, also rewrites the
 * file, in whose free pages SQLite keeps what was deleted: in a file with 100,000 referrals that takes some seconds, so
 * other starts do not wait for it. Does nothing if there is no file. Only while the engine is stopped.
 */
export function cleanEngineFile(file: string, published: readonly PublishedUpTo[]): void {
  if (!existsSync(file)) return;
  change(file, (database) => {
    database.exec('BEGIN IMMEDIATE');
    if (database.prepare(ANY_ERASURE).get()?.['found'] === 1) database.exec(MARK);
    for (const position of published) database.prepare(DELETE_PUBLISHED).run({ ...position });
    database.exec(`${EMPTY_UNUSED}; ${ERASE_REMAINING}; COMMIT`);
    if (database.prepare('PRAGMA user_version').get()?.['user_version'] !== 1) return;
    rewrite(database, file);
  });
}

/** Writes the file anew, without free pages. Prints why that fails; the next start tries again. */
function rewrite(database: DatabaseSync, file: string): void {
  try {
    leaveWal(database);
    database.exec(`VACUUM; ${UNMARK}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    console.error(
      `Erased data may remain in free pages of ${file}, because the file could not be rewritten (${reason}). The next start tries again.`,
    );
  }
}

/**
 * Switches the write-ahead log off until the engine switches it on again: the file would first be copied into the log,
 * which takes twice as long.
 */
function leaveWal(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA journal_mode = DELETE');
  } catch {
    // The engine of a killed start is still ending.
  }
}

/** Changes the file. Does nothing if it has another layout, is damaged or locked: the engine itself reports what is wrong. */
function change(file: string, work: (database: DatabaseSync) => void): void {
  try {
    using database = openDatabase(file, BUSY_LIMIT);
    work(database);
  } catch {
    // See above.
  }
}
