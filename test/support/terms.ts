import { parseCommissionRules } from '../../functions/kernel/accounts/rules/commission-rules.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import type { ProgramUpdate } from '../../functions/program/table/program-changes.ts';
import { updateProgram } from '../../functions/program/table/program-changes.ts';
import { putGroup } from '../../functions/terms/table/put-group.ts';
import type { OracleRule } from './ledger/rules-oracle.ts';
import { aProgram } from './program.ts';
import type { TestTable } from './table.ts';

/** Stores a new program with rules. */
export const aRuledProgram = async (
  table: TestTable,
  rules: readonly OracleRule[],
  more: ProgramUpdate = {},
): Promise<Program> => setRules(table, await aProgram(table), rules, more);

/** Sets the rules of a program. */
export const setRules = (table: TestTable, { id }: Program, rules: readonly OracleRule[], more: ProgramUpdate = {}) =>
  updateProgram(table, id, { ...more, commissionRules: parseCommissionRules('commission_rules', rules) });

/** Stores a group with rules, with a percentage, or without terms. */
export const aGroup = (
  table: TestTable,
  { id }: Program,
  name: string,
  terms: readonly OracleRule[] | number | null = null,
) =>
  putGroup(table, id, {
    name,
    title: null,
    commissionPercentage: typeof terms === 'number' ? terms : null,
    commissionMonths: null,
    commissionRules: Array.isArray(terms) ? parseCommissionRules('commission_rules', terms) : null,
  });
