import type { DynamoDBBatchResponse } from 'aws-lambda';
import { logFailure } from './log.ts';

/** Something that belongs to a record of the stream. */
export interface OfRecord {
  /** Sequence number of the record. */
  readonly record: string;
}

/**
 * Collects the failed records of a batch, so that one failure does not stop the others. Each is logged once. Those that
 * are unreadable would fail each time, so they are not handed out again.
 */
export class FailedRecords {
  readonly #records = new Set<string>();
  readonly #unreadable = new Set<string>();

  /** Adds the records of the values. `code` says what failed, for the log. */
  add(values: readonly OfRecord[], code: string, error?: unknown): void {
    for (const { record } of values) {
      if (!this.#records.has(record)) logFailure(code, { record }, error);
      this.#records.add(record);
    }
  }

  /** True if a record failed. */
  get any(): boolean {
    return this.#records.size > 0;
  }

  /** Returns the values whose records did not fail. */
  others<Value extends OfRecord>(values: readonly Value[]): Value[] {
    return values.filter(({ record }) => !this.#records.has(record));
  }

  /** Returns the values whose records are unreadable. */
  unreadable<Value extends OfRecord>(values: readonly Value[]): Value[] {
    return values.filter(({ record }) => this.#unreadable.has(record));
  }

  /** Joins the results for each value. A value for which `work` throws has none, and its record is unreadable. */
  each<Value extends OfRecord, Result>(
    values: readonly Value[],
    code: string,
    work: (value: Value) => readonly Result[],
  ): Result[] {
    return values.flatMap((value) => this.#ofOne(value, code, work));
  }

  #ofOne<Value extends OfRecord, Result>(
    value: Value,
    code: string,
    work: (value: Value) => readonly Result[],
  ): readonly Result[] {
    try {
      return work(value);
    } catch (error) {
      if (!this.#unreadable.has(value.record)) logFailure(code, { record: value.record }, error);
      this.#unreadable.add(value.record);
      return [];
    }
  }

  /** Returns the result for all values together; `undefined` if `work` fails, and with it all of their records. */
  async together<Value extends OfRecord, Result>(
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
