import { expect, test } from '@jest/globals';
import { EXPIRY_ATTRIBUTE, PARTITION_KEY, SORT_KEY } from '../../functions/kernel/dynamodb/schema.ts';
import { PROJECTED_INDEXES } from '../../functions/projections.ts';
import { PRODUCTION, synthesize } from './synthesized.ts';

const TYPE = 'AWS::DynamoDB::GlobalTable';
const keySchema = (partitionKey: string, sortKey: string) => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

test('the table has the keys, indexes and projections of the schema, and deletes expired items', () => {
  const [, { Properties }] = synthesize().one(TYPE);
  expect(Properties['KeySchema']).toEqual(keySchema(PARTITION_KEY, SORT_KEY));
  expect(Properties['GlobalSecondaryIndexes']).toEqual(
    Object.entries(PROJECTED_INDEXES).map(([IndexName, index]) => ({
      IndexName,
      KeySchema: keySchema(index.partitionKey, index.sortKey),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: index.nonKeyAttributes },
    })),
  );
  expect(Properties['TimeToLiveSpecification']).toEqual({ AttributeName: EXPIRY_ATTRIBUTE, Enabled: true });
});

test.each([
  ['dev-ada', { stage: 'dev-ada' }, false, 'Delete'],
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
    expect([DeletionPolicy, UpdateReplacePolicy]).toEqual([policy, policy]);
  },
);

test('the outputs are the base URL and the table name', () => {
  const stack = synthesize(PRODUCTION);
  const { BaseUrl, TableName, ...others } = stack.template.toJSON()['Outputs'];
  expect([BaseUrl.Value, TableName.Value]).toEqual([
    'https://api.example.com',
    { Ref: stack.one('AWS::DynamoDB::GlobalTable')[0] },
  ]);
  expect(others).toEqual({});
});
