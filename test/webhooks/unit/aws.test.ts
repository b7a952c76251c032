import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../functions/kernel/errors.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { eventBridgeBus, sqsPoisonRecords, sqsQueue } from '../../../functions/webhooks/stream/aws.ts';
import { parseMessage } from '../../../functions/webhooks/stream/messages.ts';
import { unavailableOnFailure } from '../../../functions/webhooks/stream/unavailable-queue.ts';
import { startReceiver } from '../../support/events/receiver.ts';
import { Sqs } from '../../support/events/sqs.ts';
import { aMessage, CLICK_ID, PROGRAM_ID, REFERRAL_ID } from '../../support/samples.ts';
import { GENEROUS_LIMITS } from '../../support/table.ts';

/** The body of a request to the service, as far as the tests read it. */
interface SentEntries {
  readonly QueueUrl?: string;
  readonly Entries: readonly Record<string, unknown>[];
}

/** How the service handles a request: it refuses the entries for which this is true, or the whole request, or fails. */
type Refuses = (entry: Record<string, unknown>, request: number) => boolean | 'all' | 'fails';

/**
 * Starts a service that responds as SQS and EventBridge do to requests with entries
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html,
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html).
 */
async function startAwsService(refuses: Refuses = () => false) {
  const requests: SentEntries[] = [];
  const receiver = await startReceiver((response, { body, headers }) => {
    const sent: SentEntries = JSON.parse(body);
    const request = requests.push(sent) - 1;
    const outcomes = sent.Entries.map((entry) => refuses(entry, request));
    const type = { 'content-type': 'application/x-amz-json-1.0' };
    if (outcomes.includes('all')) {
      const error = { __type: 'com.amazonaws.sqs#AccessDenied', message: 'made by a test' };
      response.writeHead(400, type).end(JSON.stringify(error));
      return;
    }
    if (outcomes.includes('fails')) {
      response.writeHead(503, type).end('{}');
      return;
    }
    const isQueue = String(headers['x-amz-target']).endsWith('SendMessageBatch');
    const result = isQueue ? queueResult(sent.Entries, outcomes) : busResult(outcomes);
    response.writeHead(200, type).end(JSON.stringify(result));
  });
  const options = {
    endpoint: new URL(receiver.url).origin,
    region: 'local',
    limits: GENEROUS_LIMITS,
    credentials: async () => ({ accessKeyId: 'local', secretAccessKey: 'local' }),
  };
  return { requests, options };
}

function queueResult(entries: SentEntries['Entries'], outcomes: readonly unknown[]) {
  const results = entries.map(({ Id, MessageBody }, index) => ({
    Id,
    MessageId: String(index),
    MD5OfMessageBody: createHash('md5').update(String(MessageBody)).digest('hex'),
  }));
  return {
    Successful: results.filter((_, index) => !outcomes[index]),
    Failed: results.filter((_, index) => outcomes[index]).map(({ Id }) => ({ Id, Code: 'Busy', SenderFault: false })),
  };
}

function busResult(outcomes: readonly unknown[]) {
  return {
    FailedEntryCount: outcomes.filter(Boolean).length,
    Entries: outcomes.map((isRefused) => (isRefused ? { ErrorCode: 'InternalFailure' } : { EventId: 'id' })),
  };
}

const QUEUE = 'https://sqs.local/1/deliveries';
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
    expect(await sqsQueue(QUEUE, options).send(sent)).toEqual(new Set());
    expect(requests).toEqual([
      {
        QueueUrl: QUEUE,
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
    expect(await sqsQueue(QUEUE, options).send(messages(25))).toEqual(new Set());
    expect(requests.map(({ Entries }) => Entries.length).toSorted()).toEqual([10, 10, 5]);
    const attempts = requests.flatMap(({ Entries }) =>
      Entries.map((entry) => parseMessage(String(entry['MessageBody'])).attempt),
    );
    expect(new Set(attempts).size).toBe(25);
  });

  test('the queue reports the messages of a request that failed', async () => {
    const { options } = await startAwsService(({ DelaySeconds }) => (DelaySeconds === 10 ? 'all' : false));
    expect(await sqsQueue(QUEUE, options).send(messages(12))).toEqual(new Set([10, 11]));
  });

  test('the queue throws if no message was added', async () => {
    const none = await startAwsService(() => true);
    await expect(sqsQueue(QUEUE, none.options).send(messages(11))).rejects.toMatchObject({ name: 'AllRefused' });
    const all = await startAwsService(() => 'all');
    await expect(sqsQueue(QUEUE, all.options).send(messages(1))).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('messages and events count as rejected without a result for them', async () => {
    const { url } = await startReceiver((response) => response.end('{}'));
    const options = { ...(await startAwsService()).options, endpoint: url };
    await expect(sqsQueue(QUEUE, options).send(messages(2))).rejects.toMatchObject({ name: 'AllRefused' });
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
  expect(await sqsPoisonRecords(QUEUE, options)(changes)).toEqual(new Set([11]));
  const bodies = requests.flatMap(({ Entries }) => Entries.map(({ MessageBody }) => JSON.parse(String(MessageBody))));
  expect(new Set(bodies)).toEqual(new Set(changes));
  expect(requests[0]?.Entries[0]).not.toHaveProperty('MessageGroupId');
});

test('a queue that cannot be reached is unavailable, and one that rejects messages returns them', async () => {
  const failing = unavailableOnFailure({ send: () => Promise.reject(new Error('made by a test')) });
  await expect(failing.send([])).rejects.toThrow(Unavailable);
  const rejecting = unavailableOnFailure({ send: async () => new Set([1]) });
  expect(await rejecting.send([])).toEqual(new Set([1]));
});
