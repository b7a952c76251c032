import { optional, required } from '../../kernel/dynamodb/item.ts';
import { parseSortKey } from '../../kernel/dynamodb/keys.ts';
import { buildQuery } from '../../kernel/dynamodb/page.ts';
import type { Plan } from '../../kernel/dynamodb/plan.ts';
import { queryPages, type Table } from '../../kernel/dynamodb/table.ts';
import { oneOf, text } from '../../kernel/fields/parsers.ts';
import { COUNT_LIMITS, Counter, type Counts, type Grouping } from '../rules/counts.ts';
import { STATES, type State } from '../rules/state.ts';
import { planReferrals, type ReferralFilters } from './advocate-referrals.ts';

export interface CountFilters extends Pick<ReferralFilters, 'subId' | 'createdAt'> {
  /** False leaves clicks out: they are not read, and their number in the result is 0. */
  readonly clicks: boolean;
}

/** What to count, and how to group it. */
export interface CountQuery extends CountFilters {
  readonly grouping?: Grouping | undefined;
  readonly limits?: typeof COUNT_LIMITS;
}

/**
 * Counts an advocate's clicks and referrals by their current state. The states are read in parallel, each from its
 * partition of an index. Throws `RangeTooLarge` if there are more rows than the limit allows.
 */
export async function countReferrals(
  table: Table,
  program: string,
  slug: string,
  { grouping, limits = COUNT_LIMITS, ...filters }: CountQuery,
): Promise<Counts> {
  const counter = new Counter(grouping, limits);
  // The index by sub id keeps clicks apart from referrals, but not the other states from each other.
  const states = filters.subId === undefined ? STATES : (['clicked', undefined] as const);
  const counted = filters.clicks ? states : states.filter((state) => state !== 'clicked');
  await Promise.all(
    counted.map((state) => {
      const plan = planReferrals(program, slug, { ...filters, state, stateSetAt: undefined });
      return countRows(table, plan, state, counter);
    }),
  );
  return counter.result();
}

/** Counts the rows of a plan, which have the given state, or any. */
async function countRows(table: Table, plan: Plan, state: State | undefined, counter: Counter): Promise<void> {
  const input = buildQuery(plan, undefined);
  if (!input) return;
  const countsOnly = state !== undefined && !counter.isGrouped;
  // A count transfers no rows, and the others only what is needed. Both cost as much as reading them.
  const selection = countsOnly
    ? ({ Select: 'COUNT' } as const)
    : {
        ProjectionExpression: state === undefined ? '#sort, sub_id, #state' : '#sort, sub_id',
        ExpressionAttributeNames: {
          ...input.ExpressionAttributeNames,
          ...(state === undefined && { '#state': 'state' }),
        },
      };
  for await (const { items, count } of queryPages(table, { ...input, ...selection })) {
    if (countsOnly) counter.add(state, count);
    for (const row of items) {
      counter.addOne(state ?? required(row, 'state', oneOf(STATES)), {
        createdAt: parseSortKey(required(row, 'created', text)).second,
        subId: optional(row, 'sub_id', text),
      });
    }
  }
}
