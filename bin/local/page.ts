import type { HttpResult } from '../../functions/http/call.ts';

/** Directives of a Content-Security-Policy. */
export type Policy = readonly string[];

/** A page, or a text that one loads, held to what its policy allows. A browser asks for it anew each time. */
export function text(policy: Policy, type: string, body: string): HttpResult {
  return answer(policy, `${type}; charset=utf-8`, { body });
}

/** A picture in PNG. */
export function image(policy: Policy, bytes: Buffer): HttpResult {
  return answer(policy, 'image/png', { body: bytes.toString('base64'), isBase64Encoded: true });
}

function answer(
  policy: Policy,
  type: string,
  body: Pick<HttpResult, 'body' | 'isBase64Encoded'>,
): HttpResult {
  return {
    statusCode: 200,
    headers: {
      'content-type': type,
      'cache-control': 'no-cache',
      'content-security-policy': policy.join('; '),
      // Pages of other sites can load neither a script nor a picture from here.
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    ...body,
  };
}
