import { slugOf } from '../gr-id.ts';

/** A visitor whom an advocate referred. */
export interface Visitor {
  /** Value of the cookie, which the merchant's own form sends to its server. */
  readonly grId: string;
  /** The advocate whose link the visitor followed. */
  readonly slug: string;
  /** Id of the click, and of the referral that it becomes. */
  readonly clickId: string;
}

/** Calls back with the visitor that the tracking script knows, or with null if nobody referred the visitor. */
export function askVisitor(callback: (visitor: Visitor | null) => void): void {
  window.gr?.('id', (grId: unknown) => {
    const slug = typeof grId === 'string' ? slugOf(grId) : undefined;
    callback(typeof grId === 'string' && slug ? { grId, slug, clickId: grId.slice(slug.length + 1) } : null);
  });
}

/** Makes the tracking script forget the visitor and follows the link as a new visitor. */
export function startOver(link: string): void {
  window.gr?.('consent', false);
  location.assign(link);
}
