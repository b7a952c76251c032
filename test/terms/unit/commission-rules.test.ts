import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type CommissionRule,
  type CommissionRules,
  decide,
  parseCommissionRules,
  shownRules,
} from '../../../functions/kernel/accounts/rules/commission-rules.ts';
import { commissionRulesId } from '../../../functions/kernel/accounts/rules/commission-rules-id.ts';
import { rulesSentence } from '../../../functions/kernel/accounts/rules/rules-sentence.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { expectedDecision } from '../../support/ledger/rules-oracle.ts';
import { refusal } from '../../support/samples.ts';

const CONVERTED = seconds(Date.parse('2026-01-31T12:00:00Z') / 1000);
const parse = (rules: unknown) => parseCommissionRules('commission_rules', rules);

const limits = {
  payments: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  months: fc.option(fc.integer({ min: 1, max: 14 }), { nil: undefined }),
  paying_from: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
};
const percentage = fc.integer({ min: 0, max: 100_000_000 }).map((millionths) => millionths / 1e6);
const amounts = fc.dictionary(fc.constantFrom('eur', 'jpy', 'usd'), fc.integer({ min: 1, max: 5000 }), { minKeys: 1 });
const aRule: fc.Arbitrary<unknown> = fc.oneof(fc.record({ percentage, ...limits }), fc.record({ amounts, ...limits }));
/** Valid rules of every kind. */
const someRules = fc.array(aRule, { minLength: 1, maxLength: 10 }).map(parse);
const aPayment = fc.record({
  amount: fc.integer({ min: 1, max: 10_000 }),
  currency: fc.constantFrom('eur', 'usd'),
  // Around the ends of months, which differ in length.
  paidAt: fc
    .record({ months: fc.nat(15), days: fc.integer({ min: -3, max: 3 }), second: fc.integer({ min: -1, max: 1 }) })
    .map(({ months, days, second }) => seconds(Date.UTC(2026, months, 31 + days, 12) / 1000 + second)),
  earlier: fc.nat(5),
  paying: fc.nat(5),
});

describe('commission rules', () => {
  test('the first rule that matches decides, and pays what the oracle says', () => {
    const property = (
      rules: CommissionRules,
      payment: { earlier: number; paying: number; amount: number; currency: string; paidAt: typeof CONVERTED },
    ) => {
      const decision = decide(rules, { ...payment, convertedAt: CONVERTED });
      const expected = expectedDecision(rules, { ...payment, convertedAt: CONVERTED, number: payment.earlier + 1 });
      expect(decision && { rule: decision.rule, commission: decision.commission }).toEqual(expected ?? null);
    };
    fc.assert(fc.property(someRules, aPayment, property), { numRuns: 2000 });
  });

  test.each<[string, CommissionRule, object, number | null]>([
    ['a fixed amount pays at most the amount of the payment', { amounts: { eur: 2000 } }, { amount: 1999 }, 1999],
    ['a percentage of 0 decides, and pays nothing', { percentage: 0 }, {}, 0],
    ['a fixed amount does not match another currency', { amounts: { eur: 2000 } }, { currency: 'usd' }, null],
    ['a number of payments includes the last of them', { percentage: 10, payments: 2 }, { earlier: 1 }, 1000],
    ['a number of payments excludes the next one', { percentage: 10, payments: 2 }, { earlier: 2 }, null],
    [
      'months exclude their last second',
      { percentage: 10, months: 1 },
      { paidAt: Date.parse('2026-02-28T12:00:00Z') / 1000 },
      null,
    ],
    [
      'months include the second before their end',
      { percentage: 10, months: 1 },
      { paidAt: Date.parse('2026-02-28T11:59:59Z') / 1000 },
      1000,
    ],
    ['a number of customers is enough', { percentage: 10, paying_from: 3 }, { paying: 3 }, 1000],
    ['one customer less is not enough', { percentage: 10, paying_from: 3 }, { paying: 2 }, null],
  ])('%s', (_, rule, change, commission) => {
    const payment = {
      amount: 10_000,
      currency: 'eur',
      paidAt: CONVERTED,
      convertedAt: CONVERTED,
      earlier: 0,
      paying: 0,
    };
    expect(decide([rule], { ...payment, ...change })?.commission ?? null).toBe(commission);
  });

  test('equal rules have the same id, however a request writes them, and different rules another one', () => {
    const written = parse([
      { payments: 1, months: null, amounts: { usd: 100, eur: 2000 } },
      { percentage: 10.0000004, paying_from: null },
    ]);
    expect(commissionRulesId(written)).toBe(
      commissionRulesId(parse([{ amounts: { eur: 2000, usd: 100 }, payments: 1 }, { percentage: 10 }])),
    );
    expect(commissionRulesId(written)).toMatch(/^[0-9a-f]{16}$/);
    const others = [[{ percentage: 10 }], [{ percentage: 10, months: 1 }], [{ percentage: 10, payments: 1 }]].map(
      parse,
    );
    expect(new Set(others.map(commissionRulesId)).size).toBe(3);
  });

  test('the parts of rules that a response shows are the same rules again', () => {
    fc.assert(fc.property(someRules, (rules) => expect(parse(shownRules(rules))).toEqual(rules)));
  });

  test.each([
    [{}, 'commission_rules must be a list of 1 to 10 rules'],
    [[], 'commission_rules must be a list of 1 to 10 rules'],
    [Array(11).fill({ percentage: 1 }), 'commission_rules must be a list of 1 to 10 rules'],
    [
      [1],
      'commission_rules[0] must be an object with no other fields than percentage, amounts, payments, months, paying_from',
    ],
    [
      [{ percentage: 1, month: 2 }],
      'commission_rules[0] must be an object with no other fields than percentage, amounts, payments, months, paying_from',
    ],
    [[{ payments: 1 }], 'commission_rules[0] must have either percentage or amounts'],
    [[{ percentage: 1, amounts: { eur: 1 } }], 'commission_rules[0] must have either percentage or amounts'],
    [[{ percentage: 1 }, { percentage: 100.1 }], 'commission_rules[1].percentage must be a number from 0 to 100'],
    [[{ amounts: {} }], 'commission_rules[0].amounts must be an object with 1 to 10 currencies and their amounts'],
    [
      [{ amounts: { EUR: 1 } }],
      'commission_rules[0].amounts: each currency must be the code of a currency in lower case, such as usd',
    ],
    [[{ amounts: { eur: 0 } }], 'commission_rules[0].amounts.eur must be a whole number from 1 to 1000000000000'],
    [[{ percentage: 1, payments: 1001 }], 'commission_rules[0].payments must be a whole number from 1 to 1000'],
    [[{ percentage: 1, months: 0 }], 'commission_rules[0].months must be a whole number from 1 to 1200'],
    [[{ percentage: 1, paying_from: 1.5 }], 'commission_rules[0].paying_from must be a whole number from 1 to 1000000'],
  ])('the error about the rules %j names the part', (rules, sentence) => {
    expect(refusal(() => parse(rules))).toBe(sentence);
  });

  test.each<[CommissionRules, string]>([
    [
      [
        { amounts: { eur: 2000 }, payments: 1 },
        { percentage: 10, months: 12 },
      ],
      '20.00 eur for the first payment, then 10% for 12 months',
    ],
    [
      [
        { percentage: 30, paying_from: 1, payments: 3 },
        { percentage: 20, months: 1 },
      ],
      '30% for the first 3 payments from 1 paying customer on, else 20% for a month',
    ],
    [
      [{ amounts: { eur: 2000 }, payments: 1 }, { amounts: { usd: 2200 }, payments: 1 }, { percentage: 10 }],
      '20.00 eur for the first payment, else 22.00 usd for the first payment, then 10%',
    ],
    [
      [
        { percentage: 10, months: 12 },
        { percentage: 5, months: 12 },
      ],
      '10% for 12 months, else 5% for 12 months',
    ],
    [
      [{ amounts: { eur: 1, usd: 2 }, paying_from: 10 }],
      '0.01 eur or 0.02 usd for each payment from 10 paying customers on',
    ],
  ])('the rules %j are said as a sentence', (rules, sentence) => {
    const money = (amount: number, currency: string) => `${(amount / 100).toFixed(2)} ${currency}`;
    expect(rulesSentence(rules, { percentage: (value) => `${value}%`, money })).toBe(sentence);
  });
});
