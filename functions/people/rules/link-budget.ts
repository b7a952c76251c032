import { type Seconds, seconds } from '../../kernel/time.ts';

/** The pages on which somebody can sign in: advocates on `portal`, members on `dashboard`. */
export const PAGES = ['portal', 'dashboard'] as const;
export type SignInPage = (typeof PAGES)[number];

/** The least time between two links of an address, and how long it takes until one more is allowed. In seconds. */
const APART = 60;
const REFILL = 600;
/** Links that an address can get without waiting for the refill. */
const BURST = 3;

/** What an address has left of its links on a page. */
export interface LinkBudget {
  /** When the last link was allowed. */
  readonly lastAt: Seconds;
  /** When all links of the burst are allowed again. */
  readonly fullAt: Seconds;
}

/**
 * Returns what is left after a link; `undefined` if none is allowed yet: links are 60 seconds apart, three in a burst, then
 * one each 10 minutes (the generic cell rate algorithm, ITU-T I.371 annex A).
 */
export function afterLink(before: LinkBudget | undefined, now: Seconds): LinkBudget | undefined {
  if (before && (now - before.lastAt < APART || before.fullAt - now > (BURST - 1) * REFILL)) return undefined;
  return { lastAt: now, fullAt: seconds(Math.max(before?.fullAt ?? 0, now) + REFILL) };
}
