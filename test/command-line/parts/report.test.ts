import { expect, test } from '@jest/globals';
import { Report } from '../../../bin/admin/import/report.ts';

const textOf = (pieces: Iterable<string>) => [...pieces].join('');

test.each([0, 1, 20, 21, 999, 1000, 1001, 2500])('a report of %d failed lines is one JSON document', (count) => {
  const report = new Report('customer');
  for (const outcome of ['created', 'skipped', 'created'] as const) report.add(2, outcome);
  for (let line = 3; line < count + 3; line += 1) report.add(line, { reason: `"${line % 3}"` });
  const failed = Array.from({ length: count }, (_, index) => ({
    line: index + 3,
    reason: `"${index % 3}"`,
  }));
  expect(textOf(report.json())).toBe(`${JSON.stringify({ created: 2, skipped: 1, failed })}\n`);
  expect(report.failures).toBe(count);
  const lines = textOf(report.text()).split('\n').slice(5, -1);
  expect(lines).toHaveLength(Math.min(count, 20) + (count > 20 ? 1 : 0));
  if (count > 20) expect(lines.at(-1)).toBe(`… and ${count - 20} more. Run with --json to see all failed lines.`);
});

test.each([
  [0, undefined],
  [1, '1 of the skipped lines contradicts an earlier line or import of the same customer: 2.'],
  [3, '3 of the skipped lines contradict an earlier line or import of the same customer: 2, 3, 4.'],
  [10, expect.stringContaining(': 2, 3, 4, 5, 6, 7, 8, 9, 10, 11.')],
  [1000, expect.stringContaining(': 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 990 more.')],
])('%d contradictions are counted as skipped lines, and a warning names the first ones', (count, expected) => {
  const report = new Report('customer');
  report.add(1, 'skipped');
  for (let line = 2; line < count + 2; line += 1) report.add(line, 'contradicted');
  expect(textOf(report.json())).toBe(`{"created":0,"skipped":${count + 1},"failed":[]}\n`);
  const stays = ' What was imported first stays.';
  expect(report.warning).toEqual(typeof expected === 'string' ? `${expected}${stays}` : expected);
});
