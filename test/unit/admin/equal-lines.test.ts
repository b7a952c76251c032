import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EqualLines } from '../../../bin/admin/import/equal-lines.ts';

test('a line is told how many equal ones came before it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e')), (lines) => {
      const equalLines = new EqualLines();
      const numbers = lines.map((line) => equalLines.numberOf(line));
      const before = (index: number) => lines.slice(0, index).filter((line) => line === lines[index]).length;
      expect(numbers).toEqual(lines.map((_, index) => before(index)));
    }),
  );
});

test('however many lines there are', () => {
  const equalLines = new EqualLines();
  const lines = Array.from({ length: 120_000 }, (_, index) => `line ${index}`);
  // Of so many lines one or two share their hash with another.
  const seconds = lines.filter((line) => equalLines.numberOf(line) > 0);
  expect(seconds.length).toBeLessThan(20);
  const known = new Set(seconds);
  for (const line of lines) if (!known.has(line)) expect(equalLines.numberOf(line)).toBeGreaterThan(0);
});
