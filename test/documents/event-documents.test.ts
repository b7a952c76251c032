import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Webhook } from 'standardwebhooks';
import { NO_RESPONSE } from '../../bin/admin/errors.ts';
import { openapiDocument } from '../../bin/generate/openapi.ts';
import { parseFields } from '../../functions/kernel/dynamodb/item.ts';
import { namesIn } from '../../functions/kernel/fields/field-list.ts';
import { seconds } from '../../functions/kernel/time.ts';
import { ENTRY_EVENT_TYPES, entryEventBody, eventOfEntry } from '../../functions/ledger/rules/entry-event.ts';
import { ENTRY_FIELDS } from '../../functions/ledger/rules/entry-fields.ts';
import { eventBody, eventsOf, REFERRAL_EVENT_TYPES } from '../../functions/referrals/rules/referral-event.ts';
import { NO_VALUES } from '../../functions/referrals/rules/referral-fields.ts';
import { ROUTES } from '../../functions/routes.ts';
import { STRIPE_EVENTS } from '../../functions/stripe/rules/event-types.ts';
import { IGNORED } from '../../functions/stripe/rules/provider-event.ts';
import { REFERRAL_EVENT } from '../../functions/webhooks/docs/event-bodies.ts';
import { EVENT_TYPES } from '../../functions/webhooks/rules/event.ts';
import { DELIVERY_ERRORS } from '../../functions/webhooks/rules/webhook.ts';
import { retryDelay } from '../../functions/webhooks/rules/webhook-retries.ts';
import { aClick, LATER } from '../referrals/unit/situations.ts';
import { apply } from '../referrals/unit/steps.ts';
import { codeBlocks, documentText, sectionOf } from '../support/documents/documents.ts';

const WEBHOOKS = documentText('docs/webhooks.md');
const PAYMENTS = documentText('docs/payments.md');
/** The names in the first column of a document's tables. */
const firstColumn = (text: string) => [...text.matchAll(/^\| `([\w.]+)` +\|/gm)].map(([, name = '']) => name);

/** The request that docs/webhooks.md shows as an example. */
function example() {
  const [http = ''] = codeBlocks('docs/webhooks.md', 'http');
  const [json = ''] = codeBlocks('docs/webhooks.md', 'json');
  const headers = new Map([...http.matchAll(/^([\w-]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
  return { headers, body: JSON.parse(json) };
}

test('the signature of the example in docs/webhooks.md is genuine', () => {
  const { headers, body } = example();
  const [secret = ''] = /whsec_[\w+/=]{32}/.exec(WEBHOOKS) ?? [];
  const sentAt = new Date(Number(headers.get('webhook-timestamp')) * 1000);
  const signature = new Webhook(secret).sign(headers.get('webhook-id') ?? '', sentAt, JSON.stringify(body));
  expect(headers.get('webhook-signature')).toBe(signature);
  expect(headers.get('webhook-id')).toMatch(`${body.data.id}.3`);
});

test('the body of the example in docs/webhooks.md is what the service builds', () => {
  const { body } = example();
  const { data } = body;
  const event = {
    id: `${data.id}.3`,
    type: 'referral.paid',
    setAt: seconds(Date.parse(body.timestamp) / 1000),
    referralId: data.id,
    state: 'paid',
    previousState: 'converted',
    stateSetAt: seconds(data.state_set_at),
    by: 'stripe',
    move: null,
    createdAt: seconds(data.created_at),
    subId: data.sub_id,
    affiliateSlug: data.affiliate_slug,
    commission: {
      commissionPercentage: data.commission_percentage,
      commissionEndDate: data.commission_end_date,
    },
  } as const;
  const current = { ...NO_VALUES, advocateId: data.advocate_id, customerUid: data.uid };
  expect(JSON.stringify(body)).toBe(JSON.stringify(eventBody(event, current)));
});

test('openapi.json describes the bodies of all events', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(openapiDocument(), 'openapi');
  const steps = ['convert', 'move', 'paid', 'churned', 'rejected', 'erase'] as const;
  const referral = steps.reduce((before, to) => apply(before, { to, by: 'merchant', now: LATER }), aClick());
  const current = { ...NO_VALUES, advocateId: null, flags: ['self_referral'] } as const;
  const bodies = eventsOf(referral).flatMap((event) => [eventBody(event, current), eventBody(event, current, null)]);
  for (const body of bodies)
    expect([ajv.validate('openapi#/components/schemas/ReferralEvent', body), ajv.errors]).toEqual([true, null]);
  expect(new Set(bodies.map(({ type }) => type))).toEqual(new Set(REFERRAL_EVENT_TYPES));
  const documented = Object.keys(REFERRAL_EVENT.properties.data.properties);
  expect(new Set(bodies.flatMap(({ data }) => Object.keys(data)))).toEqual(new Set(documented));
});

test('openapi.json and docs/webhooks.md describe the body of a payment', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(openapiDocument(), 'openapi');
  const [, sample = ''] = /### Payments and refunds.*?```json\n(.*?)```/s.exec(WEBHOOKS) ?? [];
  const { type, data } = JSON.parse(sample);
  expect(ENTRY_EVENT_TYPES).toContain(type);
  expect(Object.keys(data)).toEqual(['id', ...namesIn(ENTRY_FIELDS, 'api')]);
  const parsed = { ...data, referral: data.referral_id, payment: data.payment_id, rate: data.commission_percentage };
  const entry = parseFields(ENTRY_FIELDS, JSON.parse(JSON.stringify(parsed, (_, value) => value ?? undefined)));
  const event = eventOfEntry(entry);
  const body = event && entryEventBody(event);
  expect(JSON.stringify(body)).toBe(JSON.stringify(JSON.parse(sample)));
  expect([ajv.validate('openapi#/components/schemas/EntryEvent', body), ajv.errors]).toEqual([true, null]);
});

test('docs/webhooks.md describes each type of event', () => {
  expect(firstColumn(WEBHOOKS)).toEqual(expect.arrayContaining([...EVENT_TYPES]));
});

test.each(DELIVERY_ERRORS)('webhook test says what %s means and what to do', (error) => {
  expect(NO_RESPONSE[error]).toMatch(/^[A-Z].+\. [A-Z].+\.$/);
});

test('docs/webhooks.md lists the delays between the attempts', () => {
  const UNITS = { seconds: 1, minutes: 60, hours: 3600 } as const;
  const [sentence = ''] = /After a failure.*?\./.exec(WEBHOOKS) ?? [];
  const listed = [...sentence.matchAll(/(\d+) (seconds|minutes|hours)/g)].map(
    ([, count, unit]) => Number(count) * UNITS[unit as keyof typeof UNITS] * 1000,
  );
  /** In the middle between the shortest and the longest delay. */
  const average = () => Uint8Array.of(0x80, 0, 0, 0);
  const actual: number[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const delay = retryDelay(attempt, null, average);
    if (delay === undefined) break;
    actual.push(delay);
  }
  expect(listed).toEqual(actual);
});

test('docs/payments.md explains each reason to ignore an event', () => {
  const text = sectionOf('docs/payments.md', 'What the responses mean');
  expect(IGNORED.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
});

test('docs/payments.md lists the events to select at Stripe, and the path of the endpoint', () => {
  const [list = ''] = /```text\n(.*?)```/s.exec(PAYMENTS)?.slice(1) ?? [];
  expect(list.trim().split(/\s+/)).toEqual([...STRIPE_EVENTS]);
  expect(PAYMENTS).toContain(ROUTES.receiveStripeEvent.path.replace('{program}', '<program id>'));
});
