import { expect, test } from '@jest/globals';
import { callTable, costTables } from '../bench/costs.ts';
import { chartOf, withFigures } from '../bench/document.ts';
import { EDGE_FLOOD_DOLLARS, edgeMonthTable, monthOf, STEADY_FLOOD } from '../bench/edge-costs.ts';
import { FLOOD_DOLLARS, FLOOD_DOLLARS_WITH_PAGES, floodTable, SILENCING_RATE } from '../bench/flood.ts';
import { documentText } from '../support/documents/documents.ts';

test.each([
  ['calls', callTable],
  ['edge', edgeMonthTable],
])('docs/deploy.md has the table of %s that `npm run costs` prints', (name, print) => {
  const pattern = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)\\n<!-- /${name} -->`);
  const [, tables] = pattern.exec(documentText('docs/deploy.md')) ?? [];
  expect(tables).toBe(print());
});

test('the amounts in the prose of docs/deploy.md are in the tables, or of the flood below the limits', () => {
  const prose = documentText('docs/deploy.md').replace(/<!-- (\w+) -->[\s\S]*?<!-- \/\1 -->/g, '');
  const steady = STEADY_FLOOD.dollars.toFixed(2);
  expect(prose).toMatch(new RegExp(`silences ${STEADY_FLOOD.silent} routes, .* for \\$${steady} a day with a plan`));
  const printed = [costTables(), floodTable(), edgeMonthTable(), steady].join('\n');
  const amounts = [...prose.matchAll(/\$(\d+(?:\.\d\d)?)/g)].map(([, amount]) => String(amount));
  expect(amounts.length).toBeGreaterThan(5);
  expect(amounts.filter((amount) => !new RegExp(`(?<![\\d.])${amount}(?![\\d])`).test(printed))).toEqual([]);
});

test.each(['SECURITY.md', 'docs/operations.md'])('%s has the figures of a flood', (document) => {
  const dollars = [FLOOD_DOLLARS, FLOOD_DOLLARS_WITH_PAGES].map((each) => Math.round(each / 10) * 10);
  const text = documentText(document);
  expect([...text.matchAll(/\$(\d+) a day/g)].map(([, amount]) => Number(amount))).toEqual(dollars);
  expect(text).toContain(`${SILENCING_RATE} requests a second`);
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
  expect(rows).toHaveLength(16);
  for (const row of rows) {
    const total = row.at(-1);
    expect(row.slice(0, -1).reduce((sum, cost) => sum + cost, 0)).toBe(total);
  }
});

test('a month of a million clicks and nine million loads of the script costs at most $27 with a plan', () => {
  const { requests, planName, dollars } = monthOf(1_000_000);
  expect([requests, planName]).toEqual([10_000_000, 'Pro, $15']);
  expect(dollars.plan).toBeLessThanOrEqual(27);
});

test('a day of flood from one address costs at most $1 beyond a plan', () => {
  expect(EDGE_FLOOD_DOLLARS.plan).toBeLessThanOrEqual(1);
});

const BENCHMARKS = documentText('docs/benchmarks.md');
const RESULTS = JSON.parse(documentText('docs/benchmarks.json'));

test('the figures and the chart in docs/benchmarks.md are made of docs/benchmarks.json', () => {
  expect(withFigures(BENCHMARKS, RESULTS)).toBe(BENCHMARKS);
  expect(chartOf(RESULTS)).toBe(documentText('docs/benchmarks.svg'));
});

test('a figure without a result, and a document without markers, are refused', () => {
  expect(() => withFigures(BENCHMARKS, { ...RESULTS, units: undefined })).toThrow('units has no write units of');
  expect(() => withFigures('', RESULTS)).toThrow('The document has no markers for the figures.');
});
