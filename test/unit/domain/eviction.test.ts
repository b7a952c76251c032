import { expect, test } from '@jest/globals';
import { dropOldest } from '../../../functions/domain/eviction.ts';

test('the oldest entries of a Map or a Set are dropped, and only as many as necessary', () => {
  const set = new Set(['a', 'b', 'c']);
  dropOldest(set, 3);
  expect([...set]).toEqual(['a', 'b', 'c']);
  dropOldest(set, 1);
  expect([...set]).toEqual(['c']);
  const map = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  map.delete('a');
  map.set('a', 3);
  dropOldest(map, 1);
  expect([...map]).toEqual([['a', 3]]);
});
