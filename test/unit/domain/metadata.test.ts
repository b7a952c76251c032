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
