import { expect, test } from '@jest/globals';
import { NO_COMMISSION } from '../../../functions/domain/ledger/entry-fields.ts';
import { noteOf } from '../../../web/kit/note.ts';

test.each(NO_COMMISSION)('a payment with the note %s says in words why it earned nothing', (note) => {
  expect(noteOf({ kind: 'payment', note })).toMatch(/^No commission: [a-z ]+\.$/);
});

test.each([
  ['payment', null, null],
  ['payment', 'toString', 'toString'],
  ['void', 'rejected', 'rejected'],
  ['adjustment', 'ended', 'ended'],
] as const)('the note of a %s that people wrote stays as it is: %j', (kind, note, shown) => {
  expect(noteOf({ kind, note })).toBe(shown);
});
