import type { PayoutAccount } from '../../../kernel/accounts/rules/payout-account.ts';
import type { Program } from '../../../kernel/accounts/rules/program.ts';
import { type Seconds, seconds } from '../../../kernel/time.ts';
import type { EmailKind } from './kinds.ts';

/** Whom an email greets, and the page of the account or of the dashboard. */
interface Addressed {
  readonly firstName: string | null;
  readonly url: string;
}

/** What an email says. Names may contain anything. */
export type EmailContent =
  | {
      readonly kind: 'sign_in';
      readonly page: 'portal' | 'dashboard';
      readonly firstName: string | null;
      /** One for each person with the address. */
      readonly links: readonly { readonly name: string; readonly url: string }[];
    }
  | ({ readonly kind: 'paying' } & Addressed)
  | ({
      readonly kind: 'settled';
      /** In the smallest unit of the currency. */
      readonly amount: number;
      readonly currency: string;
      readonly reference: string | null;
    } & Addressed)
  | ({
      readonly kind: 'account_changed';
      readonly changes: readonly ('payout_account' | 'email')[];
      /** The payout account, which the email masks. */
      readonly account: PayoutAccount;
      /** Until when nothing is paid to the advocate. */
      readonly pendingUntil: Seconds | null;
      readonly undoUrl: string | null;
    } & Addressed)
  | ({ readonly kind: 'invited' } & Addressed)
  /** Nobody has shown that the address is the applicant's: it contains nothing that was typed. */
  | { readonly kind: 'confirm'; readonly firstName: null; readonly url: string }
  | ({ readonly kind: 'approved'; readonly referralLink: string } & Addressed)
  | ({ readonly kind: 'rejected'; readonly note: string | null } & Addressed)
  | ({ readonly kind: 'waiting' } & Addressed);

/** The address of a page on which people sign in to a program. */
export const pageUrl = (page: string, { publicKey }: Pick<Program, 'publicKey'>): string =>
  `${page}#program=${publicKey}`;

/** Returns what a preview of a kind shows. `baseUrl` is the address of the service, without a slash at its end. */
export function exampleContent(kind: EmailKind, baseUrl: string, program: Pick<Program, 'publicKey'>): EmailContent {
  const firstName = 'Jane';
  const url = pageUrl(`${baseUrl}/account`, program);
  switch (kind) {
    case 'sign_in':
      return { kind, page: 'portal', firstName, links: [{ name: 'Jane Doe', url }] };
    case 'paying':
      return { kind, firstName, url };
    case 'settled':
      return { kind, firstName, url, amount: 12_50, currency: 'eur', reference: '2026-07' };
    case 'account_changed': {
      const account = { payoutMethod: 'bank', payoutAccount: 'DE02120300000000202051' } as const;
      const pendingUntil = seconds(Date.UTC(2026, 6, 24, 12) / 1000);
      return { kind, firstName, url, changes: ['payout_account'], account, pendingUntil, undoUrl: url };
    }
    case 'invited':
    case 'waiting':
      return { kind, firstName, url: pageUrl(`${baseUrl}/dashboard`, program) };
    case 'confirm':
      return { kind, firstName: null, url };
    case 'approved':
      return { kind, firstName, url, referralLink: 'https://example.com/?via=jane-doe' };
    case 'rejected':
      return { kind, firstName, url, note: 'We only work with shops in Germany at present.' };
  }
}
