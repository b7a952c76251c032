import { type ErrorCode, ServiceError } from '../domain/errors.ts';
import type { HttpResult, Middleware } from './context.ts';
import { logFailure } from './log.ts';
import { json } from './response.ts';
import { STATUS } from './status.ts';

/** Headers that belong to an error wherever it comes from. `Retry-After` is in whole seconds (RFC 9110 section 10.2.3). */
const HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { 'www-authenticate': 'Bearer' },
  unavailable: { 'retry-after': '1' },
};

/** Answers every error as `{"error": "<sentence>"}`; one that nobody foresaw is a 500 that says nothing of its cause. */
export function errorsToHttp(): Middleware {
  return {
    onError: async (request) => {
      const error =
        request.error instanceof ServiceError
          ? request.error
          : new ServiceError('internal', 'Something went wrong; the failure was recorded', {
              cause: request.error,
            });
      const status = STATUS[error.code];
      if (status >= 500) logFailure(request.event, error);
      request.response = errorResult(error, status);
    },
  };
}

function errorResult({ code, message }: ServiceError, status: number): HttpResult {
  return json(status, { error: message }, { 'x-error-code': code, ...HEADERS[code] });
}
