import { expect, test } from '@jest/globals';
import { parseMetadata, storedMetadata } from '../../../functions/domain/metadata.ts';
import { refusal } from '../samples.ts';

test('stored metadata has its keys in the order of their code units, because the table keeps none', () => {
  expect(Object.keys(storedMetadata({ b: '1', a: '2', B: '3' }) ?? {})).toEqual(['B', 'a', 'b']);
});

test('the size of metadata counts bytes, not characters', () => {
  const metadata = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => [key, 'é'.repeat(150)]));
  expect(JSON.stringify(metadata).length).toBeLessThan(2048);
  expect(refusal(() => parseMetadata('metadata', metadata))).toBe('metadata must have at most 2048 bytes as JSON');
});

test.each([[7], [null], [''], ['é'.repeat(201)]])(
  'the error of metadata with the value %p says what values are',
  (plan) => {
    const sentence = 'metadata must have texts of 1 to 200 characters as values';
    expect(refusal(() => parseMetadata('metadata', { plan }))).toBe(sentence);
  },
);
