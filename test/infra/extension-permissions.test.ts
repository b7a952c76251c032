import { expect, jest, test } from '@jest/globals';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { contextOf } from '../../bin/local/event.ts';
import * as keys from '../../functions/kernel/dynamodb/keys.ts';
import { MAX_CUSTOMERS } from '../../functions/referrals/rules/provider-state.ts';
import { stripeSourceHandler } from '../../functions/stripe/stream/source.ts';
import { deliverHandler } from '../../functions/webhooks/stream/deliver.ts';
import { messageBody } from '../../functions/webhooks/stream/messages.ts';
import { publishHandler } from '../../functions/webhooks/stream/publish.ts';
import { aChange, addPoisonRecords, Messages } from '../support/changes.ts';
import { aClick, anAdvocate, aProgram, now } from '../support/program.ts';
import { useTable } from '../support/use-table.ts';
import { actionsDuring, actionsOfAll, allowedActions, requestsDuring } from './actions.ts';
import { EXTENDED, synthesize } from './synthesized.ts';

// As in permissions.test.ts: every function is run, and its policy must allow exactly what it did.
const stack = synthesize(EXTENDED);
const table = useTable();

const allowed = (prefix: string) => [...allowedActions(stack, prefix)].toSorted();
const sorted = (actions: ReadonlySet<string>) => [...actions].toSorted();

test('the policy of publish allows exactly what it does', async () => {
  const { webhook, event } = await aChange(table);
  const queue = new Messages();
  const bus = { put: async () => new Set<number>() };
  const actions = await actionsDuring(table, async () => {
    await table.connection.warmUp();
    const publish = publishHandler({ table, queue, bus, addPoisonRecords });
    expect(await publish(event)).toEqual({ batchItemFailures: [] });
  });
  expect(queue.messages).toEqual([expect.objectContaining({ webhook: webhook.id })]);
  expect(sorted(actions)).toEqual(allowed('Eventspublish'));
});

/** Runs `deliver` for the events of a record of the stream, to a receiver that is gone. Returns its requests. */
async function deliver(event: DynamoDBStreamEvent) {
  const queue = new Messages();
  await publishHandler({ table, queue, addPoisonRecords })(event);
  const Records = queue.messages.map((message) => ({ messageId: '1', body: messageBody(message) }));
  return requestsDuring(table, async () => {
    await table.connection.warmUp();
    const deliver = deliverHandler({
      table,
      retries: queue,
      deadLetters: queue,
      secrets: { read: async () => [{ value: 'whsec_c2VjcmV0', createdAt: table.clock() }] },
      send: async () => ({ status: 410, error: null, retryAfter: null }),
    });
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(await deliver({ Records } as SQSEvent)).toEqual({ batchItemFailures: [] });
    expect(log.mock.calls).toEqual([[expect.objectContaining({ error: 'webhook_disabled' })]]);
    log.mockRestore();
  });
}

test('the policy of deliver allows exactly what it does, also if the endpoint is gone', async () => {
  const { event } = await aChange(table);
  expect(sorted(actionsOfAll(await deliver(event)))).toEqual(allowed('Eventsdeliver'));
});

test('deliver may write only the webhooks themselves and their deliveries', async () => {
  const [, { Properties }] = stack.one('AWS::IAM::Policy', 'Eventsdeliver');
  const statements: { Action: unknown; Condition?: object }[] = Object(Properties['PolicyDocument']).Statement;
  const [limited, ...others] = statements.filter(({ Action }) =>
    /(?:Put|Update|Delete)Item/.test(JSON.stringify(Action)),
  );
  expect(others).toEqual([]);
  const { 'ForAllValues:StringLike': condition } = Object(limited?.Condition);
  const [pattern = ''] = condition['dynamodb:LeadingKeys'];
  const isAllowed = ({ pk }: keys.Key) => new RegExp(`^${pattern.replaceAll('?', '.')}$`).test(pk);

  const { program, webhook, event } = await aChange(table);
  const written = (await deliver(event)).filter(([command]) => /Put|Update/.test(command)).map(([, input]) => input);
  const storedKeys = written.map((input) => keys.keyOf({ ...Object(input).Item, ...Object(input).Key }));
  expect(storedKeys.map(({ sk }) => sk)).toEqual(['WEBHOOK', expect.stringMatching(/^DELIVERY#/)]);
  for (const key of storedKeys) expect([key, isAllowed(key)]).toEqual([key, true]);
  const { id } = program;
  const otherKeys = [keys.programKey(id), keys.advocateUidKey(id, `a#WEBHOOK#${webhook.id}`)];
  expect(otherKeys.filter(isAllowed)).toEqual([]);
});

test('the policy of stripe allows exactly what it does, and the policy of tracking also allows it', async () => {
  const program = await aProgram(table);
  const advocate = await anAdvocate(table, program);
  const click = await aClick(table, program, advocate);
  const created = now();
  const metadata = { uid: '1001', gr_id: `${advocate.slug}.${click.id}` };
  const object = { customer: 'cus_1', metadata, amount_total: 100 };
  const session = {
    ...object,
    mode: 'payment',
    payment_status: 'paid',
    customer_details: { email: 'ada@shop.example' },
  };
  const apply = stripeSourceHandler(table.connection);
  const receive = (id: string, type: string, object: object) =>
    apply({ program: program.id, event: { id, type, created, data: { object } } }, contextOf('stripe'));
  const actions = await actionsDuring(table, async () => {
    await table.connection.warmUp();
    expect(await receive('evt_1', 'checkout.session.completed', session)).toEqual({ applied: 'paid' });
    // Each event has a customer at Stripe of its own. The last one takes the place of the first.
    for (let number = 2; number <= MAX_CUSTOMERS + 1; number += 1) {
      const ended = { ...object, customer: `cus_${number}` };
      expect(await receive(`evt_${number}`, 'customer.subscription.deleted', ended)).toEqual({ applied: 'churned' });
    }
    // A payment that leads to no other state only checks the referral.
    const invoice = { ...object, id: 'in_1', amount_paid: 100, total: 100, currency: 'usd' };
    const [late, again] = [await receive('evt_late', 'invoice.paid', invoice), { ...invoice, id: 'in_2' }];
    expect(late).toMatchObject({ entry: expect.any(String) });
    expect(await receive('evt_again', 'invoice.paid', again)).toMatchObject({ entry: expect.any(String) });
  });
  expect(sorted(actions)).toEqual(allowed('StripeEventsstripe'));
  expect(allowed('tracking')).toEqual(expect.arrayContaining(sorted(actions)));
});
