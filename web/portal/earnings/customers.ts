import { api } from '../service.ts';

/** The states of customers who may have paid. */
const STATES = ['paid', 'churned', 'rejected', 'converted'] as const;

/** The most pages of each state that are read. */
const PAGES = 4;

/** The emails of customers by the id of their referral; `null` if the program does not show it. */
const known = new Map<string, string | null>();

/**
 * Reads who the customers of entries are. The API lists referrals without a filter by id, so this reads the newest of them
 * until all are found.
 */
export async function customersOf(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string | null>> {
  const isMissing = () => ids.some((id) => !known.has(id));
  for (const state_eq of STATES) {
    let cursor: string | undefined;
    for (let page = 0; page < PAGES && isMissing() && (page === 0 || cursor !== undefined); page += 1) {
      const query = { state_eq, per_page: 50, cursor };
      const { body, next } = await api.send('get', '/v2/affiliate/referrals', { query, signal });
      for (const { id, attributes } of body.data) known.set(id, attributes.email);
      cursor = next;
    }
  }
  return new Map(known);
}
