import { describe, expect, test } from '@jest/globals';
import * as keys from '../../functions/kernel/dynamodb/keys.ts';
import { ENTRY_KINDS } from '../../functions/ledger/rules/entry-fields.ts';
import { statisticsHandler } from '../../functions/statistics/stream/count.ts';
import { aChange } from '../support/changes.ts';
import { useTable } from '../support/use-table.ts';
import { actionsOfAll, allowedActions, forbiddenOf, requestsDuring } from './actions.ts';
import { attribute, EXTENDED, synthesize } from './synthesized.ts';

describe('statistics', () => {
  const stack = synthesize();
  const [tableId] = stack.one('AWS::DynamoDB::GlobalTable');
  const [functionId] = stack.one('AWS::Lambda::Function', 'Statisticsstatistics');
  const [, mapping] = stack.one('AWS::Lambda::EventSourceMapping', 'StatisticsStream');
  const table = useTable();

  test('the stream has both images, and at most two readers', () => {
    const [, { Properties }] = stack.one('AWS::DynamoDB::GlobalTable');
    expect(Properties['StreamSpecification']).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
    const readers = synthesize(EXTENDED)
      .all('AWS::Lambda::EventSourceMapping')
      .filter(([, reader]) => JSON.stringify(reader.Properties['EventSourceArn']).includes('StreamArn'));
    expect(readers).toHaveLength(2);
  });

  test('the stream calls statistics in one lane for each shard, with a window, until a record expires', () => {
    expect(mapping.Properties).toMatchObject({
      FunctionName: { Ref: functionId },
      EventSourceArn: attribute(tableId, 'StreamArn'),
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1000,
      MaximumBatchingWindowInSeconds: 60,
      TumblingWindowInSeconds: 900,
      ParallelizationFactor: 1,
      MaximumRecordAgeInSeconds: 86_400,
    });
    // Without a limit: https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html
    expect(mapping.Properties).not.toHaveProperty('MaximumRetryAttempts');
    const { Filters } = Object(mapping.Properties['FilterCriteria']);
    expect(Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { sk: { S: ['REFERRAL'] } } } },
      { eventName: ['INSERT'], dynamodb: { NewImage: { kind: { S: [...ENTRY_KINDS] } } } },
    ]);
  });

  test('the policy of statistics allows exactly what it does, and to write only sums and positions', async () => {
    const { event, program } = await aChange(table);
    const requests = await requestsDuring(table, async () => {
      await table.connection.warmUp();
      const count = statisticsHandler({ table, recordMetrics: () => undefined });
      expect(await count({ ...event, shardId: 'shardId-00000001569959265000-d41d8cd9' })).toEqual({ state: {} });
    });
    expect([...actionsOfAll(requests)].toSorted()).toEqual(
      [...allowedActions(stack, 'Statisticsstatistics')].toSorted(),
    );
    expect(forbiddenOf(stack, 'Statisticsstatistics', requests)).toEqual([]);
    const { id } = program;
    const others = [keys.programKey(id), keys.advocateUidKey(id, '#STATISTICS#2026-01')];
    const updates = others.map((Key) => ['UpdateCommand', { Key }] as const);
    expect(forbiddenOf(stack, 'Statisticsstatistics', updates)).toHaveLength(others.length);
  });
});

describe('events of Stripe', () => {
  const { stripeEventSource, stripeProgram } = EXTENDED;
  const stack = synthesize({ stripeEventSource, stripeProgram });
  const [busId, bus] = stack.one('AWS::Events::EventBus');
  const [ruleId, { Properties: rule }] = stack.one('AWS::Events::Rule');
  const [functionId] = stack.one('AWS::Lambda::Function', 'StripeEventsstripe');
  const [queueId] = stack.one('AWS::SQS::Queue');

  test('the rule accepts exactly the events that change a referral or its payments, of the partner source', () => {
    expect(bus.Properties).toMatchObject({ EventSourceName: stripeEventSource, Name: stripeEventSource });
    expect(rule).toMatchObject({
      EventBusName: { Ref: busId },
      State: 'ENABLED',
      EventPattern: {
        source: [stripeEventSource],
        'detail-type': [
          'checkout.session.completed',
          'checkout.session.async_payment_succeeded',
          'invoice.paid',
          'invoice_payment.paid',
          'customer.subscription.deleted',
          'charge.refunded',
          'charge.dispute.funds_withdrawn',
          'charge.dispute.funds_reinstated',
          'promotion_code.created',
          'promotion_code.updated',
        ],
      },
    });
  });

  test('the rule passes the program and the whole event of Stripe', () => {
    const [target, ...others] = Object(rule['Targets']);
    expect(others).toEqual([]);
    expect(target).toMatchObject({
      Arn: attribute(functionId, 'Arn'),
      InputTransformer: {
        InputPathsMap: { detail: '$.detail' },
        InputTemplate: `{"program":"${stripeProgram}","event":<detail>}`,
      },
    });
  });

  test('only the rule may call the function', () => {
    const permissions = stack.all('AWS::Lambda::Permission').map(([, { Properties }]) => Properties);
    expect(permissions.filter(({ Principal }) => Principal !== 'apigateway.amazonaws.com')).toEqual([
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: attribute(functionId, 'Arn'),
        Principal: 'events.amazonaws.com',
        SourceArn: attribute(ruleId, 'Arn'),
      },
    ]);
  });

  test('events that EventBridge cannot deliver, or that the function cannot apply, go to a dead-letter queue', () => {
    const arn = attribute(queueId, 'Arn');
    expect(Object(rule['Targets'])).toEqual([expect.objectContaining({ DeadLetterConfig: { Arn: arn } })]);
    const [, policy] = stack.one('AWS::SQS::QueuePolicy');
    expect(Object(policy.Properties['PolicyDocument']).Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sqs:SendMessage',
        Principal: { Service: 'events.amazonaws.com' },
        Condition: { ArnEquals: { 'aws:SourceArn': attribute(ruleId, 'Arn') } },
      }),
    );
    expect(stack.one('AWS::Lambda::EventInvokeConfig')[1].Properties).toMatchObject({
      FunctionName: { Ref: functionId },
      MaximumRetryAttempts: 2,
      MaximumEventAgeInSeconds: 6 * 3600,
      DestinationConfig: { OnFailure: { Destination: arn } },
    });
  });
});
