import type { Seconds } from '../../kernel/time.ts';
import type { SignInPage } from './link-budget.ts';

/** Why somebody gets an email: kind and ids, but no address and no name. `mail` reads the rest when it sends it. */
export type EmailCause =
  | {
      readonly kind: 'sign_in';
      readonly page: SignInPage;
      /** The hash of the address that asked. */
      readonly address: string;
      readonly request: string;
    }
  /** An application of an address to confirm, by its id. */
  | { readonly kind: 'confirm'; readonly address: string; readonly application: string }
  /** `request` is the id of the application, or the time of the invitation. */
  | { readonly kind: 'approved'; readonly slug: string; readonly request: string }
  | { readonly kind: 'rejected'; readonly application: string }
  /** An application waits. Its day is in UTC. */
  | { readonly kind: 'waiting'; readonly application: string; readonly day: string }
  | { readonly kind: 'invited'; readonly member: string }
  | { readonly kind: 'paying'; readonly slug: string; readonly day: string }
  | { readonly kind: 'settled'; readonly slug: string; readonly createdAt: Seconds; readonly entry: string }
  | {
      readonly kind: 'account_changed';
      readonly slug: string;
      /** The number of writes of the advocate, which orders its changes. */
      readonly version: number;
      readonly changes: readonly Change[];
      /** The address that gets the email: the present or the previous one. */
      readonly to: 'now' | 'before';
    };

/** What of an advocate may have changed. */
export const CHANGES = ['payout_account', 'email'] as const;
export type Change = (typeof CHANGES)[number];

/** The queues of emails: links to sign in and to confirm do not wait behind other emails. */
export type EmailQueueName = 'links' | 'others';

export const queueOf = ({ kind }: EmailCause): EmailQueueName =>
  kind === 'sign_in' || kind === 'confirm' ? 'links' : 'others';
