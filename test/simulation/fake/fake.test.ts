import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { INDEXES, type IndexName } from '../../../functions/kernel/dynamodb/schema.ts';
import { useTable } from '../../support/use-table.ts';
import { fakeClient } from './client.ts';
import { FakeTable } from './table.ts';

// The simulation proves nothing if its table lies. The same random requests go to the fake and to the embedded engine,
// and every response must be the same, errors included.

const table = useTable();
const TableName = table.name;
const ALL_OLD = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** Commands of the SDK for items whose keys start with `run`. */
type Command = BatchGetCommand | GetCommand | PutCommand | QueryCommand | TransactWriteCommand | UpdateCommand;
type Operation = (run: string) => Command;

const few = fc.integer({ min: 1, max: 5 });
const text = fc.constantFrom('a', 'b', 'ä', '', '\u{10ffff}');
const keyOf = (run: string, number: number) => ({ pk: `${run}#${number}`, sk: 'S' });
/** Attributes of the indexes and others, each of which an item may lack. */
const attributes = fc.record(
  {
    owner: fc.constantFrom('O', 'O', undefined),
    owner_state: fc.constantFrom('O#clicked', 'O#paid', undefined),
    created: few.map((second) => `00000000000${second}#id`),
    state_set: few.map((second) => `00000000000${second}#id`),
    state: text.filter((value) => value !== ''),
    email: text,
    created_at: few,
    version: few,
    history: fc.array(fc.record({ set_at: few, by: text })),
    program: fc.record({ version: few }),
    flag: fc.boolean(),
    sums: fc.uint8Array({ maxLength: 3 }),
  },
  { requiredKeys: ['owner', 'owner_state', 'created', 'version'] },
);
type Attributes = typeof attributes extends fc.Arbitrary<infer Given> ? Given : never;
const itemOf = (run: string, number: number, { owner, owner_state, ...others }: Attributes) => ({
  ...keyOf(run, number),
  ...others,
  ...(owner !== undefined && { owner: `${run}${owner}` }),
  ...(owner_state !== undefined && { owner_state: `${run}${owner_state}` }),
});

/** Every form of condition that the capabilities use. */
const conditions = fc.oneof(
  fc.constantFrom(
    { ConditionExpression: 'attribute_exists(pk)' },
    { ConditionExpression: 'attribute_not_exists(pk)' },
    { ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(version)' },
    { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(version)' },
  ),
  few.map((version) => ({
    ConditionExpression: '#attribute IN (:value0, :value1)',
    ExpressionAttributeNames: { '#attribute': 'version' },
    ExpressionAttributeValues: { ':value0': version, ':value1': 9 },
  })),
  text.map((value) => ({
    ConditionExpression: 'attribute_not_exists(pk) OR #attribute IN (:value0)',
    ExpressionAttributeNames: { '#attribute': 'email' },
    ExpressionAttributeValues: { ':value0': value },
  })),
  few.map((version) => ({
    ConditionExpression:
      'attribute_exists(pk) AND (attribute_not_exists(#program.version) OR #program.version < :version)',
    ExpressionAttributeNames: { '#program': 'program' },
    ExpressionAttributeValues: { ':version': version },
  })),
  // As payments and codes are counted.
  fc.constantFrom({ ConditionExpression: 'attribute_not_exists(failures)' }),
  few.map((seen) => ({ ConditionExpression: 'failures = :seen', ExpressionAttributeValues: { ':seen': seen } })),
  few.map((max) => ({
    ConditionExpression: 'attribute_not_exists(failures) OR failures < :max',
    ExpressionAttributeValues: { ':max': max },
  })),
  // As emails are marked and codes are spent.
  few.map((now) => ({
    ConditionExpression: 'attribute_not_exists(pk) OR (failures <= :now AND #created_at > :now)',
    ExpressionAttributeNames: { '#created_at': 'created_at' },
    ExpressionAttributeValues: { ':now': now },
  })),
  // As `expire` deletes items.
  few.map((now) => ({ ConditionExpression: 'created_at < :now', ExpressionAttributeValues: { ':now': now } })),
  few.map((now) => ({
    ConditionExpression: '(attribute_not_exists(pk) OR created_at <= :now) AND (flag = :flag)',
    ExpressionAttributeValues: { ':now': now, ':flag': true },
  })),
);

interface Conditional {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: object;
  readonly ExpressionAttributeValues?: object;
}

const puts: fc.Arbitrary<Operation> = fc.tuple(few, attributes, conditions).map(
  ([number, fields, condition]) =>
    (run) =>
      new PutCommand({ TableName, Item: itemOf(run, number, fields), ...condition, ...ALL_OLD }),
);
/** Five items to start with, so that the partitions of the indexes have several rows. */
const beginnings: fc.Arbitrary<Operation[]> = fc.array(attributes, { minLength: 5, maxLength: 5 }).map((all) =>
  all.map(
    (fields, index): Operation =>
      (run) =>
        new PutCommand({ TableName, Item: itemOf(run, index + 1, fields) }),
  ),
);
const updates: fc.Arbitrary<Operation> = fc
  .tuple(
    few,
    few,
    fc.constantFrom(
      'SET failures = :n, state_set = if_not_exists(state_set, :s) REMOVE email, flag',
      'REMOVE created',
      'ADD failures :n',
    ),
  )
  .map(
    ([number, value, UpdateExpression]) =>
      (run) =>
        new UpdateCommand({
          TableName,
          Key: keyOf(run, number),
          UpdateExpression,
          ConditionExpression: 'attribute_exists(pk)',
          ...(UpdateExpression.startsWith('SET') && {
            ExpressionAttributeValues: { ':n': value, ':s': `00000000000${value}#id` },
          }),
          ...(UpdateExpression.startsWith('ADD') && { ExpressionAttributeValues: { ':n': value } }),
          ...ALL_OLD,
        }),
  );
/** An update of a transaction that adds to numbers under a condition. */
const addition = (number: number, { ConditionExpression, ...given }: Conditional) => ({
  UpdateExpression: 'ADD #n0 :n0, #n1 :n1',
  ConditionExpression,
  ExpressionAttributeNames: { ...given.ExpressionAttributeNames, '#n0': 'failures', '#n1': 'version' },
  ExpressionAttributeValues: { ...given.ExpressionAttributeValues, ':n0': 1, ':n1': number },
});
const transactions: fc.Arbitrary<Operation> = fc
  .tuple(
    fc.array(
      fc.tuple(few, attributes, conditions, fc.constantFrom('Put', 'Put', 'Update', 'Delete', 'ConditionCheck')),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    // Few tokens, so that some transactions are repetitions, and others have the token of another one.
    fc.constantFrom('a', 'b', 'c'),
  )
  .map(
    ([writes, token]) =>
      (run) =>
        new TransactWriteCommand({
          TransactItems: writes.map(([number, fields, condition, kind]) =>
            kind === 'Put'
              ? { Put: { TableName, Item: itemOf(run, number, fields), ...condition, ...ALL_OLD } }
              : {
                  [kind]: {
                    ...{ TableName, Key: keyOf(run, number), ...ALL_OLD },
                    ...(kind === 'Update' ? addition(number, condition) : condition),
                  },
                },
          ),
          ClientRequestToken: `${run}${token}`,
        }),
  );
const reads: fc.Arbitrary<Operation> = fc.oneof(
  few.map(
    (number): Operation =>
      (run) =>
        new GetCommand({ TableName, Key: keyOf(run, number), ConsistentRead: true }),
  ),
  fc.uniqueArray(few, { minLength: 1 }).map(
    (numbers): Operation =>
      (run) =>
        new BatchGetCommand({
          RequestItems: { [TableName]: { Keys: numbers.map((number) => keyOf(run, number)), ConsistentRead: true } },
        }),
  ),
);
const queries: fc.Arbitrary<Operation> = fc
  .record({
    index: fc.constantFrom<IndexName>('by_created_at', 'by_state', 'by_state_set_at'),
    bounds: fc.oneof(
      fc.constant([1, 5]),
      fc.tuple(few, few).map(([one, other]) => [Math.min(one, other), Math.max(one, other)]),
    ),
    isForward: fc.boolean(),
    limit: fc.option(few, { nil: undefined }),
    selection: fc.constantFrom({}, { Select: 'COUNT' } as const, { ProjectionExpression: '#sort, email' }),
    filter: fc.option(text, { nil: undefined, freq: 1 }),
  })
  .map(
    ({ index, bounds: [low, high], isForward, limit, selection, filter }) =>
      (run) =>
        new QueryCommand({
          TableName,
          IndexName: index,
          KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :low AND :high',
          FilterExpression: filter === undefined ? undefined : 'email = :email',
          ExpressionAttributeNames: { '#partition': INDEXES[index].partitionKey, '#sort': INDEXES[index].sortKey },
          ExpressionAttributeValues: {
            ':partition': `${run}${index === 'by_state' ? 'O#paid' : 'O'}`,
            ':low': `00000000000${low}`,
            ':high': `00000000000${high}~`,
            ...(filter !== undefined && { ':email': filter }),
          },
          ScanIndexForward: isForward,
          Limit: limit,
          ...selection,
        }),
  );

/** The response to a command, or its error, as far as `functions/kernel/dynamodb` reads it. */
async function responseTo(client: typeof table.client, command: Command) {
  try {
    const { Items, Item, Count, ScannedCount, LastEvaluatedKey, Responses } = (await client.send(
      command as GetCommand,
    )) as Record<string, unknown>;
    const found = (Responses as Record<string, { pk: string }[]> | undefined)?.[TableName];
    return {
      Items,
      Item,
      Count,
      ScannedCount,
      LastEvaluatedKey,
      // DynamoDB returns the items of a batch in any order.
      found: found?.toSorted((one, other) => (one.pk < other.pk ? -1 : 1)),
    };
  } catch (error) {
    if (!(error instanceof DynamoDBServiceException)) throw error;
    const reasons = error instanceof TransactionCanceledException ? error.CancellationReasons : undefined;
    return {
      name: error.name,
      fault: error.$fault,
      Item: 'Item' in error ? error.Item : undefined,
      reasons: reasons?.map(({ Code, Item }) => ({ Code, Item })),
    };
  }
}

/** The query of the next page, if there is one. */
function nextPage(command: Command, ExclusiveStartKey: unknown): QueryCommand | undefined {
  if (!(command instanceof QueryCommand) || ExclusiveStartKey === undefined) return undefined;
  return new QueryCommand({ ...command.input, ExclusiveStartKey: ExclusiveStartKey as Record<string, unknown> });
}

describe('The fake table', () => {
  test('The fake and the engine return the same responses to the same random requests', async () => {
    const operation = fc.oneof(puts, puts, updates, transactions, reads, queries, queries);
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        beginnings,
        fc.array(operation, { minLength: 10, maxLength: 30 }),
        async (beginning, operations) => {
          runs += 1;
          const fake = fakeClient(new FakeTable(), {
            request: async (run) => run(),
            isStale: () => false,
          });
          for (const create of [...beginning, ...operations]) {
            let command: Command | undefined = create(`run${runs}`);
            while (command) {
              const response = await responseTo(table.client, command);
              expect(await responseTo(fake, command)).toEqual(response);
              command = nextPage(command, response.LastEvaluatedKey);
            }
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
