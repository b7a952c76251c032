import { isDeepStrictEqual } from 'node:util';
import * as errors from '@aws-sdk/client-dynamodb';
import * as sdk from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { INDEXES, type IndexName, PARTITION_KEY, SORT_KEY } from '../../../functions/kernel/dynamodb/schema.ts';
import { PROJECTED_INDEXES } from '../../../functions/projections.ts';
import { condition, keyRange, Unsupported } from './expressions.ts';
import { type FakeTable, type FakeWrite, KEYS, keyText } from './table.ts';

/** What happens between the SDK and the table. `run` carries out the request; a network may also lose its response. */
export interface Network {
  readonly request: <Result>(run: () => Result, command: unknown, signal: AbortSignal | undefined) => Promise<Result>;
  /** True if an eventually consistent read misses the last write. */
  readonly isStale: () => boolean;
}

/** Attempts of the SDK, as `connection.ts` configures it. It repeats errors with `$retryable`. */
const MAX_ATTEMPTS = 3;
/** Rows that surely fit into a response. DynamoDB ends a page after 1 MB. */
const MAX_ROWS = 1000;
/** Items in one batch or transaction. */
const MAX_BATCH = 100;
const DETAILS = { message: 'from the fake', $metadata: {} };

/** A client of the SDK whose table is in memory. It accepts the commands that `functions/kernel/dynamodb` sends. */
export function fakeClient(table: FakeTable, network: Network): sdk.DynamoDBDocumentClient {
  const read = (key: Item, isConsistent = false) => table.get(key, !isConsistent && network.isStale());

  const run = (command: unknown): object => {
    if (command instanceof sdk.GetCommand) return { Item: read(command.input.Key ?? {}, command.input.ConsistentRead) };
    if (command instanceof sdk.BatchGetCommand) return batchGet(command);
    if (command instanceof sdk.QueryCommand) return query(command);
    if (command instanceof sdk.PutCommand) return writeOne({ ...command.input, Item: command.input.Item ?? {} });
    if (command instanceof sdk.UpdateCommand) return writeOne({ ...command.input, Key: command.input.Key ?? {} });
    if (command instanceof sdk.TransactWriteCommand) return transact(command);
    throw new Unsupported('The fake does not know this command');
  };

  const batchGet = ({ input }: sdk.BatchGetCommand) => {
    const responses = Object.entries(input.RequestItems ?? {}).map(([name, { Keys = [], ConsistentRead }]) => {
      assertDistinct(Keys);
      return [name, Keys.map((key) => read(key, ConsistentRead)).filter((item) => item !== undefined)];
    });
    return { Responses: Object.fromEntries(responses), UnprocessedKeys: {} };
  };

  const query = ({ input }: sdk.QueryCommand) => {
    const { FilterExpression, Limit, Select } = input;
    const index = indexOf(input);
    const range = keyRange(input.KeyConditionExpression ?? '', input);
    if (range.low !== undefined && range.high !== undefined && range.low > range.high) throw refused();
    if (index !== 'table' && !network.isStale()) table.catchUp();
    const { ScanIndexForward: isForward = true, ExclusiveStartKey: after } = input;
    const limit = Math.min(Limit ?? MAX_ROWS, MAX_ROWS);
    const rows = table.query({ ...range, index, isForward, limit, after });
    const found = rows.filter((row) => FilterExpression === undefined || condition(FilterExpression)(row, input));
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return {
      ...(Select !== 'COUNT' && { Items: found.map((row) => picked(row, attributesOf(index, row, input))) }),
      Count: found.length,
      ScannedCount: rows.length,
      ...(last && { LastEvaluatedKey: picked(last, keysOf(index)) }),
    };
  };

  const writeOne = (write: FakeWrite) => {
    const [result] = table.write([write]);
    if (!result?.failed) return {};
    throw new errors.ConditionalCheckFailedException({ ...DETAILS, ...itemOf(result.stored) });
  };

  const transact = ({ input: { TransactItems = [], ClientRequestToken: token = '' } }: sdk.TransactWriteCommand) => {
    const writes = TransactItems.map(
      ({ Put, Update, Delete, ConditionCheck }): FakeWrite =>
        Put ?? Update ?? Delete ?? { ...ConditionCheck, isCheck: true },
    );
    const known = table.tokens.get(token);
    if (known && isDeepStrictEqual(known, writes)) return {};
    if (known) throw new errors.IdempotentParameterMismatchException(DETAILS);
    assertDistinct(writes.map(({ Item, Key }) => Item ?? Key ?? {}));
    const results = table.write(writes);
    if (results.some(({ failed }) => failed)) {
      const CancellationReasons = results.map(({ failed, stored }) =>
        failed ? { Code: 'ConditionalCheckFailed', ...itemOf(stored) } : { Code: 'None' },
      );
      throw new errors.TransactionCanceledException({ ...DETAILS, CancellationReasons });
    }
    if (token !== '') table.tokens.set(token, writes);
    return {};
  };

  const send = async (command: unknown, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await network.request(() => run(command), command, abortSignal);
      } catch (error) {
        if (error instanceof Error && '$retryable' in error && attempt < MAX_ATTEMPTS) continue;
        if (error instanceof errors.DynamoDBServiceException)
          Object.assign(error, { $metadata: { attempts: attempt } });
        throw error;
      }
    }
  };
  return { send, destroy: () => undefined } as unknown as sdk.DynamoDBDocumentClient;
}

/** The stored item in the error of a condition. */
const itemOf = (stored: Item | undefined) => stored && { Item: marshall(stored) };

/** An error of DynamoDB that no retry can avoid. */
const refused = () =>
  new errors.DynamoDBServiceException({ ...DETAILS, name: 'ValidationException', $fault: 'client' });

/** Throws unless a batch or transaction has at most 100 keys, each once. */
function assertDistinct(keys: readonly Item[]): void {
  if (new Set(keys.map(keyText)).size < keys.length || keys.length > MAX_BATCH) throw refused();
}

function indexOf({ IndexName: name }: sdk.QueryCommandInput): IndexName | 'table' {
  if (name !== undefined && !Object.hasOwn(INDEXES, name)) throw refused();
  return (name as IndexName | undefined) ?? 'table';
}

const keysOf = (index: IndexName | 'table') => [PARTITION_KEY, SORT_KEY, KEYS[index].partitionKey, KEYS[index].sortKey];

/** The names of the attributes that a query returns. */
function attributesOf(index: IndexName | 'table', row: Item, input: sdk.QueryCommandInput): readonly string[] {
  const names = index === 'table' ? Object.keys(row) : [...keysOf(index), ...PROJECTED_INDEXES[index].nonKeyAttributes];
  const wanted = input.ProjectionExpression?.split(', ').map((name) => input.ExpressionAttributeNames?.[name] ?? name);
  return names.filter((name) => wanted?.includes(name) ?? true);
}

const picked = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));
