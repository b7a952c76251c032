import { ApiError, toApiError } from '../../../kit/api-error.ts';
import * as ADVOCATES from '../../../words/dashboard/advocates.ts';
import { api } from '../../service.ts';
import { newFields } from '../edit.tsx';
import { type ImportFields, type ImportRow, repeatedRows } from './file.ts';

/** What became of a row. `open` rows are imported next. */
export interface RowResult {
  readonly kind: 'open' | 'added' | 'skipped' | 'failed';
  readonly sentence: string;
}

const OPEN: RowResult = { kind: 'open', sentence: ADVOCATES.ready };
const skipped = (reason: string): RowResult => ({ kind: 'skipped', sentence: ADVOCATES.skipped(reason) });
export const failed = (reason: string): RowResult => ({ kind: 'failed', sentence: ADVOCATES.failedRow(reason) });

/** What is known about each row before anything is sent, by the number of the row. */
export function checkRows(rows: readonly ImportRow[]): Map<number, RowResult> {
  const repeated = repeatedRows(rows);
  return new Map(
    rows.map(({ line, fields }) => {
      if (fields.email === undefined) return [line, failed(ADVOCATES.noEmail)];
      const first = repeated.get(line);
      return [line, first === undefined ? OPEN : skipped(ADVOCATES.twice(first))];
    }),
  );
}

/**
 * Creates the advocate of a row, unless there is one with its email, its link name or its id. So the same file can be
 * imported again, also after a response was lost.
 */
export async function importRow(fields: ImportFields): Promise<RowResult> {
  try {
    const body = newFields(fields);
    const query = { email_eq: body.email, per_page: 1 };
    const { data } = (await api.send('get', '/v2/advocates', { query })).body;
    if (data.length > 0) return skipped(ADVOCATES.known);
    await api.send('post', '/v2/advocates', { body });
    return { kind: 'added', sentence: ADVOCATES.addedRow };
  } catch (error) {
    const { message } = toApiError(error);
    return error instanceof ApiError && error.status === 409 ? skipped(message) : failed(message);
  }
}
