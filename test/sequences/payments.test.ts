import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { REFUND_RULES, type RefundRule } from '../../functions/kernel/accounts/rules/program-fields.ts';
import { customerKey } from '../../functions/kernel/dynamodb/keys.ts';
import { seconds } from '../../functions/kernel/time.ts';
import type { JsonObject } from '../../functions/openapi/operation.ts';
import { entryCount } from '../../functions/referrals/rules/history.ts';
import { newReferral, type Referral } from '../../functions/referrals/rules/referral.ts';
import { eventsOf } from '../../functions/referrals/rules/referral-event.ts';
import { applyEvent, convertByCheckout } from '../../functions/stripe/rules/provider-event.ts';
import { applyStripeEvent } from '../../functions/stripe/table/apply-event.ts';
import { attributed, conversionOf } from '../support/conversion.ts';
import { aClick, newId, now } from '../support/program.ts';
import { affiliate, NOW, REFERRAL_ID, program as SAMPLE } from '../support/samples.ts';
import {
  anyEvents,
  type CustomerFields,
  deliveredEvents,
  orderedState,
  type Sequence,
  sequence,
} from '../support/stripe/payment-sequences.ts';
import { aCheckout, customerEvent } from '../support/stripe/stripe.ts';
import { expectConsistent } from '../support/table/consistency.ts';
import { storedReferral } from '../support/table/situations.ts';
import { anEmail, track } from '../support/table/track.ts';
import { itemAt, itemsOf } from '../support/table.ts';
import { useProgram } from '../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const IGNORED = [{ ignored: 'mismatched_customer' }, { ignored: 'nothing_to_do' }];

test('40 shuffled sequences of two customers on one device and a stranger end in the ordered state', async () => {
  const deliver = (onRefund: RefundRule, event: object) => applyStripeEvent(table, { ...program, onRefund }, event);
  /** Creates the referral of a customer. It knows uid, email and customer at Stripe. */
  const create = async (onRefund: RefundRule, creation: object | null, fields: CustomerFields, clickId: string) => {
    if (creation) return deliver(onRefund, creation);
    const { uid, email } = fields;
    await track(table, program, { by: { slug: advocate.slug, clickId }, uid, email });
    return deliver(onRefund, aCheckout({ ...fields, amount: 0 }));
  };
  const property = async (sequences: readonly Sequence[], onRefund: RefundRule) => {
    const { id: clickId } = await aClick(table, program, advocate);
    const grId = `${advocate.slug}.${clickId}`;
    const aPerson = () => ({ id: newId(), uid: newId(), email: anEmail(), customer: newId(), grId });
    const people = sequences.map((delivered) => {
      const fields = aPerson();
      return { delivered, fields, ...deliveredEvents(delivered, now() - 2, fields) };
    });
    for (const { creation, fields } of people) await create(onRefund, creation, fields, clickId);
    const strange = people.flatMap(({ fields: { email } }) => {
      const { uid, customer } = aPerson();
      return anyEvents({ uid, customer, email, grId });
    });
    const [ignored] = await Promise.all([
      Promise.all(strange.map((event) => deliver(onRefund, event))),
      ...people.flatMap(({ deliveries }) => deliveries).map((event) => deliver(onRefund, event)),
    ]);
    for (const result of ignored) expect(IGNORED).toContainEqual(result);
    for (const { delivered, fields } of people) {
      const id = String((await itemAt(table, customerKey(program.id, fields.uid)))?.['referral']);
      const stored = await storedReferral(table, program, id);
      expect(stored).toMatchObject({ email: fields.email, provider: { customers: { length: 1 } } });
      expect(stored?.state).toBe(orderedState(delivered, onRefund));
      const ids = stored ? eventsOf(stored).map((event) => event?.id) : [];
      expect(ids).toEqual(stored?.history.map((_, index) => `${id}.${index + 1}`));
    }
  };
  const two = fc.tuple(sequence, sequence);
  await fc.assert(fc.asyncProperty(two, fc.constantFrom(...REFUND_RULES), property), { numRuns: 20 });
  expectConsistent(await itemsOf(table, program), program);
});

const known = newReferral(REFERRAL_ID, {
  ...attributed(SAMPLE, affiliate),
  ...conversionOf({ email: 'a@shop.example' }),
  now: NOW,
});

const FIELDS = { id: 'a', uid: '1001', email: 'a@shop.example', customer: 'cus_1' };

/** The referral that a checkout creates. */
function createdBy(checkout: JsonObject): Referral {
  const event = customerEvent(checkout, { mode: 'live', onRefund: 'ignore' });
  if (typeof event === 'string') throw new Error(`The checkout was ignored: ${event}.`);
  return convertByCheckout({
    ...attributed(SAMPLE, affiliate),
    credit: { by: 'link', code: null, lost: null },
    click: undefined,
    newId: REFERRAL_ID,
    event,
    claim: null,
    now: NOW,
  });
}

/** Applies events one after the other, and ignores repeated events. */
function applied(first: Referral, events: readonly JsonObject[], onRefund: RefundRule): Referral {
  const ids = new Set<string>();
  return events.reduce<Referral>((before, json, index) => {
    const event = customerEvent(json, { mode: 'live', onRefund });
    if (typeof event === 'string' || ids.has(event.id)) return before;
    const after = applyEvent(before, event, null, seconds(NOW + index));
    if (typeof after === 'string') return before;
    ids.add(event.id);
    return after;
  }, first);
}

test.each(REFUND_RULES)('5,000 shuffled and duplicated sequences end like ordered ones, if refunds %s', (onRefund) => {
  const states = new Set<string>();
  const property = (delivered: Sequence) => {
    // The first event happened before the conversion: only the events' own times count.
    const { creation, deliveries } = deliveredEvents(delivered, NOW - 2, FIELDS);
    const after = applied(creation ? createdBy(creation) : known, deliveries, onRefund);
    expect(after.state).toBe(orderedState(delivered, onRefund));
    expect(after.history).toHaveLength(entryCount(after));
    states.add(after.state);
  };
  fc.assert(fc.property(sequence, property), { numRuns: 5000 });
  expect(states.size).toBe(onRefund === 'reject' ? 4 : 3);
});
