import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Engine, startEngine } from '../../bin/local/engine.ts';
import { statisticsHandler } from '../../functions/statistics/count.ts';
import * as keys from '../../functions/table/keys.ts';
import { createMissingTable } from '../../functions/table/operator/create-table.ts';
import { aChange } from '../support/changes.ts';
import { aClick, anAdvocate } from '../support/program.ts';
import { openTable, type TestTable } from '../support/table.ts';
import { actionsOfAll, allowedActions, requestsDuring } from './actions.ts';
import { attribute, EXTENDED, synthesize } from './synthesized.ts';

const stack = synthesize();
const [tableId] = stack.one('AWS::DynamoDB::GlobalTable');
const [functionId] = stack.one('AWS::Lambda::Function', 'Statisticsstatistics');
const [, mapping] = stack.one('AWS::Lambda::EventSourceMapping', 'StatisticsStream');
let engine: Engine;
let table: TestTable;
beforeAll(async () => {
  engine = await startEngine();
  table = openTable('permissions', engine.endpoint);
  await createMissingTable(table);
});
afterAll(async () => {
  table.client.destroy();
  await engine.stop();
});

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
  ]);
});

test('the policy of statistics allows exactly what it does, and to write only sums and positions', async () => {
  const { event, program } = await aChange(table);
  const requests = await requestsDuring(table, async () => {
    await table.connection.warmUp();
    const count = statisticsHandler({ table, recordMetrics: () => undefined });
    expect(await count({ ...event, shardId: 'shardId-00000001569959265000-d41d8cd9' })).toEqual({ state: {} });
  });
  expect([...actionsOfAll(requests)].toSorted()).toEqual([...allowedActions(stack, 'Statisticsstatistics')].toSorted());
  const [, { Properties }] = stack.one('AWS::IAM::Policy', 'Statisticsstatistics');
  const statements: { Condition?: object }[] = Object(Properties['PolicyDocument']).Statement;
  const patterns = statements.flatMap(({ Condition }) => Object(Condition)['ForAllValues:StringLike'] ?? []);
  const [{ 'dynamodb:LeadingKeys': allowed }] = patterns;
  const isAllowed = ({ pk }: keys.Key) =>
    allowed.some((pattern: string) => new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`).test(pk));
  const written = requests.flatMap(([, input]) =>
    (Object(input).TransactItems ?? []).map(({ Update }: { Update: { Key: object } }) => keys.keyOf({ ...Update.Key })),
  );
  expect(written).toHaveLength(3);
  expect(written.filter((key: keys.Key) => !isAllowed(key))).toEqual([]);
  const { id } = program;
  const advocate = await anAdvocate(table, program);
  const others = [
    keys.programKey(id),
    keys.tokenKey('a'),
    keys.advocateKey(id, advocate.slug),
    keys.advocateUidKey(id, '#STATISTICS#2026-01'),
    keys.referralKey(id, (await aClick(table, program, advocate)).id),
    keys.emailKey(id, 'jane@example.com'),
  ];
  expect(others.filter(isAllowed)).toEqual([]);
});
