import { expect, test } from '@jest/globals';
import { amountsText, parseAmounts } from '../../../web/dashboard/settings/amounts.ts';

const read = (text: string, only?: string) => parseAmounts(text, 'minimum_payout', only);

test('amounts by currency are read as they are written', () => {
  const amounts = { eur: 2050, jpy: 50 };
  expect(amountsText(amounts)).toBe('20.50 EUR, 50 JPY');
  for (const text of [amountsText(amounts), 'EUR 20.50; jpy 50', '20.5eur\n50 JPY,'])
    expect(read(text)).toEqual(amounts);
  expect(read('', 'eur')).toEqual({});
});

test('a single amount without a currency has the only one, and several have one each', () => {
  expect(read('12.50', 'eur')).toEqual({ eur: 1250 });
  expect(() => read('12.50')).toThrow('must have a currency');
  expect(() => read('12, 50 EUR', 'eur')).toThrow('must have a currency');
  expect(() => read('20 EUR, 30', 'usd')).toThrow('must have a currency');
});

test('a comma between digits is refused, and the refusal says how amounts are written', () => {
  for (const text of ['12,50 EUR', '1,500 EUR', '1,500', 'EUR 12,50', '20 EUR, 12,50 USD']) {
    expect(() => read(text, 'eur')).toThrow('must be written like 1250.50 EUR');
  }
});

test('what is not one amount in one currency is refused', () => {
  expect(() => read('20 EUR, 30 EUR')).toThrow('has EUR twice');
  for (const text of ['EUR 20 USD', '1.500 EUR', '-5 EUR', '1 500 EUR', 'EUR']) {
    expect(() => read(text, 'eur')).toThrow('must be amounts with their currency');
  }
});
