import * as WORDS from '../../words/portal/account.ts';
import type { Affiliate } from '../service.ts';

/** The payout account as its advocate sees it, such as `PayPal: j***@example.com`; `undefined` without one. */
export function payoutAccountOf({ payout_method: method, payout_account: account }: Affiliate): string | undefined {
  return method !== null && account !== null ? WORDS.describe(WORDS.methods[method], account) : undefined;
}

/** Until when nobody pays to the account, in Unix seconds; `undefined` if nothing is pending. */
export function pendingUntil({ payout_pending_until: until }: Affiliate): number | undefined {
  return until !== null && until * 1000 > Date.now() ? until : undefined;
}
