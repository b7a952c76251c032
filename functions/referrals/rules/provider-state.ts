import type { Seconds } from '../../kernel/time.ts';
import type { State } from './state.ts';

/** What a referral knows of its events from Stripe. */
export interface ProviderState {
  /** Names of the claims of Stripe customers, oldest first. They are deleted when the person is erased. */
  readonly customers: readonly string[];
  /** The latest event that was applied, by Stripe's time and then by state. */
  readonly latest: { readonly createdAt: Seconds; readonly state: State } | null;
  /** Number of writes that added no entry to the history. */
  readonly silentWrites: number;
}

export const NO_PROVIDER_STATE: ProviderState = { customers: [], latest: null, silentWrites: 0 };

/** Maximum number of Stripe customers of a referral. Each checkout of a guest can create one. */
export const MAX_CUSTOMERS = 20;
