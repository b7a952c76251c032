import type { AttributionTarget } from './advocate.ts';
import type { Group } from './group.ts';
import type { Program } from './program.ts';
import { hasTerms, type Terms } from './terms.ts';

/**
 * Returns the terms of an advocate, the first that exist: its own percentage, with the months of its group's percentage or
 * else of the program's; its group's terms; the program's (docs/contract/terms.md).
 */
export function termsFor(
  program: Terms,
  group: Group | undefined,
  { commissionPercentage }: Pick<AttributionTarget, 'commissionPercentage'>,
): Terms {
  const owner = group && hasTerms(group) ? group : program;
  const { commissionMonths, commissionRulesId } = owner;
  if (commissionPercentage === null) {
    return { commissionPercentage: owner.commissionPercentage, commissionMonths, commissionRulesId };
  }
  const hasShortForm = group !== undefined && group.commissionPercentage !== null;
  const { commissionMonths: months } = hasShortForm ? group : program;
  return { commissionPercentage, commissionMonths: months, commissionRulesId: null };
}

/** Returns the terms of an advocate. Reads only if the advocate has a group. */
export type ReadTerms<Table> = (
  table: Table,
  program: Program,
  advocate: Pick<AttributionTarget, 'commissionPercentage' | 'group'>,
) => Promise<Terms>;
