import { expect, test } from '@jest/globals';
import { startOf } from '../mutants/checkout.ts';
import { isExpected, type Outcome, tryMutants } from '../mutants/run.ts';
import { MUTANTS, mutantsOf } from '../mutants/table.ts';

test('the text of each fault occurs once in its file', () => {
  expect(MUTANTS.filter((mutant) => startOf(mutant) === undefined)).toEqual([]);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(120);
});

const CACHE = 'functions/kernel/cache.ts';
const SUITE = 'kernel/unit/cache';

test('a run tells caught faults from ineffective, stale and equivalent ones', async () => {
  const mutants = mutantsOf({
    [CACHE]: [
      ['this.delete(oldest);', 'this.clear();', SUITE],
      ['if (this.size > this.#max', 'if (this.size > 0 + this.#max', SUITE],
      ['// A map keeps the order of insertion.', '// It does.', SUITE, 'It is a comment.'],
      ['no such text', 'no such text', SUITE],
      ['const TTL = 29_000;', 'const TTL = 30_000;', 'kernel/unit/no-such-file'],
    ],
  });
  const outcomes: Outcome[] = [];
  await tryMutants(mutants, (outcome) => outcomes.push(outcome));
  expect(Object.fromEntries(outcomes.map(({ mutant: { replacement }, verdict }) => [replacement, verdict]))).toEqual({
    'this.clear();': 'killed',
    'if (this.size > 0 + this.#max': 'survives',
    '// It does.': 'survives',
    'no such text': 'stale',
    'const TTL = 30_000;': 'broken',
  });
  expect(outcomes.filter(isExpected).map(({ mutant }) => mutant.replacement)).toEqual(['this.clear();', '// It does.']);
});
