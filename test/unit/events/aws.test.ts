import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { eventBridgeBus, sqsPoisonRecords, sqsQueue } from '../../../functions/events/aws.ts';
import { parseMessage } from '../../../functions/events/messages.ts';
import { startReceiver } from '../../support/events/receiver.ts';
import { Sqs } from '../../support/events/sqs.ts';
import { CLICK_ID, PROGRAM_ID, REFERRAL_ID } from '../samples.ts';
import { startAwsService } from './aws-service.ts';
import { aMessage } from './messages.ts';

const URL = 'https://sqs.local/1/deliveries';
const messages = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ message: aMessage({ attempt: index + 1 }), delay: index }));
const events = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    program: PROGRAM_ID,
    type: 'referral.paid',
    detail: `{"n":${index}}`,
  }));

describe('the queue', () => {
  test('the queue gets each message with its delay, in the group of its webhook', async () => {
    const { requests, options } = await startAwsService();
    const message = aMessage({ webhook: REFERRAL_ID });
    const sent = [{ message, delay: 900 }, ...messages(1)];
    expect(await sqsQueue(URL, options).send(sent)).toEqual(new Set());
    expect(requests).toEqual([
      {
        QueueUrl: URL,
        Entries: [
          { Id: '0', MessageBody: expect.any(String), DelaySeconds: 900, MessageGroupId: REFERRAL_ID },
          { Id: '1', MessageBody: expect.any(String), DelaySeconds: 0, MessageGroupId: CLICK_ID },
        ],
      },
    ]);
    expect(parseMessage(String(requests[0]?.Entries[0]?.['MessageBody']))).toEqual(message);
  });

  test('the queue gets at most ten messages per request', async () => {
    const { requests, options } = await startAwsService();
    expect(await sqsQueue(URL, options).send(messages(25))).toEqual(new Set());
    expect(requests.map(({ Entries }) => Entries.length).toSorted()).toEqual([10, 10, 5]);
    const attempts = requests.flatMap(({ Entries }) =>
      Entries.map((entry) => parseMessage(String(entry['MessageBody'])).attempt),
    );
    expect(new Set(attempts).size).toBe(25);
  });

  test('the queue reports messages that were not added', async () => {
    const { options } = await startAwsService(({ DelaySeconds }) => [0, 9, 12].includes(Number(DelaySeconds)));
    expect(await sqsQueue(URL, options).send(messages(15))).toEqual(new Set([0, 9, 12]));
  });

  test('the queue reports the messages of a request that failed', async () => {
    const { options } = await startAwsService(({ DelaySeconds }) => (DelaySeconds === 10 ? 'all' : false));
    expect(await sqsQueue(URL, options).send(messages(12))).toEqual(new Set([10, 11]));
  });

  test('the queue throws if no message was added', async () => {
    const none = await startAwsService(() => true);
    await expect(sqsQueue(URL, none.options).send(messages(11))).rejects.toMatchObject({ name: 'AllRefused' });
    const all = await startAwsService(() => 'all');
    await expect(sqsQueue(URL, all.options).send(messages(1))).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('a request that failed is sent up to three times', async () => {
    const twice = await startAwsService((_, request) => (request < 2 ? 'fails' : false));
    expect(await sqsQueue(URL, twice.options).send(messages(1))).toEqual(new Set());
    const always = await startAwsService(() => 'fails');
    await expect(sqsQueue(URL, always.options).send(messages(1))).rejects.toThrow(Unavailable);
    expect([twice.requests.length, always.requests.length]).toEqual([3, 3]);
  });

  test('messages and events count as rejected without a result for them', async () => {
    const { url } = await startReceiver((response) => response.end('{}'));
    const options = { ...(await startAwsService()).options, endpoint: url };
    await expect(sqsQueue(URL, options).send(messages(2))).rejects.toMatchObject({ name: 'AllRefused' });
    await expect(eventBridgeBus('bus', options).put(events(2))).rejects.toMatchObject({ name: 'AllRefused' });
  });

  test('the queue delays and hides messages for as long as asked, or as SQS allows', async () => {
    let now = milliseconds(0);
    const sqs = await Sqs.start(() => now);
    const queue = sqs.queue('retries');
    await queue.send([{ message: aMessage(), delay: 86_400 }]);
    now = milliseconds(sqs.nextAt('retries') ?? 0);
    expect(now).toBe(900_000);
    await sqs.dispatch('retries', async ({ Records: [record] }) => {
      const { receiptHandle = '' } = record ?? {};
      await queue.extendVisibility(receiptHandle, 60);
      expect(sqs.nextAt('retries')).toBe(now + 60_000);
      await queue.extendVisibility(receiptHandle, 86_400);
      expect(sqs.nextAt('retries')).toBe(now + (12 * 60 - 6) * 60_000);
      await expect(sqs.queue('deliveries').extendVisibility(receiptHandle, 60)).rejects.toMatchObject({
        name: 'ReceiptHandleIsInvalid',
      });
      return { batchItemFailures: [{ itemIdentifier: '1' }] };
    });
  });
});

describe('the bus', () => {
  test('the bus gets each event, with its program as its resource', async () => {
    const { requests, options } = await startAwsService();
    expect(await eventBridgeBus('referral-tracking-test', options).put(events(1))).toEqual(new Set());
    const entry = {
      EventBusName: 'referral-tracking-test',
      Source: 'referral-tracking',
      DetailType: 'referral.paid',
      Detail: '{"n":0}',
      Resources: [PROGRAM_ID],
    };
    expect(requests).toEqual([{ Entries: [entry] }]);
  });

  test('the bus gets at most ten events per request, and reports refused events', async () => {
    const { requests, options } = await startAwsService(({ Detail }) => /:(?:3|20)}/.test(String(Detail)));
    expect(await eventBridgeBus('bus', options).put(events(21))).toEqual(new Set([3, 20]));
    expect(requests.map(({ Entries }) => Entries.length).toSorted()).toEqual([1, 10, 10]);
  });
});

test('poison records are kept by their keys, and refused records are reported', async () => {
  const changes = Array.from({ length: 12 }, (_, index) => ({
    sequenceNumber: String(index),
    keys: { pk: { S: 'PROGRAM#p#REFERRAL#r' }, sk: { S: 'REFERRAL' } },
  }));
  const { requests, options } = await startAwsService(({ MessageBody }) => String(MessageBody).includes('"11"'));
  expect(await sqsPoisonRecords(URL, options)(changes)).toEqual(new Set([11]));
  const bodies = requests.flatMap(({ Entries }) => Entries.map(({ MessageBody }) => JSON.parse(String(MessageBody))));
  expect(new Set(bodies)).toEqual(new Set(changes));
  expect(requests[0]?.Entries[0]).not.toHaveProperty('MessageGroupId');
});
