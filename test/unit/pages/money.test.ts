import { describe, expect, test } from '@jest/globals';
import { decimalsOf, inUnits } from '../../../functions/domain/ledger/units.ts';
import { formatMoney } from '../../../web/kit/money.ts';
import { codeSpans, sectionText } from './documents.ts';

describe('the decimals of a currency', () => {
  test.each([
    ['usd', 4900, '$49.00', '49.00'],
    ['usd', -5, '-$0.05', '-0.05'],
    ['jpy', 4900, '¥4,900', '4900'],
    ['kwd', 4900, 'KWD 4.900', '4.900'],
    // Intl would show none.
    ['huf', 4900, 'HUF 49.00', '49.00'],
    ['cop', 123_456, 'COP 1,234.56', '1234.56'],
    ['idr', 1_000_000_000_000, 'IDR 10,000,000,000.00', '10000000000.00'],
    ['isk', 4900, 'ISK 49.00', '49.00'],
    ['usd', 900_719_925_474_099, '$9,007,199,254,740.99', '9007199254740.99'],
    ['usd', 0, '$0.00', '0.00'],
  ])('%s %i is %s, and %s in a file', (currency, amount, shown, inFile) => {
    expect(formatMoney(amount, currency, 'en').replace(/\u00a0/g, ' ')).toBe(shown);
    expect(inUnits(amount, currency)).toBe(inFile);
  });

  test('an amount in units has all its digits', () => {
    expect(inUnits(-9_007_199_254_740_993n, 'usd')).toBe('-90071992547409.93');
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
