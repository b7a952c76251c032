import { describe, expect, test } from '@jest/globals';
import { parseSearch, searchFor } from '../../../functions/advocates/rules/search.ts';

const ZOE = {
  firstName: 'Zoë',
  lastName: "O'Brien Ørsted",
  company: 'Groß & Söhne',
  slug: 'zoe-brien-2',
  email: 'zoë.b@partners.example',
};
const ERASED = { firstName: null, lastName: null, company: 'Acme', slug: 'zoe-brien-2', email: null };

describe('searchFor', () => {
  test.each([
    ['zo', true],
    ['ZOE', true],
    ['zoë orst', true],
    ["o'brien", true],
    ['gros soh', true],
    ['groß', true],
    ['zoe-brien', true],
    ['brien-2', true],
    ['  zoe   -  ', true],
    ['zoe.b@part', true],
    ['zoe zoe.b@partners.example', true],
    ['rien', false],
    ['zoe jane', false],
    ['partners', false],
    ['b@partners', false],
    ['2-brien zoex', false],
  ])('the text %j finds an advocate: %s', (text, isFound) => {
    expect(searchFor(text)(ZOE)).toBe(isFound);
  });

  test('the text finds an erased advocate by its slug and company only', () => {
    expect(['zoe', 'acme', 'orsted'].map((text) => searchFor(text)(ERASED))).toEqual([true, true, false]);
  });
});

test.each([
  ['', 'must be 1 to 100 characters long'],
  ['a'.repeat(101), 'must be 1 to 100 characters long'],
  [' - ', 'must contain a letter or a digit'],
  ['a\u0000', 'must not contain control characters, line separators or lone surrogates'],
])('parseSearch refuses %j', (text, sentence) => {
  expect(() => parseSearch('search', text)).toThrow(`search ${sentence}`);
});
