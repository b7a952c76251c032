import { expect, test } from '@jest/globals';
import { isEntryEvent } from '../../../../functions/domain/event.ts';
import { adjustmentEntry, settlementEntry } from '../../../../functions/domain/ledger/entry.ts';
import { entryEventBody, eventOfEntry } from '../../../../functions/domain/ledger/entry-event.ts';
import type { Entry } from '../../../../functions/domain/ledger/entry-fields.ts';
import { milliseconds } from '../../../../functions/domain/time.ts';
import { messageBody, parseMessage } from '../../../../functions/events/messages.ts';
import { toEntry } from '../../../../functions/http/entry.ts';
import { aMessage } from '../../events/messages.ts';
import { NOW, REFERRAL_ID } from '../../samples.ts';

const writing = { id: '019b7c01-1f00-7a4d-8b3f-2c6d9e105a80', now: NOW, by: 'merchant' } as const;
const money = { amount: 500, currency: 'usd' };
const settled = settlementEntry(
  { ...money, slug: 'jane', settlementId: 's', reference: null, settledAt: null },
  writing,
);
const payment: Entry = {
  ...settled,
  ...money,
  kind: 'payment',
  settlementId: null,
  paymentId: 'in_1',
  referralId: REFERRAL_ID,
  commission: 100,
  commissionPercentage: 20,
  paidAt: NOW,
};

test('the body of an event has the id and exactly the attributes of the API', () => {
  const event = eventOfEntry(payment);
  if (!event) throw new Error('A payment has an event.');
  expect(event.id).toBe(`${payment.id}.1`);
  const { id, attributes } = toEntry(payment);
  const timestamp = new Date(NOW * 1000).toISOString().replace('.000', '');
  expect(entryEventBody(event)).toEqual({ type: 'payment.recorded', timestamp, data: { id, ...attributes } });
  expect(isEntryEvent(event)).toBe(true);
});

test.each<[string, Partial<Entry>, string | undefined]>([
  ['a payment', {}, 'payment.recorded'],
  ['a payment at Stripe', { by: 'stripe' }, 'payment.recorded'],
  ['a refund', { kind: 'refund', refundId: 're_1' }, 'payment.refunded'],
  ['an imported payment', { by: 'import' }, undefined],
  ['an imported refund', { kind: 'refund', by: 'import' }, undefined],
  ['a void', { kind: 'void' }, undefined],
])('%s has the type %3$s', (_, changes, type) => {
  expect(eventOfEntry({ ...payment, ...changes })?.type).toBe(type);
});

test('an adjustment and a settlement have no event', () => {
  const adjustment = { slug: 'jane', adjustmentId: 'a', commission: 5, currency: 'usd', note: 'Bonus' };
  expect([adjustmentEntry(adjustment, writing), settled].map(eventOfEntry)).toEqual([undefined, undefined]);
});

test('a message with an entry is parsed from what was written, and lacks no field', () => {
  const { program, webhook } = aMessage();
  const event = eventOfEntry(payment);
  if (!event) throw new Error('A payment has an event.');
  const message = { program, webhook, event, advocateId: null, attempt: 2, due: milliseconds(NOW * 1000) };
  expect(parseMessage(messageBody(message))).toEqual(message);
  const written = JSON.parse(messageBody(message));
  for (const name of ['id', 'type', 'setAt', 'entry']) {
    const broken = { ...written, event: { ...written.event, [name]: {} } };
    expect(() => parseMessage(JSON.stringify(broken))).toThrow();
  }
});
