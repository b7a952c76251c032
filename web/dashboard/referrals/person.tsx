import type { Schemas } from '../../kit/api-types.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';

type Attributes = Schemas['Referral']['attributes'];

/** The customer of a referral: its email, or else the merchant's id. */
export function Person({ email, uid, state }: Pick<Attributes, 'email' | 'uid' | 'state'>) {
  const name = email ?? uid;
  if (name !== null) return <bdi>{name}</bdi>;
  return <span>{state === 'clicked' ? REFERRALS.visitor : REFERRALS.erased}</span>;
}

export function StateBadge({ state }: Pick<Attributes, 'state'>) {
  return <span class={`badge state-${state}`}>{state}</span>;
}
