import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { isDeepStrictEqual } from 'node:util';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../functions/table/dynamodb/item.ts';
import { INDEXES, type IndexName, PARTITION_KEY, SORT_KEY } from '../../../functions/table/schema.ts';
import { condition, keyRange, Unsupported } from './expressions.ts';
import { type FakeTable, type FakeWrite, keyText } from './table.ts';

export type RequestKind = 'read' | 'write' | 'transaction';

/** What happens between the SDK and the table. `run` carries out the request; a network may also lose its response. */
export interface Network {
  readonly request: <Result>(run: () => Result, kind: RequestKind, signal: AbortSignal | undefined) => Promise<Result>;
  /** True if an eventually consistent read misses the last write. */
  readonly isStale: () => boolean;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Attempts of the SDK, as `connection.ts` configures it. It repeats errors with `$retryable`. */
const MAX_ATTEMPTS = 3;
/** DynamoDB forgets the token of a transaction after ten minutes. */
const TOKEN_LIFE = 600_000;
/** Rows that surely fit into a response of 1 MB. */
const MAX_ROWS = 2500;
/** Items in one batch or transaction. */
const MAX_BATCH = 100;
const TABLE_KEYS = [PARTITION_KEY, SORT_KEY];

const projections = new Map<string, ReadonlySet<string>>(
  Object.entries(INDEXES).map(([name, { partitionKey, sortKey, nonKeyAttributes }]) => [
    name,
    new Set([PARTITION_KEY, SORT_KEY, partitionKey, sortKey, ...nonKeyAttributes]),
  ]),
);

/** A client of the SDK whose table is in memory. It accepts the commands that `functions/table` sends. */
export function fakeClient(table: FakeTable, network: Network): DynamoDBDocumentClient {
  const { tokens } = table;

  const run = (command: unknown): object => {
    if (command instanceof GetCommand) {
      const { Key = {}, ConsistentRead } = command.input;
      return { Item: table.get(Key, ConsistentRead !== true && network.isStale()) };
    }
    if (command instanceof BatchGetCommand) return batchGet(command);
    if (command instanceof QueryCommand) return query(command);
    if (command instanceof PutCommand) return writeOne({ ...command.input, Item: command.input.Item ?? {} });
    if (command instanceof UpdateCommand) return writeOne({ ...command.input, Key: command.input.Key ?? {} });
    if (command instanceof TransactWriteCommand) return transact(command);
    throw new Unsupported('The fake does not know this command');
  };

  const batchGet = ({ input }: BatchGetCommand) => {
    const responses = Object.entries(input.RequestItems ?? {}).map(([name, { Keys = [], ConsistentRead }]) => {
      if (new Set(Keys.map(keyText)).size < Keys.length || Keys.length > MAX_BATCH) throw refused();
      const items = Keys.map((key) => table.get(key, ConsistentRead !== true && network.isStale()));
      return [name, items.filter((item) => item !== undefined)];
    });
    return { Responses: Object.fromEntries(responses), UnprocessedKeys: {} };
  };

  const query = ({ input }: QueryCommand) => {
    const index = indexOf(input.IndexName);
    const rows = rowsOf(index, input);
    const { FilterExpression: filter, Limit, Select } = input;
    const found = filter === undefined ? rows : rows.filter((row) => condition(filter)(row, input));
    const last = rows.length === Limit ? rows.at(-1) : undefined;
    const keys =
      index === undefined ? TABLE_KEYS : [...TABLE_KEYS, INDEXES[index].partitionKey, INDEXES[index].sortKey];
    return {
      ...(Select !== 'COUNT' && { Items: found.map((row) => projected(row, index, input)) }),
      Count: found.length,
      ScannedCount: rows.length,
      ...(last && { LastEvaluatedKey: picked(last, keys) }),
    };
  };

  const rowsOf = (index: IndexName | undefined, input: QueryCommandInput) => {
    const range = keyRange(input.KeyConditionExpression ?? '', input);
    if (range.low !== undefined && range.high !== undefined && range.low > range.high) throw refused();
    if (index !== undefined && !network.isStale()) table.catchUp();
    const { Limit: limit = MAX_ROWS, ScanIndexForward: isForward = true, ExclusiveStartKey: after } = input;
    const rows = table.query({ ...range, index, isForward, limit, after });
    if (rows.length >= MAX_ROWS) throw new Unsupported('More rows than surely fit into a response of 1 MB');
    return rows;
  };

  const writeOne = (write: FakeWrite) => {
    const [result] = table.write([write]);
    if (!result?.failed) return {};
    const stored = result.stored && { Item: marshall(result.stored) };
    throw new ConditionalCheckFailedException({ message: 'The condition failed', $metadata: {}, ...stored });
  };

  const transact = ({ input: { TransactItems = [], ClientRequestToken: token = '' } }: TransactWriteCommand) => {
    const writes = TransactItems.map(({ Put, Update, Delete }): FakeWrite => Put ?? Update ?? Delete ?? {});
    const known = tokens.get(token);
    if (known && network.clock() - known.at < TOKEN_LIFE) {
      if (isDeepStrictEqual(known.writes, writes)) return {};
      throw new IdempotentParameterMismatchException({ message: 'Other writes had this token', $metadata: {} });
    }
    const keys = new Set(writes.map(({ Item, Key }) => keyText(Item ?? Key ?? {})));
    if (keys.size < writes.length || writes.length > MAX_BATCH) throw refused();
    const results = table.write(writes);
    if (results.every(({ failed }) => !failed)) {
      tokens.set(token, { writes, at: network.clock() });
      return {};
    }
    const CancellationReasons = results.map(({ failed, stored }) => ({
      Code: failed ? 'ConditionalCheckFailed' : 'None',
      ...(failed && stored && { Item: marshall(stored) }),
    }));
    throw new TransactionCanceledException({ message: 'A condition failed', $metadata: {}, CancellationReasons });
  };

  const send = async (command: unknown, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await network.request(() => run(command), kindOf(command), abortSignal);
      } catch (error) {
        const isRetryable = error instanceof Error && '$retryable' in error;
        if (isRetryable && attempt < MAX_ATTEMPTS) continue;
        throw error instanceof DynamoDBServiceException
          ? Object.assign(error, { $metadata: { attempts: attempt } })
          : error;
      }
    }
  };
  return { send, destroy: () => undefined } as unknown as DynamoDBDocumentClient;
}

function kindOf(command: unknown): RequestKind {
  if (command instanceof TransactWriteCommand) return 'transaction';
  return command instanceof PutCommand || command instanceof UpdateCommand ? 'write' : 'read';
}

/** An error of DynamoDB that no retry can avoid. */
function refused(name = 'ValidationException'): DynamoDBServiceException {
  return new DynamoDBServiceException({ name, message: name, $fault: 'client', $metadata: { httpStatusCode: 400 } });
}

function indexOf(name: string | undefined): IndexName | undefined {
  if (name === undefined) return undefined;
  const index = Object.keys(INDEXES).find((known): known is IndexName => known === name);
  if (index === undefined) throw refused();
  return index;
}

function projected(
  row: Item,
  index: IndexName | undefined,
  { ProjectionExpression, ...input }: QueryCommandInput,
): Item {
  const names = index === undefined ? Object.keys(row) : projections.get(index);
  const wanted = ProjectionExpression?.split(', ').map((name) => input.ExpressionAttributeNames?.[name] ?? name);
  return picked(
    row,
    [...(names ?? [])].filter((name) => wanted?.includes(name) ?? true),
  );
}

function picked(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));
}
