import jsonBodyParser from '@middy/http-json-body-parser';
import { ServiceError } from '../domain/errors.ts';
import type { HttpEvent, Middleware } from './context.ts';

/** Largest body in bytes. */
const MAX_BODY = 16 * 1024;

// "application/json" and "application/…+json" with any parameters (RFC 6839 section 3.1); a charset only where it is UTF-8.
const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json[ \t]*(?:;|$)/i;
const TEXT_TYPE = /^text\/plain[ \t]*(?:;|$)/i;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s";]*)"?/i;
// RFC 8259 section 2: the white space of JSON, and nothing else.
const BLANK = /^[ \t\r\n]*$/;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const parser = jsonBodyParser<HttpEvent>({ disableContentTypeCheck: true });

/**
 * Parses the body as JSON: 413 beyond 16 KiB, 415 for another type or charset, 400 if the body is missing or is not valid
 * JSON in UTF-8. With `plainText`, the JSON may also be sent as `text/plain`.
 */
export function jsonBody(plainText = false): Middleware {
  return {
    before: async (request) => {
      const { event, context } = request;
      const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
      if (bytes.byteLength > MAX_BODY) {
        throw new ServiceError('body_too_large', `The body must not be larger than ${MAX_BODY / 1024} KiB`);
      }
      checkType(event.headers['content-type'] || 'application/json', plainText);
      const text = decode(bytes);
      if (BLANK.test(text)) throw new ServiceError('invalid_json', 'The body is missing: send a JSON object');
      // The parser replaces the body with its result: it gets a copy of the event.
      const copy = { ...request, event: { ...event, body: text, isBase64Encoded: false } };
      try {
        await parser.before?.(copy);
      } catch (error) {
        throw new ServiceError('invalid_json', sentenceFor(error), { cause: error });
      }
      context.json = copy.event.body;
    },
  };
}

/** The parser refuses keys that could reach into prototypes, in valid JSON too. */
function sentenceFor(error: unknown): string {
  return error instanceof Error && error.message === 'Forbidden key in JSON body'
    ? 'The body must not hold the key __proto__, or constructor with prototype in it'
    : 'The body must be valid JSON, not nested too deeply';
}

function checkType(contentType: string, plainText: boolean): void {
  const charset = CHARSET.exec(contentType)?.[1] ?? 'utf-8';
  const isTaken = JSON_TYPE.test(contentType) || (plainText && TEXT_TYPE.test(contentType));
  if (!isTaken || !/^utf-?8$/i.test(charset)) {
    const types = plainText ? 'application/json or text/plain' : 'application/json';
    throw new ServiceError('unsupported_media_type', `The Content-Type must be ${types} in UTF-8`);
  }
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new ServiceError('invalid_json', 'The body must be JSON in valid UTF-8');
  }
  // RFC 8259 section 8.1.
  if (text.startsWith('\ufeff'))
    throw new ServiceError('invalid_json', 'The body must not begin with a byte order mark');
  return text;
}
