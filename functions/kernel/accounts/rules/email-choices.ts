import { oneOf, type Parser, texts } from '../../fields/parsers.ts';

/** The kinds of emails that an advocate, and a merchant for all advocates, can switch off. */
export const EMAIL_CHOICES = ['paying', 'settled'] as const;
export type EmailChoice = (typeof EMAIL_CHOICES)[number];

export const NOTHING_OFF: readonly EmailChoice[] = [];

/** Parses the kinds in an item. Unknown kinds of a later version are left out. */
export const storedChoices: Parser<readonly EmailChoice[]> = (value) =>
  texts(value)
    ?.map(oneOf<EmailChoice>(EMAIL_CHOICES))
    .filter((choice) => choice !== undefined);
