import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { changeAdvocate } from '../../../functions/advocates/rules/advocate-changes.ts';
import { advocateWrites } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { addressHash } from '../../../functions/kernel/address.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { signInLinksKey } from '../../../functions/kernel/dynamodb/keys.ts';
import type { EmailMessage } from '../../../functions/people/stream/messages.ts';
import { emailQueuer, inTurn } from '../../../functions/people/stream/queue-emails.ts';
import { readPreviousEmail } from '../../../functions/people/table/previous-emails.ts';
import { itemRecord } from '../../support/events/events.ts';
import { newId, now } from '../../support/program.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate: jane } = await useProgram();
const itemOf = (advocate: Advocate): Item => ({ ...advocateWrites(program.id, advocate).at(-1)?.write.Put.Item });
const moved = (advocate = jane) =>
  itemRecord(itemOf(advocate), itemOf(changeAdvocate(advocate, { email: 'new@x.example' }, now())));
const asked = () =>
  itemRecord(null, { ...signInLinksKey(program.id, addressHash(newId()), 'portal'), request: newId() });

let sent: { readonly name: string; readonly messages: readonly EmailMessage[] }[] = [];
let refuses = (_: readonly EmailMessage[]) => false;
beforeEach(() => {
  sent = [];
  refuses = () => false;
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
const queuer = emailQueuer({
  table,
  queue: {
    send: async (name, messages) => {
      if (refuses(messages)) throw new Error('made by a test');
      sent.push({ name, messages });
    },
  },
});
const sequences = (records: readonly ReturnType<typeof asked>[]) =>
  records.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber }));

test('links of a batch are queued first and ten at a time, also if other emails fail', async () => {
  const others = Array.from({ length: 11 }, () => moved());
  const Records = [...others, ...Array.from({ length: 11 }, asked)];
  refuses = (messages) => messages.length === 2;
  expect(await queuer({ Records })).toEqual({ batchItemFailures: sequences(others.slice(10)) });
  expect(sent.map(({ name, messages }) => [name, messages.length])).toEqual([
    ['links', 10],
    ['links', 1],
    ['others', 10],
    ['others', 10],
  ]);
});

test('an advocate that cannot be read stops no record, and its previous address is kept', async () => {
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...itemOf(jane), created: 'x' } }));
  expect(await queuer({ Records: [moved()] })).toEqual({ batchItemFailures: [] });
  expect(await readPreviousEmail(table, program.id, jane.slug)).toBe(jane.email);
});

test('the second handler gets only the records before the first that failed', async () => {
  const Records = Array.from({ length: 4 }, asked);
  const [first, second, third] = sequences(Records);
  const passed: unknown[] = [];
  const failing =
    (...failed: unknown[]) =>
    async () => ({ batchItemFailures: failed as { itemIdentifier: string }[] });
  const record = async (event: { readonly Records: typeof Records }) => {
    passed.push(sequences(event.Records));
    return failing(first)();
  };
  expect(await inTurn(failing(third), record)({ Records })).toEqual({ batchItemFailures: [first, third] });
  expect(await inTurn(failing(), record)({ Records })).toEqual({ batchItemFailures: [first] });
  expect(passed).toEqual([[first, second], sequences(Records)]);
});
