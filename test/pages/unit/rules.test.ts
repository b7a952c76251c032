import { expect, test } from '@jest/globals';
import { termsText } from '../../../web/kit/rules.ts';

const NONE = { commission_percentage: null, commission_months: null, commission_rules: null };
const RULE = { percentage: null, amounts: null, payments: null, months: null, paying_from: null };

test.each([
  [{ ...NONE, commission_percentage: 20 }, '20%'],
  [{ ...NONE, commission_percentage: 20, commission_months: 12 }, '20% for 12 months'],
  [{ ...NONE, commission_percentage: 0, commission_months: 1 }, '0% for a month'],
  [{ ...NONE, commission_rules: [{ ...RULE, percentage: 30, payments: 1 }] }, '30% for the first payment'],
  [NONE, '–'],
])('the terms %j read “%s”', (terms, text) => {
  expect(termsText(terms)).toBe(text);
});
