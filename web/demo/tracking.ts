/** The outcome of a click that the tracking script sent. */
export type ClickResult = 'recorded' | 'ignored' | 'unknown' | 'failed';

/** A click that is under way or has its response. */
export interface SentClick {
  readonly result: Promise<ClickResult>;
}

const CLICK_PATH = '/v2/tracking/click';
const SCRIPT_PATH = '/gr.js';
const RECORDED = ['recorded', 'known'];

const queue: unknown[][] = [];
let click: SentClick | undefined;
let onScriptEnd: () => void = () => undefined;
/** Resolves once the tracking script has run, or cannot run. */
export const scriptEnd = new Promise<void>((resolve) => {
  onScriptEnd = resolve;
});

/** The last click that this page has sent; undefined if it has sent none. */
export function sentClick(): SentClick | undefined {
  return click;
}

/**
 * Watches the tracking script. Resource timing would need no wrapper around `fetch`, but shows neither a request that
 * is under way nor the header `x-click`.
 */
export function watchTracking(): void {
  // The same as the first line of the snippet: calls wait for the script, which may load late or never.
  window.gr ||= Object.assign((...call: unknown[]) => void queue.push(call), { q: queue });
  const original = window.fetch;
  window.fetch = (input, init) => {
    const response = original(input, init);
    if (pathOf(input instanceof Request ? input.url : String(input)) === CLICK_PATH)
      click = { result: resultOf(response) };
    return response;
  };
  // Both events of an element reach the document in the capturing phase only.
  for (const type of ['load', 'error']) {
    document.addEventListener(
      type,
      ({ target }) => {
        if (target instanceof HTMLScriptElement && pathOf(target.src) === SCRIPT_PATH) onScriptEnd();
      },
      true,
    );
  }
}

async function resultOf(sent: Promise<Response>): Promise<ClickResult> {
  try {
    const { ok, headers } = await sent;
    if (headers.get('x-error-code') === 'invalid_affiliate_slug') return 'unknown';
    if (!ok) return 'failed';
    return RECORDED.includes(headers.get('x-click') ?? '') ? 'recorded' : 'ignored';
  } catch {
    return 'failed';
  }
}

function pathOf(address: string): string {
  return new URL(address, location.href).pathname;
}
