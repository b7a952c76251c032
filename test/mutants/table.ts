import { API } from './faults/api.ts';
import { APPLICATIONS } from './faults/applications.ts';
import { EDGE } from './faults/edge.ts';
import { EVENTS } from './faults/events.ts';
import { MCP } from './faults/mcp.ts';
import { OPERATOR } from './faults/operator.ts';
import { PAGES } from './faults/pages.ts';
import { PEOPLE } from './faults/people.ts';
import { RULES } from './faults/rules.ts';
import { TABLE } from './faults/table.ts';

/**
 * A fault: a text that occurs once in its file, what replaces it, and the suite that must notice it: the start of a path
 * below `test`. `equivalent` says why nothing can notice it.
 */
export type Fault = readonly [text: string, replacement: string, suite: string, equivalent?: string];

/** Faults by file. */
export type Faults = Readonly<Record<string, readonly Fault[]>>;

/** A fault and its file. */
export interface Mutant {
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
  readonly suite: string;
  readonly equivalent: string | undefined;
}

export const mutantsOf = (faults: Faults): Mutant[] =>
  Object.entries(faults).flatMap(([file, rows]) =>
    rows.map(([text, replacement, suite, equivalent]) => ({ file, text, replacement, suite, equivalent })),
  );

export const MUTANTS: readonly Mutant[] = [
  RULES,
  TABLE,
  OPERATOR,
  API,
  EVENTS,
  EDGE,
  PEOPLE,
  APPLICATIONS,
  PAGES,
  MCP,
].flatMap(mutantsOf);
