import { type Loaded, useLoaded } from '../kit/load.ts';
import { monthsBack } from '../kit/ranges.ts';
import type { Statement } from './money-totals.ts';
import { api } from './service.ts';

/** The statements of the last 12 months, newest first, with the function that reads them again. */
export type LoadedStatements = [loaded: Loaded<readonly Statement[]>, reload: () => void];

/** Reads the statements of the last 12 months in one request. */
export function useStatements(): LoadedStatements {
  return useLoaded(async (signal) => {
    const now = Date.now();
    const query = { from: monthsBack(now, 11), to: monthsBack(now, 0) };
    const { data } = (await api.send('get', '/v2/affiliate/statements', { query, signal })).body;
    return Array.isArray(data) ? data : [data];
  }, []);
}
