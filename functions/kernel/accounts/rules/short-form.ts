import { parsePercentage, parseWhole } from '../../fields/numbers.ts';
import { MAX_MONTHS } from './commission-rules.ts';

// How requests set the short form of the terms of a program or a group.

export const PERCENTAGE_INPUT = {
  schema: {
    type: 'number',
    minimum: 0,
    maximum: 100,
    description: 'The rate in percent, for clicks and referrals from now on.',
    examples: [20],
  },
  parse: parsePercentage,
} as const;

export const MONTHS_INPUT = {
  schema: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_MONTHS,
    description: 'Months for which a conversion earns a commission, for conversions from now on.',
    examples: [12],
  },
  parse: (name: string, value: unknown) => parseWhole(name, value, MAX_MONTHS),
} as const;
