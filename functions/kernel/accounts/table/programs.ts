import { type Item, parseFields, toAttributes } from '../../dynamodb/item.ts';
import { ALL_PROGRAMS, programKey, sortKey } from '../../dynamodb/keys.ts';
import { putNew } from '../../dynamodb/put-new.ts';
import { get, type Table } from '../../dynamodb/table.ts';
import { IdTaken } from '../../errors.ts';
import type { Program } from '../rules/program.ts';
import { PROGRAM_FIELDS } from '../rules/program-fields.ts';

/** Stores a new program. Succeeds if an earlier attempt, whose response was lost, stored it. Throws `IdTaken`. */
export async function createProgram(table: Table, program: Program): Promise<void> {
  if (!(await putNew(table, toProgramItem(program)))) throw new IdTaken();
}

/** Reads a program; `undefined` if it does not exist. */
export async function findProgram(table: Table, id: string): Promise<Program | undefined> {
  const item = await get(table, programKey(id));
  return item && parseProgram(item);
}

/** Builds the item of a program. */
export function toProgramItem(program: Program): Item {
  const created = sortKey(program.createdAt, program.id);
  return { ...programKey(program.id), owner: ALL_PROGRAMS, created, ...toProgramAttributes(program) };
}

/** Builds the attributes of a program, for its item and for the copy in each of its tokens. */
export function toProgramAttributes(program: Program): Item {
  return toAttributes(PROGRAM_FIELDS, program);
}

/** Parses the attributes of a program. */
export function parseProgram(item: Item): Program {
  return parseFields(PROGRAM_FIELDS, item);
}
