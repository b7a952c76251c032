import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { toProgramItem } from '../../../functions/kernel/accounts/table/programs.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { setState } from '../../../functions/referrals/rules/referral-changes.ts';
import { eventsOf } from '../../../functions/referrals/rules/referral-event.ts';
import type { State } from '../../../functions/referrals/rules/state.ts';
import { toReferralItem } from '../../../functions/referrals/table/referral-item.ts';
import type { Webhook } from '../../../functions/webhooks/rules/webhook.ts';
import type { AddPoisonRecords, PoisonRecord } from '../../../functions/webhooks/stream/destinations.ts';
import { publishHandler } from '../../../functions/webhooks/stream/publish.ts';
import { currentFieldsReader } from '../../../functions/webhooks/table/current-fields.ts';
import { updateWebhook } from '../../../functions/webhooks/table/webhooks.ts';
import { itemRecord, MemoryBus, MemoryQueue, streamRecord } from '../../support/events/events.ts';
import { refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { metered } from '../../support/meter.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { aWebhook, damageWebhook } from '../../support/table/webhooks.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let program: Program;
let jane: Advocate;
let bus: MemoryBus;
let queue: MemoryQueue;
let poisonRecords: PoisonRecord[];
let refusedPoisonRecords: ReadonlySet<number>;
let isDeadLetterQueueFailing: boolean;
let publish: (records: readonly DynamoDBRecord[]) => Promise<string[]>;
let logged: unknown[][];
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  bus = new MemoryBus();
  queue = new MemoryQueue(table.clock);
  poisonRecords = [];
  refusedPoisonRecords = new Set();
  isDeadLetterQueueFailing = false;
  publish = publisher();
  logged = jest.spyOn(console, 'error').mockImplementation(() => undefined).mock.calls;
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Returns a function that publishes records, and returns the sequence numbers of the failed ones. */
function publisher(on = table, hasBus = true): typeof publish {
  const addPoisonRecords: AddPoisonRecords = async (records) => {
    if (isDeadLetterQueueFailing) throw new Error('made by a test');
    poisonRecords.push(...records);
    return refusedPoisonRecords;
  };
  const handler = publishHandler({ table: on, queue, addPoisonRecords, ...(hasBus && { bus }) });
  return async (records) => {
    const { batchItemFailures } = await handler({ Records: [...records] });
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
}

const sequence = ({ dynamodb }: DynamoDBRecord) => dynamodb?.SequenceNumber;
const details = () => bus.events.map(({ detail }) => JSON.parse(detail));
const queued = () => queue.messages.map(({ message }) => message);
const record = (before: Referral | null, after: Referral | null) => streamRecord(program.id, before, after);
const change = (referral: Referral, to: State = 'paid') => record(referral, setState(referral, to, 'merchant', now()));
const referral = (changes: Partial<Referral> = {}) => aReferral(table, program, jane, changes);
const referrals = (count: number) => Promise.all(Array.from({ length: count }, () => referral()));

describe('published changes', () => {
  test('a change goes to the bus with its id and the row as it is now, but without the email', async () => {
    const commission = { commissionPercentage: 12.5, commissionEndDate: seconds(1_800_000_000) };
    const before = await referral({ customerUid: newId(), flags: ['self_referral'], subId: 'news', ...commission });
    const after = setState(before, 'paid', 'merchant', now());
    expect(await publish([record(before, after)])).toEqual([]);
    expect(bus.events).toEqual([{ program: program.id, type: 'referral.paid', detail: expect.any(String) }]);
    expect(details()).toMatchObject([
      {
        id: `${before.id}.2`,
        type: 'referral.paid',
        timestamp: new Date(after.stateSetAt * 1000).toISOString().replace('.000Z', 'Z'),
        data: {
          id: before.id,
          state: 'paid',
          previous_state: 'converted',
          state_set_at: after.stateSetAt,
          created_at: before.createdAt,
          sub_id: 'news',
          uid: before.customerUid,
          affiliate_slug: jane.slug,
          advocate_id: jane.id,
          commission_percentage: 12.5,
          commission_end_date: 1_800_000_000,
          flags: ['self_referral'],
          by: 'merchant',
        },
      },
    ]);
    expect(bus.events[0]?.detail).not.toContain(String(before.email));
  });

  test('a change goes to each enabled webhook that receives its type, without delay', async () => {
    const all = await aWebhook(table, program);
    const paid = await aWebhook(table, program, { events: ['referral.paid'] });
    await aWebhook(table, program, { events: ['referral.churned', 'referral.clicked'] });
    const disabled = await aWebhook(table, program);
    await updateWebhook(table, program.id, disabled.id, { enabled: false });
    await aWebhook(table, await aProgram(table));
    const before = await referral({ customerUid: newId() });
    const after = setState(before, 'paid', 'merchant', now());
    await publish([record(before, after)]);
    const [event] = eventsOf(after).slice(-1);
    const expected = { program: program.id, event, advocateId: jane.id, attempt: 1, due: after.stateSetAt * 1000 };
    const messages = queued().toSorted((one, other) => (one.webhook < other.webhook ? -1 : 1));
    expect(messages).toEqual([all, paid].map(({ id: webhook }) => ({ ...expected, webhook })));
    expect(queue.messages.map(({ delay }) => delay)).toEqual([0, 0]);
    for (const personal of [before.email, before.customerUid]) {
      expect(JSON.stringify(queued())).not.toContain(String(personal));
    }
  });
});

describe('changes without an event', () => {
  afterEach(() => expect([bus.events, queue.messages]).toEqual([[], []]));

  test('imports, deletions, and rows of other kinds cause no event', async () => {
    const [one, click] = [await referral(), await aClick(table, program, jane)];
    const imported = { ...one, history: one.history.map((entry) => ({ ...entry, by: 'import' as const })) };
    const records = [record(null, imported), record(click, null), itemRecord(null, toProgramItem(program))];
    await aWebhook(table, program);
    expect(await publish(records)).toEqual([]);
  });
});

test('a click goes to the webhooks that named it, and never to the bus', async () => {
  const { id } = await aWebhook(table, program, { events: ['referral.clicked'] });
  const click = await aClick(table, program, jane);
  await publish([record(null, click)]);
  expect(queued()).toMatchObject([{ webhook: id, event: { id: `${click.id}.1`, type: 'referral.clicked' } }]);
  expect(bus.events).toEqual([]);
});

describe('the requests of a batch', () => {
  test('a batch takes one request for the rows, one for the webhooks, and one for the list of webhooks', async () => {
    await aWebhook(table, program);
    const records = (await referrals(30)).map((each) => change(each));
    const first = await metered(table, () => publish(records));
    expect([first.result, first.requests, bus.events.length, queue.messages.length]).toEqual([[], 3, 30, 30]);
    // Webhooks and advocates are cached.
    const second = await metered(table, () => publish(records));
    expect([second.requests, second.readUnits]).toEqual([1, 30]);
  });

  test('a batch takes no request without a bus once the advocate is known', async () => {
    await aWebhook(table, program);
    const local = publisher(table, false);
    const records = (await referrals(3)).map((each) => change(each));
    await local(records);
    const { result, requests } = await metered(table, () => local(records));
    expect([result, requests, queue.messages.length, bus.events]).toEqual([[], 0, 6, []]);
  });
});

describe('records that fail', () => {
  let webhook: Webhook;
  beforeEach(async () => {
    webhook = await aWebhook(table, program);
  });

  test('a record that the bus refuses is queued once, however often it is read, and the other way around', async () => {
    const [refused, accepted] = await referrals(2);
    if (!refused || !accepted) throw new Error('There are no referrals.');
    const records = [change(refused), change(accepted)];
    bus.refuses = ({ detail }) => detail.includes(refused.id);
    for (let call = 0; call < 5; call += 1) expect(await publish(records)).toEqual(records.slice(0, 1).map(sequence));
    expect([bus.events.length, queue.messages.length]).toEqual([1, 2]);
    bus.refuses = () => false;
    expect(await publish(records)).toEqual([]);
    expect([bus.events.length, queue.messages.length]).toEqual([2, 2]);
    const others = (await referrals(2)).map((each) => change(each));
    queue.refuses = () => true;
    for (let call = 0; call < 5; call += 1) expect(await publish(others)).toEqual(others.map(sequence));
    expect([bus.events.length, queue.messages.length]).toEqual([4, 2]);
  });

  test('a record that fails because of one webhook reaches the other webhooks once', async () => {
    const other = await aWebhook(table, program);
    queue.refuses = (message) => message.webhook === other.id;
    const record = change(await referral());
    for (let call = 0; call < 5; call += 1) expect(await publish([record])).toEqual([sequence(record)]);
    queue.refuses = () => false;
    expect(await publish([record])).toEqual([]);
    expect(queued().map(({ webhook: id }) => id)).toEqual([webhook.id, other.id]);
    expect(bus.events).toHaveLength(1);
  });

  test('an unreadable webhook is no failure: the bus and the other webhooks get the event', async () => {
    const broken = await aWebhook(table, program);
    await damageWebhook(table, program, broken);
    expect(await publish([change(await referral())])).toEqual([]);
    expect([bus.events.length, queued().map(({ webhook: id }) => id)]).toEqual([1, [webhook.id]]);
    const ids = { program: program.id, webhook: broken.id };
    expect(logged).toEqual([[{ error: 'webhook_unreadable', ...ids, cause: 'MalformedItem' }]]);
  });

  test('records whose rows cannot be read are published later', async () => {
    const records = (await referrals(2)).map((each) => change(each));
    // The first batch reads the webhooks.
    const publishes = publisher(proxied.faulty);
    await publishes(records);
    proxied.proxy.next('BatchGetItem', refusal('AccessDeniedException'));
    expect(await publishes(records)).toEqual(records.map(sequence));
    expect(await publishes(records)).toEqual([]);
    expect(queued().every(({ webhook: id }) => id === webhook.id)).toBe(true);
    expect(queue.messages).toHaveLength(4);
  });
});

describe('poison records', () => {
  /** A record whose image lacks an attribute. */
  async function malformed() {
    const broken = await referral({ customerUid: newId() });
    const { state_set_at: _, ...item } = toReferralItem(program.id, broken);
    return { broken, record: itemRecord(null, item) };
  }
  const keysOf = ({ id }: Referral) => ({ pk: { S: `PROGRAM#${program.id}#REFERRAL#${id}` }, sk: { S: 'REFERRAL' } });

  test('a malformed record is immediately a poison record, whose keys are kept, and holds up no other', async () => {
    const { broken, record: unreadable } = await malformed();
    const others = (await referrals(3)).map((each) => change(each));
    expect(await publish([unreadable, ...others])).toEqual([]);
    expect(poisonRecords).toEqual([{ sequenceNumber: sequence(unreadable), keys: keysOf(broken) }]);
    expect(bus.events).toHaveLength(3);
    expect(logged).toEqual([[{ error: 'record_unreadable', record: sequence(unreadable), cause: 'MalformedItem' }]]);
    for (const personal of [broken.email, broken.customerUid]) {
      expect(JSON.stringify([poisonRecords, logged])).not.toContain(String(personal));
    }
  });

  test('a record with a malformed current row is also a poison record', async () => {
    const [broken, other] = await referrals(2);
    if (!broken || !other) throw new Error('There are no referrals.');
    const { state_set_at: _, ...item } = toReferralItem(program.id, broken);
    await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
    const [unreadable, readable] = [change(broken), change(other)];
    expect(await publish([unreadable, readable])).toEqual([]);
    expect(poisonRecords).toEqual([{ sequenceNumber: sequence(unreadable), keys: keysOf(broken) }]);
    expect(details()).toMatchObject([{ data: { id: other.id } }]);
    expect(logged).toMatchObject([[{ error: 'row_unreadable', cause: 'MalformedItem' }]]);
  });

  test('a poison record fails until the dead-letter queue accepts it, which it does once', async () => {
    const { record: unreadable } = await malformed();
    const refused = change(await referral());
    bus.refuses = () => true;
    isDeadLetterQueueFailing = true;
    expect(new Set(await publish([refused, unreadable]))).toEqual(new Set([refused, unreadable].map(sequence)));
    isDeadLetterQueueFailing = false;
    for (let call = 0; call < 2; call += 1) expect(await publish([refused, unreadable])).toEqual([sequence(refused)]);
    expect(poisonRecords).toHaveLength(1);
  });

  test('a poison record fails alone if the dead-letter queue accepts the others', async () => {
    const [{ record: refused }, { record: accepted }] = [await malformed(), await malformed()];
    refusedPoisonRecords = new Set([0]);
    expect(await publish([refused, accepted])).toEqual([sequence(refused)]);
  });
});

test('an event keeps the id of its advocate when another advocate of the batch takes the place in the cache', async () => {
  const program = await aProgram(table);
  const advocates = [await anAdvocate(table, program), await anAdvocate(table, program)];
  const clicks = await Promise.all(advocates.map((advocate) => aClick(table, program, advocate)));
  const [first, second] = clicks.map((click) =>
    eventsOf(click).map((event) => ({ program: program.id, event, toBus: false })),
  );
  const read = currentFieldsReader(table, 1);
  const idsOf = async (events = [...(first ?? [])]) =>
    events.map(await read(events)).map(({ advocateId }) => advocateId);
  const [one, other] = advocates.map(({ id }) => id);
  expect(await idsOf()).toEqual([one]);
  expect(await idsOf([...(second ?? []), ...(first ?? [])])).toEqual([other, one]);
});
