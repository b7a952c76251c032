import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DuplicateCounter } from '../../../bin/admin/import/duplicate-counter.ts';

test('a line gets the number of equal lines before it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e')), (lines) => {
      const equalLines = new DuplicateCounter(4);
      const numbers = lines.map((line) => equalLines.numberOf(line));
      const before = (index: number) => lines.slice(0, index).filter((line) => line === lines[index]).length;
      expect(numbers).toEqual(lines.map((_, index) => before(index)));
    }),
  );
});

test('the table grows with the number of lines', () => {
  const equalLines = new DuplicateCounter(16);
  const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index}`);
  // Even among so many lines, hardly any two share a hash.
  const shared = new Set(lines.filter((line) => equalLines.numberOf(line) > 0));
  expect(shared.size).toBeLessThan(10);
  const alone = lines.filter((line) => !shared.has(line));
  expect(alone.filter((line) => equalLines.numberOf(line) !== 1).length).toBeLessThan(10);
});
