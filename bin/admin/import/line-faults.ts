import { RequestRefused, Unavailable } from '../../../functions/domain/errors.ts';
import type { BatchStore } from '../../../functions/table/operator/batch-store.ts';
import { Failure } from '../errors.ts';
import type { Outcome } from './report.ts';

type StoreRows<Row> = (rows: readonly Row[]) => Promise<readonly Outcome[]>;

/** DynamoDB's names for a request that it refuses because of what the request contains. */
const CONTENT_REFUSED = new Set<string | undefined>(['ValidationException', 'TransactionCanceledException']);

/** Stores the rows of a batch; after an unexpected error, one by one, so that it is the failure of one row. */
export function storingEach<Row>(
  batch: BatchStore,
  store: StoreRows<Row>,
  check: () => Promise<unknown>,
): StoreRows<Row> {
  const storeOne = async (row: Row): Promise<readonly Outcome[]> => {
    try {
      return await store([row]);
    } catch (error) {
      await throwOutage(error, check);
      return [{ reason: unexpected(error) }];
    }
  };
  return async (rows) => {
    batch.begin();
    try {
      return await store(rows);
    } catch (error) {
      await throwOutage(error, check);
      batch.repeat();
      const outcomes: Outcome[] = [];
      for (const row of rows) outcomes.push(...(await storeOne(row)));
      return outcomes;
    }
  };
}

/** Throws an error that every row would meet. An unexpected one is such an error if not even a read succeeds. */
async function throwOutage(error: unknown, check: () => Promise<unknown>): Promise<void> {
  const isRefused = error instanceof RequestRefused && !CONTENT_REFUSED.has(error.reason);
  if (isRefused || error instanceof Unavailable || error instanceof Failure) throw error;
  await check();
}

/** The failure of a line after an error that the code did not expect. It repeats nothing of the line. */
export function unexpected(error: unknown): string {
  const name = error instanceof Error ? error.name : 'unknown';
  return `the line causes an unexpected error (${name}): report it, and import the line again after an update`;
}
