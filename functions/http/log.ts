import type { ServiceError } from '../domain/errors.ts';
import type { HttpEvent } from './context.ts';

/**
 * Logs a failure of the service: ids, the route, names of errors and where they were thrown. Messages of errors stay
 * out, because they may repeat what a caller sent.
 *
 * Lambda's JSON log format puts an object given to `console.error` under `message`, beside its own `timestamp`, `level`
 * and `requestId` (https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html). A logging library would add 35 KB
 * to each bundle.
 */
export function logFailure(event: HttpEvent, error: ServiceError): void {
  const cause = error.cause instanceof Error ? error.cause : undefined;
  console.error({
    error: error.code,
    requestId: event.requestContext.requestId,
    route: event.routeKey,
    cause: cause && 'code' in cause ? String(cause.code) : cause?.name,
    thrownAt: cause?.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
  });
}
