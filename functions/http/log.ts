import { Logger } from '@aws-lambda-powertools/logger';
import type { ServiceError } from '../domain/errors.ts';
import type { HttpEvent } from './call.ts';

const logger = new Logger({ serviceName: 'referral-tracking' });

/**
 * Records a failure of the service: ids, the route, names of errors and where they were thrown. Messages of errors
 * stay out, for they may repeat what a caller sent.
 */
export function logFailure(event: HttpEvent, error: ServiceError): void {
  const cause = error.cause instanceof Error ? error.cause : undefined;
  logger.error(error.code, {
    requestId: event.requestContext.requestId,
    route: event.routeKey,
    cause: cause && 'code' in cause ? String(cause.code) : cause?.name,
    thrownAt: cause?.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
  });
}
