import type { Advocate } from '../../domain/advocate.ts';
import type { Program } from '../../domain/program.ts';
import { parseAdvocate } from '../advocates.ts';
import { queryAllByOwner } from '../dynamodb/index-pages.ts';
import type { Table } from '../dynamodb/table.ts';
import { ALL_PROGRAMS, programAdvocates } from '../keys.ts';
import { parseProgram } from '../programs.ts';

/** Lists all programs, newest first. */
export async function listPrograms(table: Table): Promise<Program[]> {
  return (await queryAllByOwner(table, ALL_PROGRAMS)).map(parseProgram);
}

/** Lists all advocates of a program, newest first. */
export async function listAdvocates(table: Table, program: string): Promise<Advocate[]> {
  return (await queryAllByOwner(table, programAdvocates(program))).map(parseAdvocate);
}
