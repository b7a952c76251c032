import type { Schemas } from '../../kit/api-types.ts';
import { type Loaded, useLoaded } from '../../kit/load.ts';
import { dayOf, firstDayOf } from '../../kit/ranges.ts';
import { useDashboard } from '../context.ts';

/** The statistics of the last 30 days by slug. */
export type Numbers = ReadonlyMap<string, Schemas['AdvocateStatistics']['attributes']>;

/** The largest number of slugs in a request. */
const MAX_SLUGS = 50;

/** Reads the numbers of the advocates of a page in one request. */
export function useNumbers(slugs: readonly string[]): [loaded: Loaded<Numbers>, reload: () => void] {
  const { api } = useDashboard();
  return useLoaded(
    async (signal) => {
      if (slugs.length === 0) return new Map();
      const now = Date.now();
      const query = {
        slugs: slugs.slice(0, MAX_SLUGS).join(','),
        from: firstDayOf('30d', now),
        to: dayOf(now),
      };
      const { data } = (await api.send('get', '/v2/statistics/advocates', { query, signal })).body;
      return new Map(data.map(({ id, attributes }) => [id, attributes]));
    },
    [slugs],
  );
}
