import { expect, test } from '@jest/globals';
import { parseMetadata, storedMetadata } from '../../../functions/domain/metadata.ts';
import { refusal } from '../samples.ts';

test('metadata has its keys in one order, whatever the order in the request or the table', () => {
  const [one, other] = [
    { b: '1', a: '2', 10: '3', B: '4', 9: '5' },
    { 9: '5', B: '4', a: '2', b: '1', 10: '3' },
  ];
  expect(JSON.stringify(parseMetadata('metadata', one))).toBe(JSON.stringify(storedMetadata(other)));
});

test('the size of metadata counts bytes, not characters', () => {
  const metadata = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => [key, 'é'.repeat(150)]));
  expect(JSON.stringify(metadata).length).toBeLessThan(2048);
  expect(refusal(() => parseMetadata('metadata', metadata))).toBe('metadata must have at most 2048 bytes as JSON');
});

test('values of metadata have no zero-width characters or bidirectional controls', () => {
  expect(refusal(() => parseMetadata('metadata', { plan: 'a\u202eb' }))).toMatch(
    /^metadata must not contain zero-width/,
  );
});

test.each([[7], [null], [''], ['é'.repeat(201)]])(
  'the error of metadata with the value %p says what values are',
  (plan) => {
    const sentence = 'metadata must have texts of 1 to 200 characters as values';
    expect(refusal(() => parseMetadata('metadata', { plan }))).toBe(sentence);
  },
);

test.each(['a b', 'k'.repeat(41), '__proto__'])('metadata must not have the key %p', (key) => {
  expect(refusal(() => parseMetadata('metadata', JSON.parse(`{"${key}":"x"}`)))).toBe(
    'metadata must have keys of 1 to 40 letters, digits, hyphens or underscores, and not __proto__',
  );
});
