import { describe, expect, test } from '@jest/globals';
import { EXPIRY_ATTRIBUTE, INDEXES, PARTITION_KEY, SORT_KEY } from '../../functions/table/schema.ts';
import { PRODUCTION, synthesize } from './synthesized.ts';

describe('table', () => {
  const TYPE = 'AWS::DynamoDB::GlobalTable';
  const [, table] = synthesize().one(TYPE);
  const keySchema = (partitionKey: string, sortKey: string) => [
    { AttributeName: partitionKey, KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ];

  describe('the table', () => {
    test('the table has the keys, indexes and projections of the schema', () => {
      expect(table.Properties['KeySchema']).toEqual(keySchema(PARTITION_KEY, SORT_KEY));
      expect(table.Properties['GlobalSecondaryIndexes']).toEqual(
        Object.entries(INDEXES).map(([IndexName, index]) => ({
          IndexName,
          KeySchema: keySchema(index.partitionKey, index.sortKey),
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: index.nonKeyAttributes },
        })),
      );
    });

    test('the table has string keys, each defined once', () => {
      const names = [
        PARTITION_KEY,
        SORT_KEY,
        ...Object.values(INDEXES).flatMap((index) => [index.partitionKey, index.sortKey]),
      ];
      expect(table.Properties['AttributeDefinitions']).toEqual(
        [...new Set(names)].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      );
    });

    test('the table is billed on demand, encrypted, and deletes expired items', () => {
      expect(table.Properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        // DynamoDB encrypts with its own key; "true" would mean a KMS key.
        SSESpecification: { SSEEnabled: false },
        TimeToLiveSpecification: { AttributeName: EXPIRY_ATTRIBUTE, Enabled: true },
      });
    });

    test.each([
      ['dev', { stage: 'dev' }, false, 'Delete'],
      ['dev-ada', { stage: 'dev-ada' }, false, 'Delete'],
      ['devel', { stage: 'devel' }, true, 'Retain'],
      ['staging', { stage: 'staging' }, true, 'Retain'],
      ['prod', PRODUCTION, true, 'Retain'],
    ])(
      'the table has point-in-time recovery, and outlives its stack unless it is for development: %s',
      (_, context, kept, policy) => {
        const [, { Properties, DeletionPolicy, UpdateReplacePolicy }] = synthesize(context).one(TYPE);
        expect(Properties['Replicas']).toEqual([
          expect.objectContaining({
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
            DeletionProtectionEnabled: kept,
          }),
        ]);
        expect({ DeletionPolicy, UpdateReplacePolicy }).toEqual({
          DeletionPolicy: policy,
          UpdateReplacePolicy: policy,
        });
      },
    );
  });
});

describe('stack', () => {
  const stack = synthesize(PRODUCTION);
  const { Outputs } = stack.template.toJSON();

  test('the outputs are the base URL and the table name', () => {
    const [tableId] = stack.one('AWS::DynamoDB::GlobalTable');
    expect(Object.keys(Outputs).sort()).toEqual(['BaseUrl', 'TableName']);
    expect(Outputs['TableName']['Value']).toEqual({ Ref: tableId });
    expect(Outputs['BaseUrl']['Value']).toBe('https://api.example.com');
  });

  test('all resources that support tags have the tags service and stage', () => {
    const { service, stage } = { service: 'referral-tracking', stage: 'prod' };
    const list = [
      { Key: 'service', Value: service },
      { Key: 'stage', Value: stage },
    ];
    for (const type of ['AWS::Lambda::Function', 'AWS::IAM::Role', 'AWS::Logs::LogGroup', 'AWS::CloudWatch::Alarm'])
      for (const [, { Properties }] of stack.all(type)) expect(Properties['Tags']).toEqual(list);
    for (const type of ['AWS::ApiGatewayV2::Api', 'AWS::ApiGatewayV2::Stage', 'AWS::ApiGatewayV2::DomainName'])
      for (const [, { Properties }] of stack.all(type)) expect(Properties['Tags']).toEqual({ service, stage });
    const [, table] = stack.one('AWS::DynamoDB::GlobalTable');
    expect(table.Properties['Replicas']).toEqual([expect.objectContaining({ Tags: list })]);
  });
});
