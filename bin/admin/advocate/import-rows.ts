import { createAdvocates } from '../../../functions/advocates/operator/advocate-import.ts';
import { type CodeRequest, putCode } from '../../../functions/codes/table/put-code.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { PromotionCode } from '../../../functions/kernel/accounts/rules/code.ts';
import { findCode } from '../../../functions/kernel/accounts/table/codes.ts';
import { readGroups } from '../../../functions/kernel/accounts/table/groups.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { ServiceError } from '../../../functions/kernel/errors.ts';
import type { BulkStore } from '../../../functions/kernel/operator/bulk-writes.ts';
import { type Outcome, outcomeOf } from '../import/report.ts';

/** The advocate of a line, and the slugs to try next if its own is taken. A slug in the line has no alternatives. */
export interface AdvocateRow {
  readonly advocate: Advocate;
  readonly otherSlugs: readonly string[];
  readonly codes: readonly ImportedCode[];
}

/** A promotion code of a line, in upper case. */
export type ImportedCode = Pick<PromotionCode, 'code' | 'active'> & Pick<CodeRequest, 'promotionCodeId'>;

/** Where advocates are stored. A dry run writes no codes. */
interface Target {
  readonly table: Table;
  readonly program: string;
  readonly store: BulkStore;
  readonly isDryRun: boolean;
}

const UNKNOWN_GROUP = 'group is not a group of the program: create it with `group set` first';

/** Stores the advocates of lines, each with its codes, and returns the outcome of each line. */
export async function storeAdvocates(target: Target, rows: readonly AdvocateRow[]): Promise<Outcome[]> {
  const { table, program, store } = target;
  const { groups } = await readGroups(table, program);
  const isKnown = (name: string | null) => name === null || groups.some((group) => group.name === name);
  const outcomes: Outcome[] = rows.map(() => ({ reason: UNKNOWN_GROUP }));
  let pending = rows.map((row, index) => ({ ...row, index })).filter(({ advocate }) => isKnown(advocate.group));
  while (pending.length > 0) {
    const advocates = pending.map(({ advocate }) => advocate);
    const stored = await createAdvocates(table, program, advocates, store);
    const next: typeof pending = [];
    for (const [position, line] of pending.entries()) {
      const outcome = stored[position];
      const [slug, ...otherSlugs] = line.otherSlugs;
      if (outcome === 'slug taken' && slug !== undefined) {
        next.push({ ...line, advocate: { ...line.advocate, slug }, otherSlugs });
      } else if (outcome !== undefined) {
        outcomes[line.index] = await storeCodes(target, line, outcomeOf(outcome, 'advocate'));
      }
    }
    pending = next;
  }
  return outcomes;
}

/** Gives a stored advocate its new codes. A code that it already has stays as it is. Returns the outcome of its line. */
async function storeCodes(
  { table, program, isDryRun }: Target,
  { advocate: { slug }, codes }: AdvocateRow,
  outcome: Outcome,
): Promise<Outcome> {
  if (typeof outcome === 'object' || isDryRun) return outcome;
  let result = outcome;
  for (const code of codes) {
    try {
      const isNew = await storeCode(table, program, { ...code, slug });
      if (isNew && result === 'skipped') result = 'created';
    } catch (error) {
      const reason = error instanceof ServiceError ? REASONS[error.code] : undefined;
      if (reason === undefined) throw error;
      return { reason };
    }
  }
  return result;
}

/** Returns false if the advocate has the code. */
async function storeCode(table: Table, program: string, code: CodeRequest): Promise<boolean> {
  if ((await findCode(table, program, code.code))?.advocateSlug === code.slug) return false;
  await putCode(table, program, code);
  return true;
}

const REASONS: Readonly<Partial<Record<string, string>>> = {
  advocate_erased: 'codes must be empty, because the advocate was erased',
  code_taken: 'codes contains a code of another advocate',
  promotion_code_taken: 'codes contains a promotion code of another code',
  too_many_codes: 'codes exceeds the 10,000 codes of the program',
};
