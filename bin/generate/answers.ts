import type { ErrorCode } from '../../functions/domain/errors.ts';
import { ERROR } from '../../functions/http/schema.ts';
import type { Route } from '../../functions/routes.ts';
import { ERRORS, sentencesOf } from './errors.ts';
import type { Examples } from './examples.ts';
import { type HeaderKey, headersOf } from './headers.ts';
import { type JsonObject, mapValues } from './json.ts';
import type { DocumentedBody, DocumentedOperation, DocumentedSuccess } from './operations.ts';
import { GATEWAY_ERROR, written } from './schemas.ts';

const OF_EVERY_OPERATION = ['internal', 'unavailable'] as const;
const OF_TOKENS = ['unauthorized', 'forbidden'] as const;
const OF_BODIES = ['body_too_large', 'unsupported_media_type', 'invalid_json', 'invalid_field'] as const;
const OF_QUERIES = ['invalid_field'] as const;

/** What API Gateway answers itself on a route that exists, by status. */
const GATEWAY_ANSWERS: Readonly<Record<number, { readonly reason: string; readonly message: string }>> = {
  413: { reason: 'API Gateway itself refuses more than 10 MB, in its own words', message: 'Request Entity Too Large' },
  429: { reason: 'more requests than API Gateway lets through: try again later', message: 'Too Many Requests' },
};

/** `responses` of an operation: every status that it can give. */
export function responsesOf(route: Route, operation: DocumentedOperation): JsonObject {
  const common: HeaderKey[] = ['RequestId', 'CacheControl', ...deprecationHeaders(route)];
  const statuses = Map.groupBy(errorsOf(route, operation), (code) => ERRORS[code].status);
  const refused = [...statuses].map(([status, codes]) => [status, errorResponse(status, codes, common, route, operation)]);
  return {
    ...Object.fromEntries(operation.successes.map((success) => [success.status, successResponse(success, common)])),
    ...Object.fromEntries(refused),
    429: { $ref: '#/components/responses/TooManyRequests' },
  };
}

/** Every error that an operation can give. */
export function errorsOf(route: Route, { body, query, errors }: DocumentedOperation): ErrorCode[] {
  return [
    ...OF_TOKENS,
    ...(body ? OF_BODIES : []),
    ...(query ? OF_QUERIES : []),
    ...errors,
    ...OF_EVERY_OPERATION,
  ].filter((code) => code !== 'forbidden' || route.token !== undefined);
}

/** `components.responses` of the document: the answers that are the same for all operations. */
export function responseComponents(): JsonObject {
  const { reason, message } = GATEWAY_ANSWERS[429] ?? { reason: '', message: '' };
  return { TooManyRequests: { description: sentence(reason), ...contentOf(gatewayBody(message)) } };
}
