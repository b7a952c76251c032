import { expect, test } from '@jest/globals';
import { mostSimilar } from '../../../bin/admin/suggestion.ts';

test.each([
  ['a letter is missing', 'shw', ['list', 'show'], ['show']],
  ['a letter is one too many', 'shoow', ['list', 'show'], ['show']],
  ['a letter is another one', 'shew', ['list', 'show'], ['show']],
  ['two letters are swapped', 'hsow', ['list', 'show'], ['show']],
  ['the case differs', 'SHOW', ['list', 'show'], ['show']],
  ['hyphens are missing', 'site_url', ['--site-url', '--name'], ['--site-url']],
  ['two candidates are equally similar', 'activate', ['deactivate', 'reactivate'], ['deactivate', 'reactivate']],
  ['one candidate is more similar than another', 'lits', ['last', 'list'], ['list']],
  ['a candidate occurs twice', 'shw', ['show', 'show'], ['show']],
  ['more than half of a short word differs', 'abc', ['csv', 'ndjson'], []],
  ['half of a word differs', 'update', ['create', 'rotate'], []],
  ['more than three letters differ', 'attributive', ['attribution-days'], []],
  ['the word is empty', '', ['csv'], []],
  ['there are no candidates', 'csv', [], []],
])('if %s', (_, word, candidates, expected) => {
  expect(mostSimilar(word, candidates)).toEqual(expected);
});
