import { beforeEach, expect, test } from '@jest/globals';
import { addressHash } from '../../../functions/kernel/address.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { advocateKey, applicationKey, draftKey, type Key } from '../../../functions/kernel/dynamodb/keys.ts';
import { LAST_SECOND, seconds } from '../../../functions/kernel/time.ts';
import type { Application } from '../../../functions/people/rules/applications/application-fields.ts';
import { approveApplication, rejectApplication } from '../../../functions/people/table/applications/decide.ts';
import { sendApplication } from '../../../functions/people/table/applications/send.ts';
import { causedBy } from '../../../functions/people/table/causes.ts';
import { inviteAdvocate } from '../../../functions/people/table/invitations.ts';
import { EVENT_TYPES } from '../../../functions/webhooks/rules/event.ts';
import { messageBody, parseMessage } from '../../../functions/webhooks/stream/messages.ts';
import { publishHandler } from '../../../functions/webhooks/stream/publish.ts';
import { findPastEvent, pastEvents } from '../../../functions/webhooks/table/past-events.ts';
import { anApplication, NOOR, takeApplications } from '../../support/applications.ts';
import { itemRecord, MemoryQueue } from '../../support/events/events.ts';
import { mailboxOf, messageOf } from '../../support/people.ts';
import { aProgram, newId } from '../../support/program.ts';
import { aWebhook } from '../../support/table/webhooks.ts';
import { itemAt } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const REJECTION = { note: null, notify: false, mayApplyAgain: false };
let program: Awaited<ReturnType<typeof aProgram>>;
let email: string;
beforeEach(async () => {
  email = `noor-${newId()}@x.example`;
  program = await aProgram(table);
  await takeApplications(table, program);
});

const stored = async (key: Key): Promise<Item> => (await itemAt(table, key)) ?? {};
const causes = (before: Item | null, after: Item) => causedBy(itemRecord(before, after))?.causes ?? [];

test('what an address sends is told until it is replaced, while the limits allow, and contains no address', async () => {
  const draft = draftKey(program.id, addressHash(email));
  const images: Item[] = [];
  for (let times = 0; times < 4; times += 1) {
    await sendApplication(table, program.id, { ...NOOR, email });
    images.push(await stored(draft));
  }
  const told = images.map((image, index) => causes(images[index - 1] ?? null, image));
  const cause = (index: number) => ({
    kind: 'confirm',
    address: addressHash(email),
    application: images[index]?.['id'],
  });
  expect(told).toEqual([[cause(0)], [cause(1)], [cause(2)], []]);
  expect(JSON.stringify(told)).not.toContain('x.example');
  const other = await aProgram(table);
  await takeApplications(table, other);
  await sendApplication(table, other.id, { ...NOOR, email });
  expect(causes(null, await stored(draftKey(other.id, addressHash(email))))).toEqual([]);
  const mailbox = mailboxOf(table, undefined, { leavesMachine: false });
  for (const [replaced] of told.slice(0, 2))
    if (replaced) await mailbox.deliver(messageOf(table, program.id, replaced));
  expect(mailbox.emails).toEqual([]);
});

test('an application that waits or was decided is told by email and to webhooks that name its event, once', async () => {
  const webhook = await aWebhook(table, program, { events: ['application.pending', 'application.approved'] });
  await aWebhook(table, program);
  const queue = new MemoryQueue(table.clock);
  const publish = publishHandler({ table, queue, addPoisonRecords: async () => new Set() });
  const change = async (application: Application, decide: () => Promise<unknown>) => {
    const key = applicationKey(program.id, application.id);
    const pending = await stored(key);
    await decide();
    const decided = await stored(key);
    await publish({ Records: [itemRecord(null, pending), itemRecord(pending, decided), itemRecord(decided, decided)] });
    return [causes(null, pending), causes(pending, decided), causes(decided, decided)];
  };
  const one = await anApplication(table, program, { email });
  const other = await anApplication(table, program, { email: `eve-${email}` });
  const waiting = { kind: 'waiting', day: expect.any(String) };
  expect(await change(one, () => approveApplication(table, program, one.id, {}))).toEqual([
    [{ ...waiting, application: one.id }],
    [{ kind: 'approved', slug: 'noor', request: one.id }],
    [],
  ]);
  expect(await change(other, () => rejectApplication(table, program.id, other.id, REJECTION))).toEqual([
    [{ ...waiting, application: other.id }],
    [{ kind: 'rejected', application: other.id }],
    [],
  ]);
  const event = { setAt: expect.any(Number), slug: null };
  const pending = (id: string) => ({ ...event, id: `${id}.1`, type: 'application.pending', applicationId: id });
  const approved = { ...event, id: `${one.id}.2`, type: 'application.approved', applicationId: one.id, slug: 'noor' };
  expect(queue.messages.map(({ message }) => message)).toEqual(
    [pending(one.id), approved, pending(other.id)].map((each) =>
      expect.objectContaining({ webhook: webhook.id, event: each }),
    ),
  );
  for (const { message } of queue.messages) expect(parseMessage(messageBody(message))).toEqual(message);
  const past = [];
  const ever = { from: seconds(0), to: seconds(LAST_SECOND) };
  for await (const { events } of pastEvents(table, program.id, EVENT_TYPES, ever)) past.push(...events);
  const ids = [`${one.id}.1`, `${one.id}.2`, `${other.id}.1`, `${other.id}.2`];
  expect(past.map(({ event }) => event.id).toSorted()).toEqual(ids.toSorted());
  expect((await findPastEvent(table, program.id, `${one.id}.2`))?.event).toEqual(approved);
  expect(await findPastEvent(table, program.id, `${one.id}.3`)).toBeUndefined();
});

test('an invitation is told, and no repetition of a day', async () => {
  const { advocate } = await approveApplication(
    table,
    program,
    (await anApplication(table, program, { email })).id,
    {},
  );
  const key = advocateKey(program.id, advocate.slug);
  const before = await stored(key);
  const { invitedAt } = await inviteAdvocate(table, program.id, advocate.slug);
  const invited = await stored(key);
  expect(causes(before, invited)).toEqual([{ kind: 'approved', slug: advocate.slug, request: String(invitedAt) }]);
  await inviteAdvocate(table, program.id, advocate.slug);
  expect(await stored(key)).toEqual(invited);
});
