import { describe, expect, test } from '@jest/globals';
import { cleanJson } from '../../../functions/mcp/rules/result.ts';

/** What a text becomes in a result with emails, or with masked ones. */
const cleaned = (text: unknown, masksEmails = false) =>
  JSON.parse(cleanJson(JSON.stringify({ text }), masksEmails)).text;
const masked = (text: unknown) => cleaned(text, true);

describe('the texts of a result', () => {
  test.each([
    ['control characters of ASCII', 'a\u0000b\u001b[2Jc\u007fd\ne\tf'],
    ['control characters of Latin-1', 'a\u0085b\u009fc'],
    ['characters that reorder text', 'a\u202eb\u2066c\u200ed'],
    ['invisible characters', 'a\u00adb\u200bc\u2060d\ufeffe'],
    ['tags that spell an invisible text', `a${String.fromCodePoint(0xe0041, 0xe007f)}b`],
    ['separators of lines, and selectors that can hide a text', `a\u2028b\u2029c${String.fromCodePoint(0xe0100)}`],
  ])('%s do not arrive', (_, text) => {
    const visible = text.replaceAll(/[^\x21-\x7e]+/g, '');
    expect(cleaned(text).replaceAll(/ +/g, '')).toBe(visible);
    expect(cleaned(text)).toMatch(/^[\x20-\x7e]+$/);
  });

  test.each(['नमस्ते क्‍ष', 'می‌خواهم', '👩‍🚀 👋🏽', 'Zoë & "Söhne" \\ <b>', '東京', '', 'O’Brien — 20 %'])(
    'the text %j of a language stays as it is',
    (text) => {
      expect([cleaned(text), masked(text)]).toEqual([text, text]);
    },
  );

  test('names of fields are cleaned like their values, because a merchant chooses the keys of metadata', () => {
    expect(cleanJson('{"metadata":{"a\\u202eb":"x","jane@shop.example":"y"}}', true)).toBe(
      '{"metadata":{"ab":"x","j***@shop.example":"y"}}',
    );
  });

  test('numbers keep all their digits, also above 2^53, and nothing else of the JSON changes', () => {
    const json = '{"commission":90071992547409931234,"rate":12.50,"list":[1e3,-0,true,null],"quote":"\\"1, 2\\""}';
    expect(cleanJson(json, true)).toBe(json);
  });
});

describe('masked emails', () => {
  test.each([
    ['zoe@shop.example', 'z***@shop.example'],
    [
      'Refund to zoe.b+x@shop.example, ask jane@partners.example!',
      'Refund to z***@shop.example, ask j***@partners.example!',
    ],
    ['Zoë <zoe@shop.example>', 'Zoë <z***@shop.example>'],
    ['{"email":"zoe@shop.example"}', '{"email":"z***@shop.example"}'],
    ['"zoë@bücher.example"', '"z***@bücher.example"'],
    ['https://shop.example/?email=zoe@shop.example', 'https:/***@shop.example'],
    ['zoe%40shop.example, zoe%2540shop.example', 'z***@shop.example, z***@shop.example'],
    ['zoe＠shop.example, zoe﹫shop。example', 'z***@shop.example, z***@shop。example'],
  ])('the text %j becomes %j', (text, expected) => {
    expect(masked(text)).toBe(expected);
    expect(cleaned(text)).toBe(text);
  });

  test('an email that an invisible character splits is masked', () => {
    expect(masked('zoe\u00ad@shop.example')).toBe('z***@shop.example');
  });

  test.each(['@jane', 'jane@localhost', '20 @ 5.00', 'a@b'])('the text %j has no email', (text) => {
    expect(masked(text)).toBe(text);
  });
});
