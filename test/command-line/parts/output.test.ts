import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Report } from '../../../bin/admin/import/report.ts';
import { renderList } from '../../../bin/admin/output.ts';

const ID = '0192e505-9000-77f3-bf94-41d1854e99e1';
const PROGRAM = { id: ID, name: 'Shop', commission_percentage: 20 };
const COLUMNS = ['id', 'name', 'commission_percentage'] as const;

const list = (width: number, ...rows: (typeof PROGRAM)[]) => renderList(rows, COLUMNS, 'None.').text(width);

test('a list has its natural width if it fits, or if the output is not a terminal', () => {
  const natural = list(Number.POSITIVE_INFINITY, PROGRAM);
  expect(natural.split('\n')).toEqual([
    `┌${'─'.repeat(38)}┬──────┬───────────────────────┐`,
    `│ id${' '.repeat(35)}│ name │ commission percentage │`,
    `├${'─'.repeat(38)}┼──────┼───────────────────────┤`,
    `│ ${ID} │ Shop │ 20                    │`,
    `└${'─'.repeat(38)}┴──────┴───────────────────────┘`,
  ]);
  expect(list(71, PROGRAM)).toBe(natural);
});

test('a list becomes blocks of lines if the columns do not fit, with values that can be copied', () => {
  const text = list(40, PROGRAM, { ...PROGRAM, name: 'A shop with a name in two lines' });
  expect(text).toBe(
    [
      ...['id', `  ${ID}`, 'name                   Shop', 'commission percentage  20', ''],
      ...['id', `  ${ID}`, 'name                   A shop with a', '                       name in two lines'],
      'commission percentage  20',
    ].join('\n'),
  );
});

test('no table is wider than the terminal, and no character is lost', () => {
  const unit = fc.constantFrom('a', 'Z', '7', '@', '/', '-', '京', 'é');
  const word = fc.string({ unit, minLength: 1, maxLength: 30 });
  const value = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const row = fc.record({ id: fc.constant(ID), name: value, email: value });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 160 }), (rows, width) => {
      const text = renderList(rows, ['id', 'name', 'email'], '').text(width);
      const [border = ''] = text.split('\n');
      if (border.startsWith('┌')) expect(border.length).toBeLessThanOrEqual(width);
      const characters = (of: string) => [...of.replace(/[\s│┌┬┐├┼┤└┴┘─]/g, '')].sort().join('');
      const labels = border.startsWith('┌') ? 'idnameemail' : 'idnameemail'.repeat(rows.length);
      expect(characters(text)).toBe(characters(labels + rows.map((of) => Object.values(of).join('')).join('')));
    }),
  );
});

test.each([0, 20, 21, 1001])('a report of %d failed lines shows 20 of them as text, and all as JSON', (count) => {
  const report = new Report('customer');
  for (const outcome of ['created', 'skipped', 'created'] as const) report.add(2, outcome);
  for (let line = 3; line < count + 3; line += 1) report.add(line, { reason: `"${line % 3}"` });
  const failed = Array.from({ length: count }, (_, index) => ({ line: index + 3, reason: `"${index % 3}"` }));
  expect([...report.json()].join('')).toBe(`${JSON.stringify({ created: 2, skipped: 1, failed })}\n`);
  expect(report.failures).toBe(count);
  const lines = report.text().split('\n').slice(5, -1);
  expect(lines).toHaveLength(Math.min(count, 20) + (count > 20 ? 1 : 0));
  if (count > 20) expect(lines.at(-1)).toBe(`… and ${count - 20} more. Run with --json to see all failed lines.`);
});
