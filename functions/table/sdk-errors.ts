import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  ResourceNotFoundException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { RequestRefused, TableMissing, Unavailable } from '../domain/errors.ts';
import type { Item } from './item.ts';
import type { FailedCondition, FailedConditions, LabelledWrite } from './writes.ts';

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
]);
const TIMEOUTS = new Set(['AbortError', 'TimeoutError']);
/** Errors of the operating system, such as ECONNREFUSED, and of the HTTP parser. Node's own errors begin with `ERR_`. */
const NETWORK_ERROR = /^(?:E(?!RR_)|HPE_)[A-Z_]+$/;

/** Reasons that do not depend on the transaction itself: the same transaction may succeed a moment later. */
const TRANSIENT_REASONS = new Set<string | undefined>([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

const EVALUATED = [ConditionalCheckFailedException, TransactionCanceledException, TransactionConflictException];

/** The end of one attempt: a result, or the conflict for which to try again. */
export type Attempt<Result> = { readonly result: Result } | { readonly conflict: unknown };

/** Returns the evaluation of the errors of one put or update: its condition failed, or a transaction holds the item. */
export function outcomesOfWrite(): (error: unknown) => Attempt<FailedCondition | undefined> {
  let isRepeated = false;
  return (error) => {
    const isConflict = error instanceof TransactionConflictException;
    if (!isConflict && !(error instanceof ConditionalCheckFailedException)) throw error;
    // The SDK counts its own attempts from one again with every call.
    isRepeated ||= (error.$metadata.attempts ?? 1) > 1;
    if (isConflict) return { conflict: error };
    // The document client leaves the item of an exception in DynamoDB's own format.
    return { result: { item: error.Item && unmarshall(error.Item), isRepeated } };
  };
}

/** Evaluates the error of a transaction. Throws it if neither a condition nor a conflict is the reason. */
export function outcomeOfTransaction<Name>(
  error: unknown,
  writes: readonly LabelledWrite<Name>[],
): Attempt<FailedConditions<Name>> {
  if (!(error instanceof TransactionCanceledException)) throw error;
  const reasons = error.CancellationReasons ?? [];
  // A condition that failed beside a conflict decides nothing yet: the conflicting transaction may be this very request,
  // sent twice, of which only a part is visible.
  if (reasons.some(({ Code }) => TRANSIENT_REASONS.has(Code))) return { conflict: error };
  const failed = new Map<Name, Item>();
  // The reasons are in the order of the writes.
  for (const [index, { name }] of writes.entries()) {
    const reason = reasons[index];
    if (reason?.Code === 'ConditionalCheckFailed') failed.set(name, unmarshall(reason.Item ?? {}));
  }
  if (failed.size === 0) throw new RequestRefused(error, error.name);
  return { result: failed };
}

/**
 * Maps an error of the SDK to `Unavailable`, `TableMissing` or `RequestRefused`. Returns other errors unchanged, and also
 * those that `outcomesOfWrite` and `outcomeOfTransaction` evaluate.
 */
export function withoutSdk(error: unknown): unknown {
  if (isTransient(error)) return new Unavailable(error, reasonOf(error));
  if (error instanceof ResourceNotFoundException) return new TableMissing(error);
  const isEvaluated = EVALUATED.some((type) => error instanceof type);
  return error instanceof DynamoDBServiceException && !isEvaluated ? new RequestRefused(error, reasonOf(error)) : error;
}

/** The name that DynamoDB gave an error. The SDK calls a response without a name "Unknown" or "UnknownError". */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof DynamoDBServiceException && !error.name.startsWith('Unknown') ? error.name : undefined;
}

/** True for a response that does not come from DynamoDB: it gets the SDK's metadata, but stays the parser's error. */
export function isUnreadable(error: unknown): error is Error & { $metadata: unknown } {
  return error instanceof Error && '$metadata' in error && !(error instanceof DynamoDBServiceException);
}

/** True for errors that a retry may not meet again: of the network, of DynamoDB itself, and throttling. */
function isTransient(error: unknown): boolean {
  if (error instanceof DynamoDBServiceException) {
    return error.$fault === 'server' || error.$metadata.httpStatusCode === 429 || THROTTLED.has(error.name);
  }
  if (!(error instanceof Error)) return false;
  if (isUnreadable(error) || TIMEOUTS.has(error.name)) return true;
  return 'code' in error && NETWORK_ERROR.test(String(error.code));
}
