import type { Advocate } from '../accounts/rules/advocate.ts';
import type { Program } from '../accounts/rules/program.ts';
import { parseAdvocate } from '../accounts/table/advocate-items.ts';
import { parseProgram } from '../accounts/table/programs.ts';
import { pagesByOwner, queryAllByOwner } from '../dynamodb/index-pages.ts';
import type { Item } from '../dynamodb/item.ts';
import { ALL_PROGRAMS, keyOf, programAdvocates, stoppedProgramKey } from '../dynamodb/keys.ts';
import type { Pages } from '../dynamodb/prefetch.ts';
import type { Table } from '../dynamodb/table.ts';

/** Lists all programs, newest first; with `stopped`, only programs whose deletion was interrupted. */
export async function listPrograms(table: Table, { stopped = false } = {}): Promise<Program[]> {
  const items = await queryAllByOwner(table, ALL_PROGRAMS);
  const isStopped = (item: Item) => keyOf(item).sk === stoppedProgramKey('').sk;
  return items.filter((item) => isStopped(item) === stopped).map(parseProgram);
}

/** Lists all advocates of a program, newest first. */
export async function listAdvocates(table: Table, program: string): Promise<Advocate[]> {
  return (await queryAllByOwner(table, programAdvocates(program))).map(parseAdvocate);
}

/** Reads all advocates of a program page by page, newest first. */
export async function* exportAdvocates(table: Table, program: string): Pages<Advocate[]> {
  for await (const items of pagesByOwner(table, programAdvocates(program))) yield items.map(parseAdvocate);
}
