import { DAY, type Seconds, seconds } from '../../../kernel/time.ts';

/** How many of something happened in the present window. */
export interface Budget {
  /** When the window ends. */
  readonly endsAt: Seconds;
  readonly count: number;
}

/** A window in seconds, and how many fit into it. */
export interface Limit {
  readonly window: number;
  readonly max: number;
}

/** Emails that confirm an address: of the address over the whole deployment, and of a program. */
export const CONFIRMATIONS_OF_ADDRESS: Limit = { window: DAY, max: 3 };
export const CONFIRMATIONS_OF_PROGRAM: Limit = { window: 3600, max: 200 };
/** Approvals of a program that nobody looked at. */
export const AUTOMATIC_APPROVALS: Limit = { window: DAY, max: 50 };

/** Returns the budget as it is now: windows are whole hours and days in UTC. */
export function budgetNow(before: Budget | undefined, { window }: Limit, now: Seconds): Budget {
  if (before && before.endsAt > now) return before;
  return { endsAt: seconds((Math.floor(now / window) + 1) * window), count: 0 };
}

/** True if one more fits into the budget. */
export const hasRoom = ({ count }: Budget, { max }: Limit): boolean => count < max;
