import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { decimalsOf, inUnits } from '../../../functions/ledger/rules/units.ts';
import { contrast, readableAccent, textOn } from '../../../web/kit/accent.ts';
import { type CsvPage, MAX_ROWS, readRows, writeCsv } from '../../../web/kit/csv.ts';
import { axisOf, formatMoney, monthsBack } from '../../../web/kit/format.ts';
import { cursorOf, hasToken, tokenOfFragment } from '../../../web/kit/responses.ts';
import { statementCells } from '../../../web/kit/statement-file.ts';
import { deepLink, type LinkFault } from '../../../web/portal/deep-link.ts';

/** The text of a document. */
const sectionText = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

/** The words in backticks. */
const codeSpans = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('every accent can be read on the page and on cards, in both themes, and so can text on it', () => {
  const style = sectionText('web/style.css');
  const backgrounds = ['page', 'card'].map(
    (name) => new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(style)?.slice(1) ?? [],
  );
  fc.assert(
    fc.property(color, (accent) => {
      for (const [index, theme] of (['light', 'dark'] as const).entries()) {
        const moved = readableAccent(accent, theme);
        for (const background of backgrounds) {
          expect(contrast(moved, background[index] ?? '')).toBeGreaterThanOrEqual(4.5);
        }
        expect(contrast(moved, textOn(moved))).toBeGreaterThanOrEqual(4.5);
      }
    }),
  );
});

test.each([
  ['#token=rta_a-b', true, 'rta_a-b'],
  ['#token=rta_a&utm_source=mail', true, 'rta_a'],
  ['#token=', true, undefined],
  ['#/referrals?token=rta_a', false, undefined],
])('the fragment %s has a token: %p', (hash, has, token) => {
  expect([hasToken(hash), tokenOfFragment(hash)]).toEqual([has, token]);
});

describe('the decimals of a currency', () => {
  test.each([
    ['usd', 4900, '$49.00', '49.00'],
    ['usd', -5, '-$0.05', '-0.05'],
    ['jpy', 4900, '¥4,900', '4900'],
    ['kwd', 4900, 'KWD 4.900', '4.900'],
    // Intl would show none.
    ['huf', 4900, 'HUF 49.00', '49.00'],
    ['usd', 900_719_925_474_099, '$9,007,199,254,740.99', '9007199254740.99'],
  ])('%s %i is %s, and %s in a file', (currency, amount, shown, inFile) => {
    expect(formatMoney(amount, currency, 'en').replace(/\u00a0/g, ' ')).toBe(shown);
    expect(inUnits(amount, currency)).toBe(inFile);
  });

  test('the decimals are the table in docs/payments.md', () => {
    const [, none = '', thousandths = '', hundredths = ''] =
      /unit of amounts[^\n]*\n[^\n]*\n\| (.*?) +\| the currency itself.*?\n\| (.*?) +\| a thousandth.*?\n\| (.*?) +\| a hundredth/s.exec(
        sectionText('docs/payments.md'),
      ) ?? [];
    const documented = [none, thousandths, hundredths].map(codeSpans);
    expect(documented.map((codes) => codes.length)).toEqual([15, 5, 2]);
    expect(documented.map((codes) => [...new Set(codes.map(decimalsOf))])).toEqual([[0], [3], [2]]);
    const others = Intl.supportedValuesOf('currency').map((code) => code.toLowerCase());
    const special = new Set(documented.flat());
    expect(others.filter((code) => !special.has(code) && decimalsOf(code) !== 2)).toEqual([]);
  });
});

const FORMULAS = ['=HYPERLINK("http://x","y")', '+1', '@SUM(A1)', '\ttab', '＝1', "'=1"];

test('a file has the names of the columns first, and each value as it is', () => {
  const texts = [
    'a,b',
    'say "hi"',
    'two\nlines',
    '  ',
    '<img src=x onerror=alert(1)>',
    '\u202egnp.exe',
    '😀'.repeat(200),
  ];
  const text = writeCsv(
    ['text', 'number'],
    texts.map((each, index) => [each, index]),
  );
  expect(parse(text)).toEqual([['text', 'number'], ...texts.map((each, index) => [each, String(index)])]);
  expect(text.startsWith('text,number\r\n')).toBe(true);
});

test.each(FORMULAS)('the text %j gets an apostrophe, so that no spreadsheet runs it', (text) => {
  expect(parse(writeCsv(['a'], [[text]]))[1]).toEqual([`'${text}`]);
});

test('numbers are never changed, and missing values are empty', () => {
  expect(writeCsv(['a', 'b', 'c', 'd', 'e'], [[-5, null, undefined, true, { decimal: '-1.00' }]])).toBe(
    'a,b,c,d,e\r\n-5,,,true,-1.00\r\n',
  );
});

test('a statement has its money in units, and no file contains a number that the browser has rounded', () => {
  const sums = { payments: 1999, refunds: -5, commissions: 200, adjustments: 0, settlements: 0 };
  const line = {
    affiliate_slug: 'jane',
    month: '2026-10',
    currency: 'usd',
    opening: 0,
    closing: 200,
    payable: 200,
    settlement_count: 1,
    ...sums,
  };
  expect(writeCsv(['a'], [statementCells(line)]).split('\r\n')[1]).toBe(
    'jane,2026-10,usd,0.00,19.99,-0.05,2.00,0.00,0.00,2.00,2.00',
  );
  expect(() => statementCells({ ...line, closing: 2 ** 53 })).toThrow('ledger statement --csv');
});

const list =
  (rows: number) =>
  async (cursor: string | undefined): Promise<CsvPage<number>> => {
    const start = Number(cursor ?? 0);
    const page = Array.from({ length: Math.min(60, rows - start) }, (_, index) => start + index);
    return { rows: page, next: start + 60 < rows ? String(start + 60) : undefined };
  };

test.each([
  [MAX_ROWS, false],
  [MAX_ROWS + 1, true],
  [2 * MAX_ROWS, true],
])('a list of %i rows is cut: %p', async (count, expected) => {
  const { rows, isCut } = await readRows(list(count), () => undefined);
  expect([rows.length, isCut]).toEqual([MAX_ROWS, expected]);
});

const RULES = { slug: 'jane-doe', siteUrl: 'https://www.acme.example/start', linkParameter: 'via' };
const link = (page: string, subId = '', rules = RULES) => deepLink(page, subId, rules);

describe('a page of the site', () => {
  test.each([
    ['', 'https://www.acme.example/start?via=jane-doe'],
    ['/pricing', 'https://www.acme.example/pricing?via=jane-doe'],
    ['  https://acme.example/a#b ', 'https://acme.example/a?via=jane-doe#b'],
    ['acme.example/pricing', 'https://acme.example/pricing?via=jane-doe'],
    ['/a?x=%20y&flag', 'https://www.acme.example/a?x=%20y&flag&via=jane-doe'],
    ['/a?via=other&x=1&via=third', 'https://www.acme.example/a?x=1&via=jane-doe'],
    ['/a?v%69a=other', 'https://www.acme.example/a?via=jane-doe'],
  ])('%j is linked as %s', (page, expected) => {
    expect(link(page)).toEqual({ link: expected });
  });

  test('the sub id replaces the address’s own, and any text is encoded', () => {
    expect(link('/a?gr_sub=old', 'News & =1 +é')).toEqual({
      link: 'https://www.acme.example/a?via=jane-doe&gr_sub=News%20%26%20%3D1%20%2B%C3%A9',
    });
    expect(link('/a', 'x\ud800')).toEqual({ link: 'https://www.acme.example/a?via=jane-doe&gr_sub=x%EF%BF%BD' });
    expect(link('/a?gr_sub=old')).toEqual({ link: 'https://www.acme.example/a?gr_sub=old&via=jane-doe' });
  });
});

test.each<[string, LinkFault]>([
  ['https://evil.example/', 'otherSite'],
  ['https://notacme.example/', 'otherSite'],
  ['/\\evil.example/', 'otherSite'],
  ['acme.example@evil.example/', 'otherSite'],
  ['http://acme.example/', 'otherSite'],
  ['https://acme.example:8443/', 'otherSite'],
  ['https://me@acme.example/', 'otherSite'],
  ['javascript:alert(1)', 'otherSite'],
  ['https://a b/', 'invalid'],
])('%j is refused: %s', (page, fault) => {
  expect(link(page)).toEqual({ fault });
});

test('a month before the 31st is the month before, whatever its length', () => {
  expect(monthsBack(Date.UTC(2027, 0, 31), 1)).toBe('2026-12');
  expect(monthsBack(Date.UTC(2027, 2, 31), 1)).toBe('2027-02');
});

test('a chart begins at 0, or below its smallest value, and ends above its largest one', () => {
  expect(axisOf(0)).toEqual([0, 1]);
  expect(axisOf(7)).toEqual([0, 2, 4, 6, 8]);
  expect(axisOf(430, -90)).toEqual([-200, 0, 200, 400, 600]);
  expect(axisOf(0, -30)).toEqual([-30, -20, -10, 0]);
});

test('only the cursor of a link is used', () => {
  const link = '<https://evil.example/v1/affiliate/referrals?per_page=5&cursor=a%2Bb&x=1>; rel="next"';
  expect([cursorOf(link), cursorOf('<https://x.example/?cursor=a>; rel="prev"'), cursorOf(null)]).toEqual([
    'a+b',
    undefined,
    undefined,
  ]);
});
