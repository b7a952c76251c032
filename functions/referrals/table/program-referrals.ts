import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { isSortKey, lastPart, programState } from '../../kernel/dynamodb/keys.ts';
import { buildQuery, type Page } from '../../kernel/dynamodb/page.ts';
import { ALL_TIME, type Plan } from '../../kernel/dynamodb/plan.ts';
import { INDEXES } from '../../kernel/dynamodb/schema.ts';
import { queryPages, type Table } from '../../kernel/dynamodb/table.ts';
import { InvalidCursor } from '../../kernel/errors.ts';
import { text } from '../../kernel/fields/parsers.ts';
import type { SecondsRange } from '../../kernel/time.ts';
import type { Flag } from '../rules/self-referral.ts';
import { STATES, type State } from '../rules/state.ts';
import { parseProgramReferral } from './referral-item.ts';

/** The filters of the list of all referrals of a program; `undefined` if a filter is absent. */
export interface ProgramFilters {
  readonly state: Exclude<State, 'clicked'> | undefined;
  readonly stateSetAt: SecondsRange | undefined;
  readonly flag: Flag | undefined;
}

/** The rows that a page with a filter by flag, or of a search, may read. */
const MAX_ROWS = 2000;

const INDEX = 'by_program_state';
const CONVERTED_STATES = STATES.filter((state) => state !== 'clicked');

/** A referral in the list of all referrals of a program. */
export type ProgramReferral = ReturnType<typeof parseProgramReferral>;

/** A page of the list: after the row with a sort key, and only the rows that a search finds. */
interface ProgramPaging {
  readonly after: string | undefined;
  readonly size: number;
  readonly isFound?: (referral: ProgramReferral) => boolean;
}

/** The rows of one partition, and the position up to which they are complete: `undefined` if all of them were read. */
interface Reading {
  readonly items: readonly Item[];
  readonly end: string | undefined;
}

/**
 * Reads up to `size` referrals of a program, the latest change first, after the row with the sort key `after`. Each state
 * has a partition, and all of them are read in parallel. With a filter by flag or a search, a page may be short or empty
 * although more rows follow. Throws `InvalidCursor`.
 */
export async function readProgramPage(
  table: Table,
  program: string,
  { state, stateSetAt = ALL_TIME, flag }: ProgramFilters,
  { after, size, isFound }: ProgramPaging,
): Promise<Page> {
  if (after !== undefined && !isSortKey(after)) throw new InvalidCursor();
  const states = state ? [state] : CONVERTED_STATES;
  // One more row than requested shows whether more rows follow.
  const isWhole = flag === undefined && isFound === undefined;
  const limit = isWhole ? size + 1 : Math.floor(MAX_ROWS / states.length);
  const readings = await Promise.all(
    states.map((each) => {
      const partition = programState(program, each);
      return readRows(table, { index: INDEX, partition, range: stateSetAt, filter: { flag } }, after, limit);
    }),
  );
  // Before this position, every partition is complete.
  const end =
    readings
      .map((reading) => reading.end ?? '')
      .sort()
      .at(-1) ?? '';
  const rows = readings
    .flatMap(({ items }) => items)
    .filter((item) => isFound === undefined || isFound(parseProgramReferral(item)))
    .map((item) => ({ item, position: positionOf(item) }))
    .filter(({ position }) => position >= end)
    .sort((one, other) => (one.position < other.position ? 1 : -1));
  // A lagging index may still have the row of the previous state.
  const latest = [...Map.groupBy(rows, ({ position }) => lastPart(position)).values()].flatMap(
    ([first]) => first ?? [],
  );
  const page = latest.slice(0, size);
  const next = latest.length > size ? page.at(-1)?.position : end;
  return { items: page.map(({ item }) => item), next: next || undefined };
}

async function readRows(table: Table, plan: Plan, after: string | undefined, limit: number): Promise<Reading> {
  const query = buildQuery(plan, after);
  if (!query) return { items: [], end: undefined };
  const { value } = await queryPages(table, query, () => limit).next();
  return { items: value?.items ?? [], end: value?.lastKey && positionOf(value.lastKey) };
}

const positionOf = (item: Item): string => required(item, INDEXES[INDEX].sortKey, text);
