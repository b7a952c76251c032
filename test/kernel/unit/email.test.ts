import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseEmail } from '../../../functions/kernel/fields/fields.ts';
import { refusal } from '../../support/samples.ts';

const parse = (text: string) => parseEmail('email', text);
const SENTENCE = 'email must be an email address such as name@example.com';
/** A domain of exactly `length` characters, in labels of at most 63. */
const domainOf = (length: number) =>
  `${'abcdefghi.'.repeat(40).slice(0, length - 4)}`.replace(/\.$/, 'x').concat('.com');

const ATOM_TEXT = "abcXYZ019!#$%&'*+/=?^_`{|}~-";
const atom = fc.string({ unit: fc.constantFrom(...ATOM_TEXT), minLength: 1, maxLength: 12 });
const localPart = fc.array(atom, { minLength: 1, maxLength: 4 }).map((atoms) => atoms.join('.'));
const label = fc.stringMatching(/^[a-zA-Z](?:[a-zA-Z0-9-]{0,15}[a-zA-Z0-9])?$/).filter((text) => !/^..--/.test(text));
const domain = fc.array(label, { minLength: 2, maxLength: 5 }).map((labels) => labels.join('.'));
const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\r', '\n', '\u00a0', '\u3000') });

describe('emails', () => {
  test('an email is trimmed and in lower case, and keeps plus-tags and dots', () => {
    fc.assert(
      fc.property(localPart, domain, space, space, (local, host, before, after) => {
        expect(parse(`${before}${local}@${host}${after}`)).toBe(`${local}@${host}`.toLowerCase());
      }),
      { numRuns: 500 },
    );
    expect(parse('  Zoe+A.b@BÜCHER.example ')).toBe('zoe+a.b@xn--bcher-kva.example');
  });

  test('an email has a local part of at most 64 characters', () => {
    expect(parse(`${'a'.repeat(64)}@example.com`)).toHaveLength(76);
    expect(refusal(() => parse(`${'a'.repeat(65)}@example.com`))).toBe(SENTENCE);
  });

  test('an email has at most 254 characters, counted in ASCII and without the white space around it', () => {
    const longest = `a@${domainOf(252)}`;
    expect(longest).toHaveLength(254);
    expect(parse(` ${longest} `)).toBe(longest);
    expect(refusal(() => parse(`ab@${domainOf(252)}`))).toBe(SENTENCE);
    expect(refusal(() => parse(`a@${domainOf(253)}`))).toBe(SENTENCE);
    const short = `${'a'.repeat(60)}@${'ü'.repeat(40)}.${'ü'.repeat(40)}.${'ü'.repeat(40)}.example.com`;
    expect(parse(short).length).toBeLessThanOrEqual(254);
    const grown = `${'a'.repeat(64)}@${'bücherbüchlein.'.repeat(9)}example.com`;
    expect(grown.length).toBeLessThan(254);
    expect(refusal(() => parse(grown))).toBe(SENTENCE);
  });

  test.each([
    ['a@bücher.example', 'a@xn--bcher-kva.example'],
    ['a@b。example', 'a@b.example'],
    ['a@\u212A.example', 'a@k.example'],
    ["o'neil!#$%&*+/=?^_`{|}~-@b.example", "o'neil!#$%&*+/=?^_`{|}~-@b.example"],
    // UTS #46 maps every capital sigma to the same small one, wherever it stands in a word.
    ['a@ΟΔΟΣ-Α.example', 'a@xn----zlbh7bby.example'],
  ])('the email %p is stored as %p', (text, stored) => {
    expect(parse(text)).toBe(stored);
  });

  test.each([
    '',
    '@b.example',
    '.a@b.example',
    '"a b"@b.example',
    'a@-b.example',
    'a@b\t.example',
    'a@b_c.example',
    'a@ü.1',
    'a@b%61.example',
    'ü@b.example',
    '\u212A@b.example',
    'a@b.example\n@c',
  ])('the email %j is not valid', (text) => {
    expect(refusal(() => parse(text))).toBe(SENTENCE);
  });
});
