import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Milliseconds } from '../domain/time.ts';
import type { Condition } from './conditions.ts';
import { retryOnConflict } from './conflicts.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';
import { reporting, type Update, updating } from './write.ts';

/** A condition, and the order to return the item that it was checked against if it fails. */
type Reporting = ReturnType<typeof reporting>;

/** A write of a transaction. The type leaves no way to write without a condition, or to lose the item that failed it. */
interface Write {
  readonly Put?: Reporting & { readonly TableName: string; readonly Item: Record<string, unknown> };
  readonly Delete?: Reporting & { readonly TableName: string; readonly Key: Record<string, unknown> };
  readonly Update?: Reporting & Update & { readonly TableName: string; readonly Key: Record<string, unknown> };
}

/** Reasons that say nothing of the request itself: the same transaction may pass a moment later. */
const TRANSIENT_REASONS = new Set<string | undefined>([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/** A write of a transaction and the name by which its refusal is told. */
export interface LabelledWrite<Name extends string> {
  readonly name: Name;
  readonly write: Write;
}

/** A conditional put as part of a transaction. */
export function putWrite<Name extends string>(
  tableName: string,
  name: Name,
  item: Item,
  condition: Condition,
): LabelledWrite<Name> {
  return { name, write: { Put: { TableName: tableName, Item: item, ...reporting(condition) } } };
}

/** A conditional deletion as part of a transaction. */
export function deleteWrite<Name extends string>(
  tableName: string,
  name: Name,
  key: Key,
  condition: Condition,
): LabelledWrite<Name> {
  return { name, write: { Delete: { TableName: tableName, Key: { ...key }, ...reporting(condition) } } };
}

/** A conditional update as part of a transaction. */
export function updateWrite<Name extends string>(
  tableName: string,
  name: Name,
  key: Key,
  update: Update,
  condition: Condition,
): LabelledWrite<Name> {
  const Update = { TableName: tableName, Key: { ...key }, ...updating(update, condition) };
  return { name, write: { Update } };
}

/** By name, the items that stood in the way as they were: an empty item where there was none. */
export type FailedConditions<Name extends string> = ReadonlyMap<Name, Item>;

/**
 * Writes all of the named writes or none. Returns an empty map once they are written, else the items whose conditions
 * failed.
 *
 * Conflicts with other transactions are waited for. Throws `Unavailable` when tries or time run out. A caller that then
 * sends the same writes again passes one `token` to all of its calls.
 */
export async function transact<Name extends string>(
  table: Table,
  writes: readonly LabelledWrite<Name>[],
  deadline: Milliseconds,
  token = requestToken(table),
): Promise<FailedConditions<Name>> {
  const input = {
    TransactItems: writes.map(({ write }) => write),
    // One token over all tries: a try whose answer was lost is not in the way of the next one.
    ClientRequestToken: token,
  };
  const attempt = () => table.ask(deadline, (within) => table.client.send(new TransactWriteCommand(input), within));
  return retryOnConflict<FailedConditions<Name>>(table, deadline, async () => {
    const cancellation = await attempt().then(() => undefined, cancellationOf);
    if (!cancellation) return { result: new Map() };
    const reasons = cancellation.CancellationReasons ?? [];
    const failedConditions = failedConditionsOf(writes, reasons);
    // A condition that failed beside a conflict is not the last word: the transaction in the way may be this very
    // request, sent twice, of which only a part shows yet.
    if (reasons.some(({ Code }) => TRANSIENT_REASONS.has(Code))) return { conflict: cancellation };
    if (failedConditions.size === 0) throw cancellation;
    return { result: failedConditions };
  });
}

/** Returns a new token by which DynamoDB recognizes a transaction that is sent again. */
export function requestToken({ random }: Table): string {
  return Buffer.from(random(16)).toString('hex');
}

/** Rethrows what is no cancellation. */
function cancellationOf(error: unknown): TransactionCanceledException {
  if (error instanceof TransactionCanceledException) return error;
  throw error;
}

/** The reasons stand in the order of the writes. */
function failedConditionsOf<Name extends string>(
  writes: readonly LabelledWrite<Name>[],
  reasons: readonly CancellationReason[],
): FailedConditions<Name> {
  return new Map(
    writes.flatMap(({ name }, index) => {
      const reason = reasons[index];
      // The document client leaves the items of an exception as DynamoDB wrote them.
      return reason?.Code === 'ConditionalCheckFailed' ? [[name, unmarshall(reason.Item ?? {})]] : [];
    }),
  );
}
