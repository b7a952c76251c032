import type { IncomingMessage } from 'node:http';
import { unescape as decoded } from 'node:querystring';
import type { HttpResult } from '../../functions/kernel/http/context.ts';
import type { Clock } from '../../functions/kernel/time.ts';
import { ROUTES } from '../../functions/routes.ts';
import { matchRoute, targetOf } from './event.ts';

/** Is told of each request that has a response, and how long it took in milliseconds. */
export type ObserveResponse = (request: IncomingMessage, result: HttpResult, duration: number) => void;

/** Stripe repeats events, and sends more types than the service uses. */
const USUAL: readonly string[] = ['nothing_to_do', 'duplicate'];
/** A part of a path that may be an email, a token or a secret. */
const PRIVATE = /@|rt[ap]_|whsec_/i;

/** Prints refused events of Stripe, and with `isEnabled` each request: never a query, an email or a token. */
export function requestLog(
  isEnabled: boolean,
  clock: Clock,
  output: Pick<Console, 'log' | 'error'> = console,
): ObserveResponse {
  return (request, result, duration) => {
    const { method = '' } = request;
    const { statusCode = 200 } = result;
    const { path = '' } = targetOf(request) ?? {};
    if (isEnabled) {
      const time = new Date(clock()).toISOString();
      output.log(`${time} ${method} ${printable(path)} ${statusCode} ${Math.round(duration)} ms`);
    }
    if (matchRoute(method, path)?.route !== ROUTES.receiveStripeEvent) return;
    const reason = refusalIn(result);
    if (reason === undefined) return;
    output.error(`An event of Stripe changed nothing: ${reason}. docs/payments.md says what to do.`);
  };
}

/** Removes from a path what may be private, and characters that could control the terminal. */
function printable(path: string): string {
  const parts = path.split('/').map((part) => (PRIVATE.test(decoded(part)) ? '…' : part.replace(/[^!-~]/g, '?')));
  return parts.join('/');
}

/** Returns why an event of Stripe was refused; `undefined` if it was applied, or ignored as usual. */
function refusalIn({ statusCode = 200, headers, body = '' }: HttpResult): string | undefined {
  if (statusCode >= 400) return `${statusCode} ${headers?.['x-error-code'] ?? ''}`.trim();
  // An event whose response has an `entry` changed the ledger.
  const { ignored, entry } = JSON.parse(body);
  return typeof ignored === 'string' && entry === undefined && !USUAL.includes(ignored) ? ignored : undefined;
}
