import { expect, test } from '@jest/globals';
import { chartOf, withFigures } from '../bench/document.ts';
import { quantile, rounded } from '../bench/report.ts';
import { documentText } from '../support/documents/documents.ts';

const DOCUMENT = documentText('docs/benchmarks.md');
const RESULTS = JSON.parse(documentText('docs/benchmarks.json'));

test('the figures and the chart in docs/benchmarks.md are made of docs/benchmarks.json', () => {
  expect(withFigures(DOCUMENT, RESULTS)).toBe(DOCUMENT);
  expect(chartOf(RESULTS)).toBe(documentText('docs/benchmarks.svg'));
});

test('a figure without a result, and a document without markers, are refused', () => {
  expect(() => withFigures(DOCUMENT, { ...RESULTS, units: undefined })).toThrow('units has no write units of');
  expect(() => withFigures('', RESULTS)).toThrow('The document has no markers for the figures.');
});

test.each([
  [0, 0],
  [0.12345, 0.123],
  [12.345, 12.3],
  [1234.5, 1235],
])('%d has three significant digits: %d', (value, result) => expect(rounded(value)).toBe(result));

test('a quantile is a measured number', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([51, 100, 100]);
});
