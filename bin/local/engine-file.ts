import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { referralKey } from '../../functions/kernel/dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../../functions/kernel/dynamodb/schema.ts';
import { fieldsWith } from '../../functions/kernel/fields/field-list.ts';
import { REFERRAL_FIELDS } from '../../functions/referrals/rules/referral-fields.ts';
import type { Position } from '../service/event-queue.ts';
import { openDatabase } from '../service/service-file.ts';

/** How long a start waits for the engine of a killed start, which is still ending, in milliseconds. */
const BUSY_LIMIT = 5000;

// The engine never deletes a record of a stream, and scans all of them with each write and each read: with 110,000
// records, a write took 66 ms and a read 71 ms, with this index 5 ms and 2 ms.
const INDEX =
  'CREATE INDEX IF NOT EXISTS stream_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))';

const PARTITION = `keys_json ->> '$.${PARTITION_KEY}.S'`;
const SORT = `keys_json ->> '$.${SORT_KEY}.S'`;
const REFERRAL = referralKey('', '')[SORT_KEY];

const isRemoved = (name: string) => `(old_image ->> '$.${name}.S' IS NOT NULL AND new_image ->> '$.${name}.S' IS NULL)`;
/** True for a change that removed an email or a uid. Its old image contains the value. */
const ERASES = `event_name = 'MODIFY' AND (${isRemoved('email')} OR ${isRemoved('uid')})`;
const ANY_ERASURE = `SELECT EXISTS (SELECT 1 FROM _stream_records WHERE ${ERASES}) AS found`;

// The engine numbers a new record after the highest stored number, so the last record that was read stays. A stream's ARN ends
// with `table/<name>/stream/<label>`: an earlier table with the same name had another label.
const DELETE_PASSED = `
  DELETE FROM _stream_records WHERE CAST(sequence_number AS INTEGER) < CAST(:sequence AS INTEGER) AND table_name = (
    SELECT table_name FROM _tables WHERE instr(:stream || '/', '/' || table_name || '/stream/' || stream_label || '/')
  )
`;
// Only changes of referrals and entries of the ledger are read. The keys of other items contain hashes of the email and the uid.
const EMPTY_UNUSED = `
  UPDATE _stream_records SET keys_json = '{}', old_image = NULL, new_image = NULL
  WHERE ${SORT} IS NOT '${REFERRAL}' AND ${PARTITION} NOT LIKE 'PROGRAM#%#LEDGER#%'
`;
const PERSONAL = Object.values(fieldsWith(REFERRAL_FIELDS, 'personal')).map(({ attribute }) => `'$.${attribute}'`);
const erased = (image: string) =>
  `json_replace(json_remove(${image}, ${PERSONAL.join(', ')}), '$.payments.M.customers.L', json('[]'))`;
// Events and statistics need nothing personal of a record: an event contains what the row has when it is delivered.
const ERASE_REMAINING = `
  UPDATE _stream_records SET old_image = ${erased('old_image')}, new_image = ${erased('new_image')}
  WHERE (table_name, ${PARTITION}) IN (SELECT table_name, ${PARTITION} FROM _stream_records WHERE ${ERASES})
`;
/** The columns of the streams' records. Another version of the engine may store other things in the same ones. */
const LAYOUT =
  'id table_name event_name keys_json new_image old_image sequence_number shard_id created_at user_identity';
const COLUMNS = `SELECT group_concat(name, ' ') AS columns FROM pragma_table_info('_stream_records')`;
/** Marks a file whose free pages must be rewritten, which can be interrupted. The engine does not use this number. */
const MARK = 'PRAGMA application_id = 1382377074';
const UNMARK = 'PRAGMA application_id = 0';
const IS_MARKED = 'SELECT application_id = 1382377074 AS found FROM pragma_application_id';

/**
 * Cleans the engine's file while the engine is stopped: adds an index, deletes records that every reader has passed, and
 * removes erased people; after an erasure, also from free pages. Does nothing unless the layout is dynoxide 1.2.1's.
 */
export function cleanEngineFile(file: string, passed: readonly Pick<Position, 'stream' | 'sequence'>[]): void {
  if (!existsSync(file)) return;
  try {
    using database = openDatabase(file, BUSY_LIMIT);
    if (database.prepare(COLUMNS).get()?.['columns'] !== LAYOUT) return;
    const isTrue = (query: string) => database.prepare(query).get()?.['found'] === 1;
    database.exec(`BEGIN IMMEDIATE; ${INDEX}`);
    if (isTrue(ANY_ERASURE)) database.exec(MARK);
    for (const { stream, sequence } of passed) database.prepare(DELETE_PASSED).run({ stream, sequence });
    database.exec(`${EMPTY_UNUSED}; ${ERASE_REMAINING}; COMMIT`);
    if (isTrue(IS_MARKED)) rewrite(database, file);
  } catch {
    // A failed statement undoes all of them.
  }
}

/** Rewrites the file without free pages. Prints why that fails; the next start tries again. */
function rewrite(database: DatabaseSync, file: string): void {
  try {
    database.exec(`VACUUM; ${UNMARK}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    console.error(
      `Erased data may remain in free pages of ${file}, because the file could not be rewritten (${reason}). The next start tries again.`,
    );
  }
}
