import type { Schemas } from '../../kit/api.ts';
import { formatDate, formatMoney } from '../../kit/format.ts';
import * as COMMON from '../../words/common.ts';
import * as LINKS from '../../words/portal/links.ts';
import * as WORDS from '../../words/portal/referrals.ts';

export type Referral = Schemas['OwnReferralWithMoney'];

export const customerOf = ({ attributes: { email } }: Referral) => email ?? <span class="soft">{WORDS.noEmail}</span>;

export const stateOf = ({ attributes: { state } }: Referral) => (
  <span class={`badge state-${state}`}>{COMMON.states[state]}</span>
);

export const signedUpOf = ({ attributes: { converted_at } }: Referral) => (
  <span class="date">{converted_at === null ? COMMON.noAmount : formatDate(converted_at)}</span>
);

export function earnedOf({ attributes: { money } }: Referral): string {
  return money.map(({ commission, currency }) => formatMoney(commission, currency)).join(', ') || COMMON.noAmount;
}

export const sourceOf = ({ attributes: { code, sub_id } }: Referral) => <bdi>{code ?? sub_id ?? LINKS.mainLink}</bdi>;
