import { slugOf } from '../gr-id.ts';

/** Whom the tracking script remembers. */
export interface Visitor {
  /** Value of the cookie: the merchant's own form sends it to its server. */
  readonly grId: string;
  /** The affiliate whose link was followed. */
  readonly slug: string;
  /** Id of the click, and of the referral that it becomes. */
  readonly clickId: string;
}

const queue: unknown[][] = [];
// The script may load later than this one, or never: calls wait for it.
window.gr =
  window.gr ||
  Object.assign(
    (...call: unknown[]) => {
      queue.push(call);
    },
    { q: queue },
  );

/** Calls back with the visitor as the tracking script knows it, or null where nobody's link was followed. */
export function askVisitor(callback: (visitor: Visitor | null) => void): void {
  window.gr?.('id', (grId: unknown) => {
    const slug = typeof grId === 'string' ? slugOf(grId) : undefined;
    callback(typeof grId === 'string' && slug ? { grId, slug, clickId: grId.slice(slug.length + 1) } : null);
  });
}

/** Lets the tracking script forget the visitor, and comes again by the affiliate's link as someone new. */
export function comeAgain(link: string): void {
  window.gr?.('consent', false);
  location.assign(link);
}
