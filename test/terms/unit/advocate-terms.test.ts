import { describe, expect, test } from '@jest/globals';
import { termsFor } from '../../../functions/kernel/accounts/rules/advocate-terms.ts';
import { changeProgram, newProgram } from '../../../functions/kernel/accounts/rules/program.ts';
import { inOneForm } from '../../../functions/kernel/accounts/rules/terms.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { refusal } from '../../support/samples.ts';

const NONE = { commissionPercentage: null, commissionMonths: null, commissionRulesId: null };
const PROGRAM = { ...NONE, commissionPercentage: 20, commissionMonths: 12 };
const RULES = { ...NONE, commissionRulesId: 'a' };
const GROUP = { name: 'partners', title: null, ...NONE };
const SHORT = { ...GROUP, commissionPercentage: 30, commissionMonths: 6 };
const ENDLESS = { ...GROUP, commissionPercentage: 30 };
const RULED = { ...GROUP, commissionRulesId: 'b' };

describe('the terms of an advocate', () => {
  test.each([
    ['no group has the terms of the program', PROGRAM, undefined, null, PROGRAM],
    ['a group without terms has the terms of the program', PROGRAM, GROUP, null, PROGRAM],
    [
      'a group with a percentage has its percentage and months',
      PROGRAM,
      SHORT,
      null,
      { ...PROGRAM, commissionPercentage: 30, commissionMonths: 6 },
    ],
    [
      'a group with a percentage without months has no end',
      PROGRAM,
      ENDLESS,
      null,
      { ...NONE, commissionPercentage: 30 },
    ],
    ['a group with rules has the rules', PROGRAM, RULED, null, { ...NONE, commissionRulesId: 'b' }],
    ['an own percentage has the months of the program', PROGRAM, undefined, 5, { ...PROGRAM, commissionPercentage: 5 }],
    [
      'an own percentage in a group with a percentage has the months of the group',
      PROGRAM,
      SHORT,
      5,
      { ...NONE, commissionPercentage: 5, commissionMonths: 6 },
    ],
    [
      'an own percentage in a group with rules has the months of the program',
      PROGRAM,
      RULED,
      5,
      { ...PROGRAM, commissionPercentage: 5 },
    ],
    ['an own percentage in a program with rules has no end', RULES, undefined, 5, { ...NONE, commissionPercentage: 5 }],
    ['an own percentage of 0 counts', RULES, RULED, 0, { ...NONE, commissionPercentage: 0 }],
  ])('an advocate of %s', (_, program, group, commissionPercentage, terms) => {
    expect(termsFor(program, group, { commissionPercentage })).toEqual(terms);
  });

  test.each([
    [{ commissionPercentage: 5 }, { commissionPercentage: 5, commissionRulesId: null }],
    [{ commissionMonths: 5 }, { commissionMonths: 5, commissionRulesId: null }],
    [{ commissionPercentage: null }, { commissionPercentage: null }],
    [{ commissionRulesId: 'a' }, { commissionRulesId: 'a', commissionPercentage: null, commissionMonths: null }],
    [
      { commissionRulesId: 'a', commissionPercentage: null },
      { commissionRulesId: 'a', commissionPercentage: null, commissionMonths: null },
    ],
    [{}, {}],
  ])('the change %j clears the other form', (changes, after) => {
    expect(inOneForm(changes)).toEqual(after);
  });

  test('a change with both forms is refused', () => {
    const sentence =
      'commission_rules cannot be combined with commission_percentage and commission_months: send one form';
    expect(refusal(() => inOneForm({ commissionRulesId: 'a', commissionMonths: 1 }))).toBe(sentence);
  });

  test('months alone do not clear the rules of a program', () => {
    const draft = { name: 'Acme', siteUrl: 'https://acme.example', commissionRulesId: 'a' };
    const program = newProgram(draft, '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071', seconds(1));
    const sentence = 'commission_percentage is required with commission_months instead of commission_rules';
    expect(refusal(() => changeProgram(program, { commissionMonths: 5 }))).toBe(sentence);
    expect(changeProgram(program, { commissionMonths: 5, commissionPercentage: 1 })).toMatchObject({
      commissionMonths: 5,
      commissionRulesId: null,
    });
  });
});
