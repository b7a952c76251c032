import type { HttpResult } from '../../functions/http/context.ts';

/** Directives of a Content-Security-Policy. */
export type Policy = readonly string[];

/** A page, or a text that a page loads, limited to what its policy allows. A browser requests it anew each time. */
export function text(policy: Policy, type: string, body: string): HttpResult {
  return {
    statusCode: 200,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-cache',
      'content-security-policy': policy.join('; '),
      // Pages of other sites can load neither a script nor a picture from here.
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    body,
  };
}

/**
 * Returns true if the browser was led here by a name of this machine. A page of another site can be, by a name of its own
 * that resolves to this machine (DNS rebinding): it must not read the tokens.
 */
export function isThisMachine(host: string | undefined): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host ?? '');
}
