import { safely } from '../safely.ts';

/** A visitor who was referred by an advocate. */
export interface Visitor {
  /** Value of the cookie, which the form sends to the merchant's server. */
  readonly grId: string;
  /** The advocate whose link the visitor followed. */
  readonly slug: string;
}

export type ClickResult = 'recorded' | 'ignored' | 'unknown' | 'failed';

const queue: unknown[][] = [];
const { promise, resolve } = Promise.withResolvers<void>();
/** Resolves when the tracking script has run or has failed to load. */
export const scriptEnd = promise;
/** The result of the last click that this page sent; undefined if it sent none. */
export let sentClick: Promise<ClickResult> | undefined;

/**
 * Watches the tracking script. It wraps `fetch`, because resource timing shows neither pending requests nor the header
 * `x-click`.
 */
export function watchTracking(): void {
  // Like the first line of the snippet: calls wait for the script, which may load late or never.
  window.gr ||= Object.assign((...call: unknown[]) => void queue.push(call), { q: queue });
  const original = window.fetch;
  window.fetch = (input, init) => {
    const response = original(input, init);
    const address = input instanceof Request ? input.url : String(input);
    if (pathOf(address) === '/v2/tracking/click') sentClick = resultOf(response);
    return response;
  };
  const onEnd = ({ target }: Event) => {
    if (target instanceof HTMLScriptElement && pathOf(target.src) === '/gr.js') resolve();
  };
  // Events of the script element reach the document in the capturing phase only.
  document.addEventListener('load', onEnd, true);
  document.addEventListener('error', onEnd, true);
}

/** Calls `callback` with the visitor that the tracking script knows, or with null if the visitor was not referred. */
export function getVisitor(callback: (visitor: Visitor | null) => void): void {
  window.gr?.('id', (grId: unknown) => {
    const [slug = ''] = String(grId).split('.');
    callback(typeof grId === 'string' ? { grId, slug } : null);
  });
}

/** Makes the tracking script and the shop forget the visitor: whoever follows a link next is a new visitor. */
export function forgetVisitor(): void {
  safely(() => sessionStorage.clear());
  window.gr?.('consent', false);
}

async function resultOf(sent: Promise<Response>): Promise<ClickResult> {
  try {
    const { ok, headers } = await sent;
    if (headers.get('x-error-code') === 'invalid_affiliate_slug') {
      // The script reads the same response. One task later, it has restored the visitor whom it knew before.
      await new Promise((resolve) => setTimeout(resolve));
      return 'unknown';
    }
    if (!ok) return 'failed';
    return ['recorded', 'known'].includes(headers.get('x-click') ?? '') ? 'recorded' : 'ignored';
  } catch {
    return 'failed';
  }
}

function pathOf(address: string): string {
  return new URL(address, location.href).pathname;
}
