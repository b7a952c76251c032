import { availableParallelism } from 'node:os';
import { Copy, startOf } from './checkout.ts';
import { type Result, runSuite } from './suite.ts';
import type { Mutant } from './table.ts';

/** What happened to a mutant. `stale`: its text does not occur exactly once. */
export interface Outcome extends Pick<Result, 'test'> {
  readonly mutant: Mutant;
  readonly verdict: Result['verdict'] | 'stale';
}

/** As many as jest has for the suites: many tests wait for the engine. */
const WORKERS = Math.ceil(1.5 * availableParallelism());

/** True for a caught mutant, and for an equivalent one that survives. */
export function isExpected({ mutant: { equivalent }, verdict }: Outcome): boolean {
  return equivalent === undefined ? verdict === 'killed' || verdict === 'hangs' : verdict === 'survives';
}

const isFound = (mutant: Mutant) => startOf(mutant) !== undefined;

/** Throws what the compiler says if mutants are no valid TypeScript. Skips stale ones. */
export async function checkTypes(mutants: readonly Mutant[]): Promise<void> {
  using copy = new Copy();
  for (const round of roundsOf(mutants.filter(isFound))) {
    const errors = await copy.typeErrors(round);
    if (errors !== '') throw new Error(`Faults must be valid TypeScript:\n${errors}`);
  }
}

/**
 * Tries mutants that are valid TypeScript, each alone, in copies of the checkout. A suite that also fails without them
 * catches all of them: run `npm run test:all` before.
 */
export async function tryMutants(mutants: readonly Mutant[], onOutcome: (outcome: Outcome) => void): Promise<void> {
  using copies = new DisposableStack();
  const left = mutants.values();
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      const copy = copies.use(new Copy());
      for (const mutant of left) {
        if (!isFound(mutant)) onOutcome({ mutant, verdict: 'stale' });
        else onOutcome({ mutant, ...(await copy.with([mutant], () => runSuite(copy, mutant.suite))) });
      }
    }),
  );
}

/** Divides mutants into groups without overlapping texts, which the compiler checks together. */
function roundsOf(mutants: readonly Mutant[]): Mutant[][] {
  const rounds: Mutant[][] = [];
  const overlap = (one: Mutant, other: Mutant) => {
    if (one.file !== other.file) return false;
    const [start = 0, otherStart = 0] = [startOf(one), startOf(other)];
    return start < otherStart + other.text.length && otherStart < start + one.text.length;
  };
  for (const mutant of mutants) {
    const round = rounds.find((others) => !others.some((other) => overlap(mutant, other)));
    if (round) round.push(mutant);
    else rounds.push([mutant]);
  }
  return rounds;
}
