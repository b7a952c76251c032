import { expect, jest, test } from '@jest/globals';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { contextOf } from '../../bin/local/event.ts';
import { changeAdvocate } from '../../functions/advocates/rules/advocate-changes.ts';
import { advocateWrites } from '../../functions/advocates/table/advocates.ts';
import { addressHash } from '../../functions/kernel/address.ts';
import * as keys from '../../functions/kernel/dynamodb/keys.ts';
import { recordSettlement } from '../../functions/ledger/table/settlements.ts';
import type { EmailCause } from '../../functions/people/rules/email-cause.ts';
import type { EmailMessage } from '../../functions/people/stream/messages.ts';
import { emailQueuer, inTurn } from '../../functions/people/stream/queue-emails.ts';
import { listApplications, rejectApplication } from '../../functions/people/table/applications/decide.ts';
import { sendApplication } from '../../functions/people/table/applications/send.ts';
import { createMember } from '../../functions/people/table/members.ts';
import { keepPreviousEmail } from '../../functions/people/table/previous-emails.ts';
import { MAX_CUSTOMERS } from '../../functions/referrals/rules/provider-state.ts';
import { stripeSourceHandler } from '../../functions/stripe/stream/source.ts';
import { deliverHandler } from '../../functions/webhooks/stream/deliver.ts';
import { messageBody } from '../../functions/webhooks/stream/messages.ts';
import { publishHandler } from '../../functions/webhooks/stream/publish.ts';
import { anApplication, NOOR, takeApplications } from '../support/applications.ts';
import { aChange, addPoisonRecords, Messages } from '../support/changes.ts';
import { itemRecord } from '../support/events/events.ts';
import { ledgerOf } from '../support/ledger/ledger.ts';
import { mailboxOf, messageOf } from '../support/people.ts';
import { aClick, anAdvocate, aProgram, newId, now } from '../support/program.ts';
import { itemAt } from '../support/table.ts';
import { useTable } from '../support/use-table.ts';
import { actionsDuring, actionsOfAll, allowedActions, forbiddenOf, requestsDuring } from './actions.ts';
import { EXTENDED, synthesize } from './synthesized.ts';

// As in permissions.test.ts: every function is run, and its policy must allow exactly what it did.
const stack = synthesize(EXTENDED);
const table = useTable();

const allowed = (prefix: string) => [...allowedActions(stack, prefix)].toSorted();
const sorted = (actions: ReadonlySet<string>) => [...actions].toSorted();

test('the policy of publish allows exactly what it does, without emails and with them', async () => {
  const { webhook, event, program } = await aChange(table);
  const jane = await anAdvocate(table, program);
  const [before, after] = [jane, changeAdvocate(jane, { email: 'new@x.example' }, now())].map(
    (advocate) => advocateWrites(program.id, advocate).at(-1)?.write.Put.Item ?? null,
  );
  const queue = new Messages();
  const bus = { put: async () => new Set<number>() };
  const publish = () => publishHandler({ table, queue, bus, addPoisonRecords });
  const emails: EmailMessage[] = [];
  const queueEmails = emailQueuer({ table, queue: { send: async (_, messages) => void emails.push(...messages) } });
  await takeApplications(table, program);
  const { id } = await anApplication(table, program);
  const pending = (await itemAt(table, keys.applicationKey(program.id, id))) ?? null;
  const Records = [...event.Records, itemRecord(before ?? null, after ?? null), itemRecord(null, pending)];
  for (const [policies, handler] of [
    [synthesize({ events: 'on' }), publish()],
    [stack, inTurn(queueEmails, publish())],
  ] as const) {
    const sent = await requestsDuring(table, async () => {
      await table.connection.warmUp();
      expect(await handler({ Records })).toEqual({ batchItemFailures: [] });
    });
    expect(sorted(actionsOfAll(sent))).toEqual([...allowedActions(policies, 'Eventspublish')].toSorted());
    expect(forbiddenOf(policies, 'Eventspublish', sent)).toEqual([]);
  }
  expect(queue.messages.map((message) => message.webhook)).toEqual([webhook.id, webhook.id]);
  expect(emails.map(({ cause }) => cause.kind)).toEqual(['account_changed', 'account_changed', 'waiting']);
});

test('the policy of mail allows exactly what it does for every kind of email, also if SES refuses it', async () => {
  const program = await aProgram(table);
  const { slug, email } = await anAdvocate(table, program, { uid: newId() });
  await keepPreviousEmail(table, program.id, { slug, version: 2, previous: 'jane@x.example' });
  const settlement = { slug, settlementId: newId(), amount: 1, currency: 'usd', reference: null, settledAt: null };
  const { entry } = await recordSettlement(table, ledgerOf(program), settlement);
  const sam = { email: 'sam@x.example', name: null, scopes: ['admin', 'advocates'] } as const;
  const { member } = await createMember(table, program.id, sam);
  await takeApplications(table, program);
  const { id: pending } = await anApplication(table, program, { email: 'ann@x.example' });
  const { id: rejected } = await anApplication(table, program, { email: 'ben@x.example' });
  await rejectApplication(table, program.id, rejected, { note: null, notify: true, mayApplyAgain: false });
  await sendApplication(table, program.id, NOOR);
  const { applications } = await listApplications(table, program.id, 'unconfirmed', { start: { skip: 0 }, size: 1 });
  const signIn = { kind: 'sign_in', request: newId() } as const;
  const changed = { kind: 'account_changed', slug, version: 2, changes: ['email'] } as const;
  const causes: EmailCause[] = [
    { ...signIn, page: 'portal', address: addressHash(email ?? '') },
    { ...signIn, page: 'dashboard', address: addressHash(member.email), request: newId() },
    { kind: 'invited', member: member.id },
    { kind: 'paying', slug, day: '2026-11-28' },
    { kind: 'settled', slug, createdAt: entry.createdAt, entry: entry.id },
    { ...changed, to: 'now' },
    { ...changed, to: 'before' },
    { kind: 'confirm', address: addressHash(NOOR.email), application: applications[0]?.id ?? '' },
    { kind: 'approved', slug, request: newId() },
    { kind: 'rejected', application: rejected },
    { kind: 'waiting', application: pending, day: '2026-11-28' },
  ];
  const [refusing, mailbox] = [mailboxOf(table, async () => 'refused'), mailboxOf(table)];
  const sent = await requestsDuring(table, async () => {
    await table.connection.warmUp();
    for (const { deliver } of [refusing, mailbox])
      for (const cause of causes) await deliver(messageOf(table, program.id, cause));
  });
  expect([refusing.pauses.length, mailbox.emails.length]).toEqual([causes.length, causes.length]);
  expect(sorted(actionsOfAll(sent))).toEqual(allowed('Emailsmail'));
  expect(forbiddenOf(stack, 'Emailsmail', sent)).toEqual([]);
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
  const { program, webhook, event } = await aChange(table);
  const sent = await deliver(event);
  const stored = sent
    .filter(([command]) => /Put|Update/.test(command))
    .map(([, input]) => keys.keyOf({ ...Object(input).Item, ...Object(input).Key }));
  expect(stored.map(({ sk }) => sk)).toEqual(['WEBHOOK', expect.stringMatching(/^DELIVERY#/)]);
  expect(forbiddenOf(stack, 'Eventsdeliver', sent)).toEqual([]);
  const others = [keys.programKey(program.id), keys.advocateUidKey(program.id, `a#WEBHOOK#${webhook.id}`)];
  const requests = others.map((Item) => ['PutCommand', { Item }] as const);
  expect(forbiddenOf(stack, 'Eventsdeliver', requests)).toHaveLength(others.length);
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
