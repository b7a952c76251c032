import { inspect } from 'node:util';

/** What a person sees of the run: each check with its seconds. */
const counts = { passed: 0, failed: 0 };
const failures: string[] = [];
const started = performance.now();

export const seconds = () => ((performance.now() - started) / 1000).toFixed(0).padStart(3);

/** Runs a named check, and prints its outcome. A failed check does not stop the others: it resolves to `undefined`. */
export async function check<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
  const start = performance.now();
  try {
    const result = await work();
    counts.passed += 1;
    console.log(`${seconds()} s  passed  ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    return result;
  } catch (error) {
    counts.failed += 1;
    const why = error instanceof Error ? error.message : inspect(error);
    failures.push(`${name}: ${why}`);
    console.log(`${seconds()} s  FAILED  ${name}\n       ${why.replaceAll('\n', '\n       ')}`);
    return undefined;
  }
}

/** A failed check ends the part of the run that needs it. */
class Stopped extends Error {}

/** Runs a part of the run to its end, or to a check that it needs. Never rejects. */
export async function part(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Stopped)) await check(name, () => Promise.reject(error));
  }
}

/** Runs a check without which the rest makes no sense. Throws if it fails, which ends the part of the run. */
export async function need<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const done = await check(name, async () => ({ result: await work() }));
  if (!done) throw new Stopped(name);
  return done.result;
}

/** Longest line of a message, in characters: a whole page would hide what follows it. */
const LONGEST_LINE = 400;

/** Throws if two values differ as JSON. */
export function equal(actual: unknown, expected: unknown, what = 'value'): void {
  const [one = '', other = ''] = [actual, expected].map((value) => JSON.stringify(value, null, 1));
  if (one === other) return;
  const [was, wanted] = [one, other].map((text) =>
    text
      .split('\n')
      .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line))
      .join('\n'),
  );
  throw new Error(`${what}: expected ${wanted}, but was ${was}`);
}

/** Calls a function until it returns something. Throws after `limit` seconds. */
export async function until<Result>(
  what: string,
  find: () => Promise<Result | undefined>,
  limit = 60,
): Promise<Result> {
  const end = performance.now() + limit * 1000;
  while (performance.now() < end) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`Within ${limit} seconds: no ${what}`);
}

/** Prints the failures again, and the counts as the last line. Returns the exit status. */
export function report(): number {
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}
