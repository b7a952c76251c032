import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  InvalidAffiliate,
  InvalidField,
  NotConverted,
  RangeTooLarge,
  type ServiceError,
  SlugTaken,
  STILL_CLICK,
  StateRefused,
  TooManySums,
  UidTaken,
} from '../../../functions/kernel/errors.ts';
import { VoidExists } from '../../../functions/ledger/rules/errors.ts';
import { inPageWords, readable } from '../../../web/kit/responses.ts';

const WORDS = join(import.meta.dirname, '../../../web/words');

/** Names of the API, and words of it for which the pages have another one. */
const API_WORDS =
  /(?<!\{)\b(?:(?!gr_id|PROGRAM_TOKEN)\w+_\w+|slugs?|sub ?ids?|uid|metadata|affiliates?|clicked|converted|conversions?|churned|settle(?:d|ments?)?|adjustments?|void(?:ed)?|reassign(?:ed|ment)?|payable)\b/gi;

/** The columns of a file are the API's. */
const COLUMNS = 'fileHint';

/** What developers read is the API's as well. */
const FILES = globSync('**/*.ts', { cwd: WORDS }).filter((file) => file !== join('dashboard', 'developers.ts'));

/** The texts of a value. Functions get words, then numbers, as their arguments. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') {
    return ['Ada', 2].flatMap((sample) => {
      try {
        return textsOf(value(...Array.from({ length: value.length }, () => sample)));
      } catch {
        return [];
      }
    });
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test.each(FILES)('no text of %s contains a word of the API', async (file) => {
  const { [COLUMNS]: _, ...words }: Record<string, unknown> = await import(join(WORDS, file));
  const texts = Object.entries(words).flatMap(([name, value]) => textsOf(value).map((text) => `${name}: ${text}`));
  expect(texts.filter((text) => text.slice(text.indexOf(' ')).match(API_WORDS))).toEqual([]);
});

const REFUSALS: readonly (readonly [ServiceError, string])[] = [
  [new SlugTaken(), 'Another advocate has this link name. Choose another one.'],
  [new UidTaken(), 'Another advocate has this id.'],
  [new InvalidAffiliate(), 'No active advocate has this link name.'],
  [new RangeTooLarge(10_000), 'There is too much to count in this range. Choose a shorter one.'],
  [new TooManySums(10_000), 'There is too much to count in this range. Choose a shorter one.'],
  [new StateRefused('paid', ['churned']), 'The state cannot change like this. A visit must become a sign-up first.'],
  [new NotConverted(), 'The customer has not signed up yet.'],
  [new NotConverted(STILL_CLICK), 'The customer has not signed up yet.'],
  [new VoidExists(), 'The commission was withdrawn before, with another note.'],
  [new InvalidField('slug', 'must be shorter'), 'Link name must be shorter'],
  [new InvalidField('email or uid', 'is required'), 'Email or Your id is required'],
  [new InvalidField('first_name', 'is required'), 'First name is required'],
];

test.each(REFUSALS.map(([{ code, message }, sentence]) => [message, code, sentence] as const))(
  'the refusal “%s” is shown in the words of the page',
  (message, code, sentence) => {
    expect(readable(inPageWords(code, message))).toBe(sentence);
    expect(sentence).not.toMatch(API_WORDS);
  },
);
