import { expect, test } from '@jest/globals';
import { costTables } from '../bench/costs.ts';
import { documentText } from '../support/documents/documents.ts';

test('docs/deploy.md has the tables that `npm run costs` prints', () => {
  const [, tables] = /<!-- costs -->\n([\s\S]*?)\n<!-- \/costs -->/.exec(documentText('docs/deploy.md')) ?? [];
  expect(tables).toBe(costTables());
});

test('every amount in the README is a total of these tables', () => {
  const amounts = [...documentText('README.md').matchAll(/\$(\d+\.\d\d)/g)].map(([, amount]) => `**${amount}**`);
  expect(amounts).not.toEqual([]);
  expect(amounts.filter((amount) => !costTables().includes(amount))).toEqual([]);
});

test('each row adds up to its total', () => {
  const rows = costTables()
    .split('\n')
    .filter((line) => line.includes('**'))
    .map((line) => [...line.matchAll(/\d+\.\d\d/g)].map(([amount]) => Math.round(Number(amount) * 100)));
  expect(rows).toHaveLength(14);
  for (const row of rows) {
    const total = row.at(-1);
    expect(row.slice(0, -1).reduce((sum, cost) => sum + cost, 0)).toBe(total);
  }
});
