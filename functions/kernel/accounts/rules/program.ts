import { InvalidField } from '../../errors.ts';
import { checkInputs, emptyValues, type KeysWith, type Values } from '../../fields/field-list.ts';
import type { Seconds } from '../../time.ts';
import { PROGRAM_FIELDS } from './program-fields.ts';
import { inOneForm } from './terms.ts';

/** A merchant's affiliate program: the tenant. Id, public key, mode and time of creation never change. */
export type Program = Values<typeof PROGRAM_FIELDS>;

/** The fields of a program that its creator chooses. */
export type ProgramFields = Pick<Program, KeysWith<typeof PROGRAM_FIELDS, { input: object }>>;

type Rules = Pick<Program, 'commissionRulesId'>;

/** The fields of a program to create. Absent fields get their defaults. */
export type ProgramDraft = Pick<ProgramFields, 'name' | 'siteUrl'> & Partial<ProgramFields & Rules>;

/** The fields to change. Absent fields stay. */
export type ProgramChanges = Partial<Omit<ProgramFields, 'mode'> & Rules>;

/** Creates a program from unchecked fields. Throws `InvalidField`. */
export function newProgram(draft: ProgramDraft, id: string, createdAt: Seconds): Program {
  const { commissionRulesId = null, ...fields } = { ...emptyValues(PROGRAM_FIELDS, 'input'), ...inOneForm(draft) };
  const chosen = checkInputs(PROGRAM_FIELDS, fields);
  return { ...chosen, commissionRulesId, logoVersion: null, id, publicKey: publicKeyOf(id), createdAt };
}

/** Changes the given fields of a program. Throws `InvalidField`. */
export function changeProgram(program: Program, changes: ProgramChanges): Program {
  const { commissionRulesId = program.commissionRulesId, ...fields } = inOneForm(changes);
  // What is stored is not checked again: it may be older than a rule.
  const changed = { ...program, ...checkInputs(PROGRAM_FIELDS, fields), commissionRulesId };
  // Months alone would end the rules, and leave nothing that pays.
  const endsRules = program.commissionRulesId !== null && commissionRulesId === null;
  if (endsRules && changed.commissionMonths !== null && changed.commissionPercentage === null)
    throw new InvalidField('commission_percentage', 'is required with commission_months instead of commission_rules');
  return changed;
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
