import { Copy, startOf } from './checkout.ts';
import { type KillerResult, runKiller } from './killer.ts';
import type { Mutant } from './table.ts';

/** What happened to a mutant. `stale`: its text does not occur exactly once. `unreliable`: its killer fails without it. */
export interface Outcome extends Pick<KillerResult, 'test'> {
  readonly mutant: Mutant;
  readonly verdict: KillerResult['verdict'] | 'stale' | 'unreliable';
}

const WORKERS = 2;
/** The limit of a killer, and how much longer it may take with a mutant, in milliseconds. */
const LIMIT = 600_000;
const PATIENCE = { factor: 5, addition: 30_000 };

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

/** Tries mutants that are valid TypeScript, each alone, in copies of the checkout. */
export async function tryMutants(mutants: readonly Mutant[], onOutcome: (outcome: Outcome) => void): Promise<void> {
  using copies = new DisposableStack();
  const workers = Array.from({ length: WORKERS }, () => copies.use(new Copy()));
  const inParallel = async <Value>(values: Iterable<Value>, work: (value: Value, copy: Copy) => Promise<void>) => {
    const left = [...values].values();
    await Promise.all(
      workers.map(async (copy) => {
        for (const value of left) await work(value, copy);
      }),
    );
  };

  const found = mutants.filter(isFound);
  for (const mutant of mutants) if (!found.includes(mutant)) onOutcome({ mutant, verdict: 'stale' });
  const limits = new Map<string, number>();
  await inParallel(new Set(found.map(({ killer }) => killer)), async (killer, { folder }) => {
    // Again if it fails, because a failure by chance would make all its faults unreliable.
    for (let attempt = 1; attempt <= 2 && !limits.has(killer); attempt += 1) {
      const start = performance.now();
      const { verdict } = await runKiller(folder, killer, LIMIT);
      const limit = PATIENCE.addition + PATIENCE.factor * Math.ceil(performance.now() - start);
      if (verdict === 'survives') limits.set(killer, limit);
    }
  });
  await inParallel(found, async (mutant, copy) => {
    const limit = limits.get(mutant.killer);
    if (limit === undefined) return onOutcome({ mutant, verdict: 'unreliable' });
    onOutcome({ mutant, ...(await copy.with([mutant], () => runKiller(copy.folder, mutant.killer, limit))) });
  });
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
