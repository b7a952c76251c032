import { isDeepStrictEqual } from 'node:util';
import { commit } from '../../kernel/dynamodb/commit.ts';
import { NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { type Item, parseFields, required, toAttributes } from '../../kernel/dynamodb/item.ts';
import { peopleSettingsKey } from '../../kernel/dynamodb/keys.ts';
import { get, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { putWrite } from '../../kernel/dynamodb/writes.ts';
import { number } from '../../kernel/fields/parsers.ts';
import { changeSettings, NO_SETTINGS, PEOPLE_FIELDS, type PeopleSettings } from '../rules/emails/settings.ts';

interface StoredSettings {
  readonly settings: PeopleSettings;
  /** Number of writes, for optimistic locking; 0 if there is no item. */
  readonly version: number;
}

/** Reads the settings of emails of a program. */
export async function readPeopleSettings(table: Table, program: string): Promise<PeopleSettings> {
  return (await readStored(table, program)).settings;
}

/** Changes the settings that are given, with one read and one write. Writes nothing if they stay the same. */
export function changePeopleSettings(
  table: Table,
  program: string,
  changes: Partial<PeopleSettings>,
): Promise<PeopleSettings> {
  return retryOnConflict<PeopleSettings>(table, async () => {
    const before = await readStored(table, program);
    const after = changeSettings(before.settings, changes);
    if (isDeepStrictEqual(after, before.settings)) return { result: after };
    const item = {
      ...peopleSettingsKey(program),
      ...toAttributes(PEOPLE_FIELDS, after),
      version: before.version + 1,
    };
    const condition = before.version === 0 ? NOT_EXISTS : unchangedSince(before);
    return commit(table, [putWrite('settings', item, condition)], after);
  });
}

const readStored = async (table: Table, program: string): Promise<StoredSettings> =>
  parseStored(await get(table, peopleSettingsKey(program)));

/** Parses the item of the settings of a program, which has none before the first change. */
export const parsePeopleSettings = (item: Item | undefined): PeopleSettings => parseStored(item).settings;

function parseStored(item: Item | undefined): StoredSettings {
  if (!item) return { settings: NO_SETTINGS, version: 0 };
  return { settings: parseFields(PEOPLE_FIELDS, item), version: required(item, 'version', number) };
}
