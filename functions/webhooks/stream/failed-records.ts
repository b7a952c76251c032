import type { DynamoDBBatchResponse } from 'aws-lambda';
import { logFailure } from '../../kernel/log/failure.ts';

/** Something that belongs to a record of the stream. */
export interface HasRecord {
  /** The record's position in the stream. */
  readonly sequenceNumber: string;
}

/**
 * Collects the failed records of a batch, so that one failure does not stop the others. Each is logged once.
 * Unreadable records would fail each time, so the stream does not repeat them.
 */
export class FailedRecords {
  readonly #records = new Set<string>();
  readonly #unreadable = new Set<string>();

  /** Adds the records of the values. `code` says what failed, for the log. */
  add(values: readonly HasRecord[], code: string, error?: unknown): void {
    for (const { sequenceNumber } of values) {
      if (!this.#records.has(sequenceNumber)) logFailure(code, { record: sequenceNumber }, error);
      this.#records.add(sequenceNumber);
    }
  }

  /** True if a record failed. */
  get hasFailures(): boolean {
    return this.#records.size > 0;
  }

  /** Returns the values whose records did not fail. */
  withoutFailed<Value extends HasRecord>(values: readonly Value[]): Value[] {
    return values.filter(({ sequenceNumber }) => !this.#records.has(sequenceNumber));
  }

  /** Returns the values whose records are unreadable. */
  unreadable<Value extends HasRecord>(values: readonly Value[]): Value[] {
    return values.filter(({ sequenceNumber }) => this.#unreadable.has(sequenceNumber));
  }

  /** Calls `work` for each value and returns all results. If `work` throws, the value's record is unreadable. */
  flatMap<Value extends HasRecord, Result>(
    values: readonly Value[],
    code: string,
    work: (value: Value) => readonly Result[],
  ): Result[] {
    return values.flatMap((value) => this.#resultsOf(value, code, work));
  }

  #resultsOf<Value extends HasRecord, Result>(
    value: Value,
    code: string,
    work: (value: Value) => readonly Result[],
  ): readonly Result[] {
    try {
      return work(value);
    } catch (error) {
      if (!this.#unreadable.has(value.sequenceNumber)) logFailure(code, { record: value.sequenceNumber }, error);
      this.#unreadable.add(value.sequenceNumber);
      return [];
    }
  }

  /**
   * Calls `work` once with all values. Returns `undefined` if there are none, or if it throws: then all of their records
   * failed.
   */
  async tryAll<Value extends HasRecord, Result>(
    values: readonly Value[],
    code: string,
    work: (values: readonly Value[]) => Promise<Result>,
  ): Promise<Result | undefined> {
    if (values.length === 0) return undefined;
    try {
      return await work(values);
    } catch (error) {
      this.add(values, code, error);
      return undefined;
    }
  }

  /** The response for the stream: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html */
  response(): DynamoDBBatchResponse {
    return { batchItemFailures: [...this.#records].map((itemIdentifier) => ({ itemIdentifier })) };
  }
}
