import type { Schemas } from '../../kit/api.ts';
import { formatDate, formatMoney } from '../../kit/format.ts';
import * as WORDS from '../../words/portal/referrals.ts';

export type Referral = Schemas['OwnReferralWithMoney'];

export const customerOf = ({ attributes: { email } }: Referral) => email ?? <span class="soft">{WORDS.noEmail}</span>;

export const stateOf = ({ attributes: { state } }: Referral) => (
  <span class={`badge state-${state}`}>{WORDS.states[state]}</span>
);

/** A sign-up has the time of its state until the customer pays. Then only the visit's is left. */
function signedUpAt({ attributes: { state, state_set_at, created_at } }: Referral): number {
  return state === 'converted' ? state_set_at : created_at;
}

export const signedUpOf = (referral: Referral) => <span class="date">{formatDate(signedUpAt(referral))}</span>;

export function earnedOf({ attributes: { money } }: Referral): string {
  return money.map(({ commission, currency }) => formatMoney(commission, currency)).join(', ') || '–';
}

export const sourceOf = ({ attributes: { code, sub_id } }: Referral) => <bdi>{code ?? sub_id ?? '–'}</bdi>;
