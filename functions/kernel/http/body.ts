import middy from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { Context } from 'aws-lambda';
import { ServiceError } from '../errors.ts';
import type { HttpEvent } from './context.ts';
import type { Route } from './route.ts';

/** The limit of a body in KiB. */
export const limitOf = ({ largeBody }: Pick<Route, 'largeBody'>): number => (largeBody ? 96 : 16);

// "application/json" and "application/…+json" with any parameters (RFC 6839 section 3.1).
const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json[ \t]*(?:;|$)/i;
const TEXT_TYPE = /^text\/plain[ \t]*(?:;|$)/i;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s";]*)"?/i;
// Only the white space of JSON (RFC 8259 section 2).
const BLANK = /^[ \t\r\n]*$/;

/** The sentences of 413, 415 and 400 `invalid_json`. */
export const tooLarge = (limit: number) => `The body is too large: send at most ${limit} KiB`;
export const unsupportedType = (plainText = false) =>
  `The Content-Type is not supported: send application/json${plainText ? ' or text/plain' : ''} in UTF-8`;
export const INVALID_JSON = {
  missing: 'The body is missing: send a JSON object',
  malformed: 'The body is not valid JSON: send a JSON object',
  tooDeep: 'The body is nested too deeply: send a flat JSON object',
  forbiddenKey: 'The body must not contain the key __proto__, or the key prototype inside constructor',
  encoding: 'The body is not valid UTF-8: send JSON in UTF-8',
  byteOrderMark: 'The body must not start with a byte order mark',
} as const;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** The middleware replaces `event.body` with the parsed JSON. */
const parseJson = middy<HttpEvent, unknown>(async ({ body }: HttpEvent) => body).use(
  jsonBodyParser({ disableContentTypeCheck: true }),
);

/**
 * Parses the body as JSON. Throws 413 if it is larger than the route's limit, 415 if it has a content type other than JSON (or,
 * with `plainText`, `text/plain`) in UTF-8, and 400 if it is missing (unless it is optional) or not valid JSON
 * (docs/contract.md, Errors).
 */
export async function parseBody(
  event: HttpEvent,
  context: Context,
  route: Pick<Route, 'plainText' | 'optionalBody' | 'largeBody'> = {},
): Promise<unknown> {
  const { headers } = event;
  const { plainText, optionalBody } = route;
  const bytes = bodyBytes(event);
  const limit = limitOf(route);
  if (bytes.byteLength > limit * 1024) throw new ServiceError('body_too_large', tooLarge(limit));
  // Some clients send a content type without a body.
  if (optionalBody && BLANK.test(bytes.toString('latin1'))) return {};
  const type = headers['content-type'] || 'application/json';
  const isAccepted = JSON_TYPE.test(type) || (plainText && TEXT_TYPE.test(type));
  if (!isAccepted || !/^utf-?8$/i.test(CHARSET.exec(type)?.[1] ?? 'utf-8')) {
    throw new ServiceError('unsupported_media_type', unsupportedType(plainText));
  }
  const text = decode(bytes);
  if (BLANK.test(text)) throw new ServiceError('invalid_json', INVALID_JSON.missing);
  // RFC 8259 section 8.1 forbids it.
  if (text.startsWith('\ufeff')) throw new ServiceError('invalid_json', INVALID_JSON.byteOrderMark);
  try {
    return await parseJson({ ...event, body: text, isBase64Encoded: false }, context);
  } catch (cause) {
    throw new ServiceError('invalid_json', sentenceFor(text, cause), { cause });
  }
}

/** Returns the bytes of a body as they were sent. */
export function bodyBytes({ body, isBase64Encoded }: HttpEvent): Buffer {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ServiceError('invalid_json', INVALID_JSON.encoding);
  }
}

/** The parser also rejects valid JSON: keys that could pollute prototypes, and nesting thousands of levels deep. */
function sentenceFor(text: string, error: unknown): string {
  if (error instanceof Error && error.message === 'Forbidden key in JSON body') return INVALID_JSON.forbiddenKey;
  try {
    JSON.parse(text);
    return INVALID_JSON.tooDeep;
  } catch {
    return INVALID_JSON.malformed;
  }
}
