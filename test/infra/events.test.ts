import { describe, expect, test } from '@jest/globals';
import { MAX_HIDDEN } from '../../functions/webhooks/stream/aws.ts';
import { attribute, EXTENDED, synthesize } from './synthesized.ts';

const stack = synthesize({ events: 'on' });
const [tableId] = stack.one('AWS::DynamoDB::GlobalTable');
const [queueId, queue] = stack.one('AWS::SQS::Queue', 'EventsQueue');
const [retriesId, retries] = stack.one('AWS::SQS::Queue', 'EventsRetries');
const [undeliveredId] = stack.one('AWS::SQS::Queue', 'EventsUndelivered');
const [unpublishedId] = stack.one('AWS::SQS::Queue', 'EventsUnpublished');
const [publishId, publish] = stack.one('AWS::Lambda::Function', 'Eventspublish');
const [deliverId, deliver] = stack.one('AWS::Lambda::Function', 'Eventsdeliver');
const [, stream] = stack.one('AWS::Lambda::EventSourceMapping', 'EventsStream');
const [, deliveries] = stack.one('AWS::Lambda::EventSourceMapping', 'EventsDeliveries');
const [, retriesMapping] = stack.one('AWS::Lambda::EventSourceMapping', 'EventsRetryDeliveries');

test('there is no queue, bus, rule or parameter without events', () => {
  for (const type of ['SQS::Queue', 'Events::EventBus', 'Events::Rule', 'SSM::Parameter'])
    expect(synthesize().all(`AWS::${type}`)).toEqual([]);
});

describe('the stream', () => {
  test('the stream calls publish with new and changed referrals within seconds, and from its beginning', () => {
    expect(stream.Properties).toMatchObject({
      FunctionName: { Ref: publishId },
      EventSourceArn: attribute(tableId, 'StreamArn'),
      StartingPosition: 'TRIM_HORIZON',
      MaximumBatchingWindowInSeconds: 1,
    });
    const { Filters } = Object(stream.Properties['FilterCriteria']);
    expect(Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { sk: { S: ['REFERRAL'] } } } },
      {
        eventName: ['INSERT'],
        dynamodb: { NewImage: { kind: { S: ['payment', 'refund'] }, by: { S: [{ 'anything-but': ['import'] }] } } },
      },
    ]);
  });

  test('the stream repeats what failed for as long as it has it, and reports it to a dead-letter queue', () => {
    expect(stream.Properties).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRecordAgeInSeconds: 86_400,
      DestinationConfig: { OnFailure: { Destination: attribute(unpublishedId, 'Arn') } },
    });
    // Without a limit: https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html
    expect(stream.Properties).not.toHaveProperty('MaximumRetryAttempts');
  });
});

describe.each([
  ['first attempts', queueId, queue, deliveries, 5],
  ['retries', retriesId, retries, retriesMapping, 10],
])('the queue of %s', (_, id, { Properties }, mapping, maxReceiveCount) => {
  test('the queue calls deliver, a limited number at a time, and moves what it never finished', () => {
    expect(mapping.Properties).toMatchObject({
      FunctionName: { Ref: deliverId },
      EventSourceArn: attribute(id, 'Arn'),
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    });
    expect(Properties).toMatchObject({
      VisibilityTimeout: 6 * Number(deliver.Properties['Timeout']),
      RedrivePolicy: { deadLetterTargetArn: attribute(undeliveredId, 'Arn'), maxReceiveCount },
    });
  });
});

describe('the queues of deliveries', () => {
  test('messages stay invisible for at most 12 hours, including the time that Lambda holds them', () => {
    expect(MAX_HIDDEN + Number(retries.Properties['VisibilityTimeout'])).toBe(12 * 3600);
  });

  test('the queues may deliver a message often, because each of ten attempts may be postponed', () => {
    expect(deliver.Properties['RecursiveLoop']).toBe('Allow');
    expect(publish.Properties).not.toHaveProperty('RecursiveLoop');
  });

  test('the queues are found by the name of the table, for events that are queued by the command line', () => {
    expect(stack.one('AWS::SSM::Parameter')[1].Properties).toMatchObject({
      Name: { 'Fn::Join': ['', ['/referral-tracking/', { Ref: tableId }, '/queue-url']] },
      Type: 'String',
      Value: { Ref: queueId },
    });
  });
});

test('all queues keep messages for 14 days', () => {
  const queues = synthesize(EXTENDED).all('AWS::SQS::Queue');
  expect(queues.map(([, { Properties }]) => Properties['MessageRetentionPeriod'])).toEqual(Array(8).fill(14 * 86_400));
});
