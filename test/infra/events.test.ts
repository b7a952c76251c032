import { describe, expect, test } from '@jest/globals';
import { MAX_HIDDEN } from '../../functions/events/aws.ts';
import { attribute, EXTENDED, type Resource, synthesize } from './synthesized.ts';

const off = synthesize();
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

type Resources = Readonly<Record<string, Resource & { readonly Type: string }>>;
const resourcesOf = ({ template }: typeof off): Resources => template.toJSON()['Resources'];

describe('no events', () => {
  test('there is no queue, bus, rule or parameter without events', () => {
    const types = new Set(Object.values(resourcesOf(off)).map(({ Type }) => Type));
    expect([...types].sort()).toEqual([
      'AWS::ApiGatewayV2::Api',
      'AWS::ApiGatewayV2::Integration',
      'AWS::ApiGatewayV2::Route',
      'AWS::ApiGatewayV2::Stage',
      'AWS::CloudWatch::Alarm',
      'AWS::CloudWatch::Dashboard',
      'AWS::DynamoDB::GlobalTable',
      'AWS::IAM::Policy',
      'AWS::IAM::Role',
      'AWS::Lambda::EventSourceMapping',
      'AWS::Lambda::Function',
      'AWS::Lambda::Permission',
      'AWS::Logs::LogGroup',
      'AWS::Logs::MetricFilter',
    ]);
  });

  test.each([
    ['events', { events: 'on' }],
    ['events of Stripe', { ...EXTENDED, events: 'off' }],
  ])(
    'the events settings %s add resources, but change only the routes of the stage and the dashboard',
    (_, context) => {
      const on = resourcesOf(synthesize(context));
      const [dashboardId] = off.one('AWS::CloudWatch::Dashboard');
      const [stageId] = off.one('AWS::ApiGatewayV2::Stage');
      for (const [id, resource] of Object.entries(resourcesOf(off))) {
        if (id === dashboardId || id === stageId) continue;
        expect(on[id]).toEqual(resource);
      }
    },
  );
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

  test('the stack lets publish send poison records to a dead-letter queue', () => {
    expect(publish.Properties['Environment']).toMatchObject({
      Variables: { QUEUE_URL: { Ref: queueId }, UNPUBLISHED_QUEUE_URL: { Ref: unpublishedId } },
    });
  });
});

describe.each([
  ['first attempts', queueId, queue, deliveries, 5],
  ['retries', retriesId, retries, retriesMapping, 10],
])('the queue of %s', (_, id, { Properties }, mapping, maxReceiveCount) => {
  test('the queue calls deliver, a limited number at a time', () => {
    expect(mapping.Properties).toMatchObject({
      FunctionName: { Ref: deliverId },
      EventSourceArn: attribute(id, 'Arn'),
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    });
  });

  test('the queue hides a message for six times the time limit of deliver', () => {
    expect(Properties['VisibilityTimeout']).toBe(6 * Number(deliver.Properties['Timeout']));
  });

  test('the queue moves a message that deliver never finished to the dead-letter queue', () => {
    expect(Properties['RedrivePolicy']).toEqual({
      deadLetterTargetArn: attribute(undeliveredId, 'Arn'),
      maxReceiveCount,
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

test('all queues are encrypted, require TLS and keep messages for 14 days', () => {
  const everything = synthesize(EXTENDED);
  const queues = everything.all('AWS::SQS::Queue');
  expect(queues).toHaveLength(5);
  const policies = everything.all('AWS::SQS::QueuePolicy').map(([, { Properties }]) => Properties);
  for (const [id, { Properties }] of queues) {
    expect(Properties).toMatchObject({ SqsManagedSseEnabled: true });
    expect([id, Properties['MessageRetentionPeriod']]).toEqual([id, 14 * 24 * 3600]);
    expect(policies).toContainEqual({
      Queues: [{ Ref: id }],
      PolicyDocument: expect.objectContaining({
        Statement: expect.arrayContaining([
          expect.objectContaining({
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Action: 'sqs:*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      }),
    });
  }
});
