import type { ComponentChildren } from 'preact';
import { useLoaded } from '../../kit/loaded.ts';
import { Store, useStore } from '../../kit/store.ts';
import { Skeleton } from '../../kit/when-ready.tsx';
import * as WORDS from '../../words/portal/earnings.ts';
import * as REFERRALS from '../../words/portal/referrals.ts';
import { api } from '../service.ts';
import { PER_PAGE } from './ledger.ts';

/** The states of customers who may have paid. */
const STATES = ['paid', 'churned', 'rejected', 'converted'] as const;

/** The most pages of each state that are read. */
const PAGES = 40;

/** The emails of customers by the id of their referral; `null` if the program does not show it. */
const known = new Store<ReadonlyMap<string, string | null>>(new Map());

/** Reads who the customers of entries are. The API has no list by id, so this reads the newest until all are found. */
async function readCustomers(ids: readonly string[], signal: AbortSignal): Promise<void> {
  const isMissing = () => ids.some((id) => !known.value.has(id));
  for (const state_eq of STATES) {
    let cursor: string | undefined;
    for (let page = 0; page < PAGES && isMissing() && (page === 0 || cursor !== undefined); page += 1) {
      const query = { state_eq, per_page: PER_PAGE, cursor };
      const { body, next } = await api.send('get', '/v2/affiliate/referrals', { query, signal });
      known.set(new Map([...known.value, ...body.data.map(({ id, attributes }) => [id, attributes.email] as const)]));
      cursor = next;
    }
  }
}

/** Returns how the customer of a referral is shown: each one as soon as it is found. */
export function useCustomers(ids: readonly string[]): (id: string) => ComponentChildren {
  const [loaded] = useLoaded((signal) => readCustomers(ids, signal), [ids], []);
  const emails = useStore(known);
  return (id) => {
    const email = emails.get(id);
    if (email !== undefined) return email ?? REFERRALS.noEmail;
    return loaded.kind === 'ready' && !loaded.isReloading ? WORDS.notFound : <Skeleton lines={1} />;
  };
}
