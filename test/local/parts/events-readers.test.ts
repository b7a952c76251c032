import { expect, test } from '@jest/globals';
import { publishReader, skippingReader, statisticsReader } from '../../../bin/local/events/poller.ts';
import type { Item } from '../../../functions/table/dynamodb/item.ts';
import { itemRecord } from '../../support/events/events.ts';
import { NOW, PROGRAM_ID, REFERRAL_ID } from '../../unit/samples.ts';

const publish = publishReader(
  async () => ({ batchItemFailures: [] }),
  async () => new Set(),
);
const statistics = statisticsReader(async () => ({ state: {} }));

const referral = { pk: `PROGRAM#${PROGRAM_ID}#REFERRAL#${REFERRAL_ID}`, sk: 'REFERRAL' };
const entry = { pk: `PROGRAM#${PROGRAM_ID}#LEDGER#jane`, sk: `${NOW}#${REFERRAL_ID}`, kind: 'payment', by: 'merchant' };
const claim = { pk: `PROGRAM#${PROGRAM_ID}#PAYMENT#1`, sk: 'CLAIM', id: 'in_1' };

test.each<[string, Item | null, Item | null, boolean, boolean]>([
  ['a new referral', null, referral, true, true],
  ['a changed referral', referral, { ...referral, state: 'paid' }, true, true],
  ['an expired click', referral, null, false, false],
  ['a new payment', null, entry, true, false],
  ['a new refund of Stripe', null, { ...entry, kind: 'refund', by: 'stripe' }, true, false],
  ['an imported payment', null, { ...entry, by: 'import' }, false, false],
  ['a void', null, { ...entry, kind: 'void' }, false, false],
  ['a changed payment', entry, { ...entry, note: 'x' }, false, false],
  ['a claim', null, claim, false, false],
  ['a token', null, { pk: 'TOKEN#1', sk: 'TOKEN', kind: 'program' }, false, false],
])('%s is read for events and statistics as on AWS', (_, before, after, isEvent, isCounted) => {
  const record = itemRecord(before, after);
  expect([publish.accepts(record), statistics.accepts(record)]).toEqual([isEvent, isCounted]);
  expect(skippingReader('publish').accepts(record)).toBe(false);
});
