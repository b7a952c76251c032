import type { Schemas } from '../../kit/api.ts';
import { api } from '../service.ts';

export type Advocate = Schemas['ListedAdvocate'];

/** The newest advocate who is not paused. */
export async function newestAdvocate(signal: AbortSignal): Promise<Advocate | undefined> {
  const query = { per_page: 1, active_eq: true } as const;
  return (await api.send('get', '/v2/advocates', { query, signal })).body.data[0];
}

/** The newest visit by the link of an advocate that has not signed up. */
export async function newestClick(affiliate_slug: string, signal: AbortSignal) {
  const query = { affiliate_slug, state_eq: 'clicked', per_page: 1 } as const;
  return (await api.send('get', '/v2/referrals', { query, signal })).body.data[0];
}

/** How a sign-up identifies the advocate. */
export type Reference = { readonly gr_id: string } | { readonly affiliate_slug: string };

/** How the samples identify an advocate: by the newest visit, as a shop does, or by the link name without a visit. */
export async function referenceOf(advocate: Advocate | undefined, signal: AbortSignal): Promise<Reference> {
  if (!advocate) return { affiliate_slug: 'LINK_NAME' };
  const { slug } = advocate.attributes;
  const click = await newestClick(slug, signal);
  return click ? { gr_id: `${slug}.${click.id}` } : { affiliate_slug: slug };
}
