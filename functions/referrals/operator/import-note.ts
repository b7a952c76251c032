import { required } from '../../kernel/dynamodb/item.ts';
import { importNoteKey } from '../../kernel/dynamodb/keys.ts';
import { EXPIRY_ATTRIBUTE } from '../../kernel/dynamodb/schema.ts';
import { get, type Table } from '../../kernel/dynamodb/table.ts';
import { update } from '../../kernel/dynamodb/writes.ts';
import { wholeSeconds } from '../../kernel/fields/parsers.ts';
import { type BulkStore, bulkStoreOf } from '../../kernel/operator/bulk-writes.ts';
import { DAY, type Seconds, secondOf, seconds } from '../../kernel/time.ts';

/** Seconds for which a note covers an import. */
const COVERED = 60;
/** Days after which the note is deleted. It says nothing a day after the import. */
const NOTE_DAYS = 7;

/**
 * Returns a function that notes at a program that an import writes its referrals: at its first call, and then once a minute.
 * The note contains the end of that minute. Until the stream has forgotten these writes, `statistics rebuild` would count
 * them twice.
 */
export function importNotes(table: Table, program: string): () => Promise<void> {
  let covered: Seconds | undefined;
  return async () => {
    const now = secondOf(table.clock());
    if (covered !== undefined && now < covered) return;
    const until = seconds(now + COVERED);
    const failed = await update(
      table,
      importNoteKey(program),
      {
        UpdateExpression: `SET imported_until = :until, ${EXPIRY_ATTRIBUTE} = :expiry`,
        ExpressionAttributeValues: { ':until': until, ':expiry': seconds(now + NOTE_DAYS * DAY) },
      },
      {
        ConditionExpression: 'attribute_not_exists(imported_until) OR imported_until <= :now',
        ExpressionAttributeValues: { ':now': now },
      },
    );
    // The note of another import, or of an attempt whose response was lost, covers this one as well.
    covered = failed?.item ? required(failed.item, 'imported_until', wholeSeconds) : until;
  };
}

/** Returns the store of an import of referrals, which notes that it writes before it does. */
export function notingStoreOf(table: Table, program: string): BulkStore {
  const note = importNotes(table, program);
  const { write, read } = bulkStoreOf(table);
  return {
    read,
    write: async (groups) => {
      if (groups.length > 0) await note();
      return write(groups);
    },
  };
}

/** True if an import wrote referrals of a program within the last 24 hours. */
export async function wasImportedToday(table: Table, program: string): Promise<boolean> {
  const item = await get(table, importNoteKey(program));
  return item !== undefined && required(item, 'imported_until', wholeSeconds) + DAY > secondOf(table.clock());
}
