import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Unavailable } from '../domain/errors.ts';
import { type Cause, type State, transitionTo } from '../domain/state.ts';
import type { Milliseconds } from '../domain/time.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const MAX_TRIES = 6;
/** Longest pauses after the first try and after the last ones, in milliseconds. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 160;
/** Reasons that say nothing of the request itself: the same transaction may pass a moment later. */
const PASSING_REASONS = new Set<string | undefined>([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/** A write of a transaction and the name by which its refusal is told. */
export interface NamedWrite<Name extends string> {
  readonly name: Name;
  readonly write: Write;
}

export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/** The condition of an item that must be new. */
export const ABSENT: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

/**
 * The condition under which `cause` may bring a referral's item into a state: made of the domain's transitions, so that
 * the table cannot let in what the rules refuse. `from` leaves of several ways only that from one state.
 */
export function transitionCondition(cause: Cause, to: State, from?: State | null): Condition {
  const transition = transitionTo(cause, to);
  const open = (transition?.from ?? []).filter((state) => from === undefined || state === from);
  const states = open.filter((state) => state !== null);
  const ways = [
    ...(open.includes(null) ? [ABSENT.ConditionExpression] : []),
    ...(states.length > 0 ? [`#state IN (${states.map((state) => `:${state}`).join(', ')})`] : []),
  ];
  if (ways.length === 0) throw new Error(`No ${cause} leads into the state ${to} from there.`);
  const way = ways.join(' OR ');
  if (states.length === 0) return { ConditionExpression: way };
  return {
    ConditionExpression: transition?.restores ? `(${way}) AND attribute_exists(converted_at)` : way,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: Object.fromEntries(states.map((state) => [`:${state}`, state])),
  };
}

/** The condition of an item that must be new, or this very one: the SDK repeats a put whose answer was lost. */
export const absentOrOwn = (created: string): Condition => ({
  ConditionExpression: 'attribute_not_exists(pk) OR created = :created',
  ExpressionAttributeValues: { ':created': created },
});

/** A conditional put that tells what stood in its way. */
export function putWrite<Name extends string>(
  tableName: string,
  name: Name,
  item: Item,
  condition: Condition,
): NamedWrite<Name> {
  const Put = {
    TableName: tableName,
    Item: item,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ...condition,
  };
  return { name, write: { Put } };
}

/** A conditional deletion that tells what stood in its way. */
export function deleteWrite<Name extends string>(
  tableName: string,
  name: Name,
  key: Key,
  condition: Condition,
): NamedWrite<Name> {
  const Delete = {
    TableName: tableName,
    Key: { ...key },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ...condition,
  };
  return { name, write: { Delete } };
}

/** By name, the items that stood in the way as they were: an empty item where there was none. */
export type Refusals<Name extends string> = ReadonlyMap<Name, Item>;

/**
 * Writes all of the named writes or none. Returns no refusal where they are written, else the items that refused: each
 * write needs a condition and `ReturnValuesOnConditionCheckFailure: ALL_OLD` for that.
 *
 * Conflicts with other transactions are not retried by the SDK: they are here, with full jitter between the tries
 * (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/). Throws `Unavailable` when
 * tries or time run out.
 */
export async function transact<Name extends string>(
  table: Table,
  writes: readonly NamedWrite<Name>[],
  deadline: Milliseconds,
): Promise<Refusals<Name>> {
  const input = {
    TransactItems: writes.map(({ write }) => write),
    // One token over all tries: a try whose answer was lost is not in the way of the next one.
    ClientRequestToken: Buffer.from(table.random(16)).toString('hex'),
  };
  const attempt = () =>
    table.ask(deadline, (within) => table.client.send(new TransactWriteCommand(input), within));
  let longestPause = FIRST_PAUSE;
  for (let tries = 1; ; tries += 1) {
    const cancellation = await attempt().then(() => undefined, cancellationOf);
    if (!cancellation) return new Map();
    const reasons = cancellation.CancellationReasons ?? [];
    const refusals = refusalsOf(writes, reasons);
    // A condition that failed beside a conflict is not the last word: the transaction in the way may be this very
    // request, sent twice, of which only a part shows yet.
    const isPassing = reasons.some(({ Code }) => PASSING_REASONS.has(Code));
    if (refusals.size > 0 && !isPassing) return refusals;
    if (!isPassing) throw cancellation;
    if (tries === MAX_TRIES) throw new Unavailable(cancellation);
    await table.backOff(deadline, longestPause);
    longestPause = Math.min(longestPause * 2, LONGEST_PAUSE);
  }
}

/** Rethrows what is no cancellation. */
function cancellationOf(error: unknown): TransactionCanceledException {
  if (error instanceof TransactionCanceledException) return error;
  throw error;
}

/** The reasons stand in the order of the writes. */
function refusalsOf<Name extends string>(
  writes: readonly NamedWrite<Name>[],
  reasons: readonly CancellationReason[],
): Refusals<Name> {
  return new Map(
    writes.flatMap(({ name }, index) => {
      const reason = reasons[index];
      // The document client leaves the items of an exception as DynamoDB wrote them.
      return reason?.Code === 'ConditionalCheckFailed' ? [[name, unmarshall(reason.Item ?? {})]] : [];
    }),
  );
}
