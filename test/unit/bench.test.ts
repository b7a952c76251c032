import { describe, expect, test } from '@jest/globals';
import { pagesOf } from '../bench/pages.ts';
import { figure, markdownTable, quantile, slowerHere, splice } from '../bench/report.ts';

const DOCUMENT = `# Title

<!-- bench: one -->

old

<!-- /bench -->

Between.

<!-- bench: two -->

also old

<!-- /bench -->
`;

describe('splice', () => {
  test('replaces only what stands between the markers of its section', () => {
    const changed = splice(DOCUMENT, { name: 'two' }, 'new');
    expect(changed).toBe(DOCUMENT.replace('also old', 'new'));
    expect(splice(changed, { name: 'one' }, 'new')).toContain('-->\n\nnew\n\n<!-- /bench -->\n\nBetween.');
  });

  test('does not change the document when the same content is written again', () => {
    const changed = splice(DOCUMENT, { name: 'one' }, 'a $& b');
    expect(splice(changed, { name: 'one' }, 'a $& b')).toBe(changed);
    expect(changed).toContain('a $& b');
  });

  test('refuses a section without markers', () => {
    expect(() => splice(DOCUMENT, { name: 'three' }, 'new')).toThrow('The document has no markers for three.');
  });
});

describe('slowerHere', () => {
  const time = { figure: 'time', unit: 'ms', peer: 'a peer' };

  test('lists only figures that are worse by more than two percent, the largest factor first', () => {
    const { rows } = slowerHere([
      { ...time, here: 102, there: 100 },
      { ...time, here: 103, there: 100 },
      { ...time, here: 50, there: 100 },
      { ...time, here: 300, there: 100 },
    ]);
    expect(rows.map(([, here]) => here)).toEqual(['300 ms', '103 ms']);
  });

  test('treats a lower number of requests a second as worse', () => {
    const rate = { figure: 'rate', unit: '', peer: 'a peer', isMoreBetter: true };
    const { rows } = slowerHere([
      { ...rate, here: 50, there: 100 },
      { ...rate, here: 200, there: 100 },
    ]);
    expect(rows).toEqual([['rate', '50', '100', 'a peer', '2']]);
  });
});

test.each([
  [0, '0'],
  [0.12345, '0.123'],
  [12.345, '12.3'],
  [1234.5, '1,235'],
])('%d has three significant digits: %s', (value, text) => expect(figure(value)).toBe(text));

test('a table has columns of one width', () => {
  const table = markdownTable({ head: ['name', 'ms'], rows: [['a', '1,000']] });
  expect(table).toBe('| name | ms    |\n| ---- | ----- |\n| a    | 1,000 |');
});

test('a quantile is a measured number', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([51, 100, 100]);
});

test('the measured pages end with the last one', () => {
  expect(pagesOf(100_000)).toEqual([1, 20, 200, 2000]);
  expect(pagesOf(1_000_000)).toEqual([1, 20, 200, 2000, 20_000]);
  expect(pagesOf(50)).toEqual([1]);
});
