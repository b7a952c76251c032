import { checkInputs, emptyValues, type KeysWith, type Values } from '../../fields/field-list.ts';
import type { Seconds } from '../../time.ts';
import { PROGRAM_FIELDS } from './program-fields.ts';

/** A merchant's affiliate program: the tenant. Id, public key, mode and time of creation never change. */
export type Program = Values<typeof PROGRAM_FIELDS>;

/** The fields of a program that its creator chooses. */
export type ProgramFields = Pick<Program, KeysWith<typeof PROGRAM_FIELDS, { input: object }>>;

/** The fields of a program to create. Absent fields get their defaults. */
export type ProgramDraft = Pick<ProgramFields, 'name' | 'siteUrl'> & Partial<ProgramFields>;

/** The fields to change. Absent fields stay. */
export type ProgramChanges = Partial<Omit<ProgramFields, 'mode'>>;

/** Creates a program from unchecked fields. Throws `InvalidField`. */
export function newProgram(draft: ProgramDraft, id: string, createdAt: Seconds): Program {
  const fields = { ...emptyValues(PROGRAM_FIELDS, 'input'), ...draft };
  return { ...checkInputs(PROGRAM_FIELDS, fields), id, publicKey: publicKeyOf(id), createdAt };
}

/** Changes the given fields of a program. Throws `InvalidField`. */
export function changeProgram(program: Program, changes: ProgramChanges): Program {
  // What is stored is not checked again: it may be older than a rule.
  return { ...program, ...checkInputs(PROGRAM_FIELDS, changes) };
}

/**
 * Returns the public key of a program. It contains the program's id, so that a click reads program and advocate in one
 * request.
 */
export function publicKeyOf(programId: string): string {
  return `pk_${programId.replaceAll('-', '')}`;
}

/** The pattern of a public key; its groups are the parts of the program's id. */
export const PUBLIC_KEY_PATTERN = '^pk_([0-9a-f]{8})([0-9a-f]{4})(7[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$';

const PUBLIC_KEY = new RegExp(PUBLIC_KEY_PATTERN);

/** Returns the id of a public key's program; `undefined` if the key is malformed. */
export function programIdOf(publicKey: string): string | undefined {
  return PUBLIC_KEY.exec(publicKey)?.slice(1).join('-');
}

/** True if the program allows pages of the origin to send conversions. */
export function listsOrigin(program: Program, origin: string | undefined): boolean {
  return origin !== undefined && program.allowedOrigins.includes(origin.toLowerCase());
}
