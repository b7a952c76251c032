import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contextOf } from '../../../../bin/local/event.ts';
import { parseBody } from '../../../../functions/kernel/http/body.ts';
import type { HttpEvent, HttpResult } from '../../../../functions/kernel/http/context.ts';
import type { Route } from '../../../../functions/kernel/http/route.ts';
import { ROUTES } from '../../../../functions/routes.ts';
import { httpEvent } from '../../../support/samples.ts';
import { callStack } from './stack.ts';

const KIB_16 = 16_384;

/** Sends a body through the stack, as text or as the base64 of bytes. */
function send(body: string | Uint8Array | undefined, contentType?: string): Promise<HttpResult> {
  const type = contentType === undefined ? {} : { 'content-type': contentType };
  const headers = { authorization: 'Bearer good', ...type };
  if (body === undefined) return callStack(httpEvent({ headers }));
  if (typeof body === 'string') return callStack(httpEvent({ headers, body }));
  const base64 = Buffer.from(body).toString('base64');
  return callStack(httpEvent({ headers, body: base64, isBase64Encoded: true }));
}

const codeOf = ({ headers }: HttpResult) => headers?.['x-error-code'];
const parsed = ({ statusCode, body }: HttpResult) => ({ statusCode, ...JSON.parse(body ?? '') });

describe('request bodies', () => {
  test('a body is parsed as JSON, sent as text or in base64', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/__proto__|constructor/.test(text));
        const json = JSON.parse(text);
        expect(parsed(await send(text, 'application/json'))).toEqual({ statusCode: 200, json });
        expect(parsed(await send(Buffer.from(text)))).toEqual({ statusCode: 200, json });
      }),
    );
  });

  test.each([undefined, '', ' ', ' \t\r\n', new Uint8Array(0), Uint8Array.of(0x20, 0x0a)])(
    'an empty body (%j) is missing: 400',
    async (body) => {
      const response = await send(body);
      expect(parsed(response)).toEqual({
        statusCode: 400,
        error: 'The body is missing: send a JSON object',
      });
      expect(codeOf(response)).toBe('invalid_json');
    },
  );

  test.each(['{', '{"a":1', "{'a':1}", '{a:1}', '{"a":1,}', '{}{}', '{"a":"\u0001"}', '\u00a0{}', 'pk=1&uid=2'])(
    'the body %j is not valid JSON: 400',
    async (text) => {
      const response = await send(text);
      expect(parsed(response)).toEqual({
        statusCode: 400,
        error: 'The body is not valid JSON: send a JSON object',
      });
      expect(codeOf(response)).toBe('invalid_json');
    },
  );

  test.each([
    ['a byte that begins no character', [0x22, 0xff, 0x22]],
    ['a character cut short', [0x22, 0xe2, 0x82, 0x22]],
  ])('a body with %s is invalid UTF-8: 400', async (_, bytes) => {
    const response = await send(Uint8Array.from(bytes));
    expect(parsed(response)).toEqual({ statusCode: 400, error: 'The body is not valid UTF-8: send JSON in UTF-8' });
    expect(codeOf(response)).toBe('invalid_json');
  });

  test('a body that starts with a byte order mark returns 400', async () => {
    const sentence = { statusCode: 400, error: 'The body must not start with a byte order mark' };
    expect(parsed(await send('\ufeff{}'))).toEqual(sentence);
    expect(parsed(await send(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)))).toEqual(sentence);
  });
});

describe('the size of a body', () => {
  const textOf = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`;

  test('the size of a body is at most 16 KiB', async () => {
    expect((await send(textOf(KIB_16))).statusCode).toBe(200);
    const response = await send(textOf(KIB_16 + 1));
    expect(parsed(response)).toEqual({ statusCode: 413, error: 'The body is too large: send at most 16 KiB' });
    expect(codeOf(response)).toBe('body_too_large');
  });

  test('the size of a body is counted in bytes, not in characters', async () => {
    expect((await send(`"${'é'.repeat((KIB_16 - 2) / 2)}"`)).statusCode).toBe(200);
    expect((await send(`"${'é'.repeat((KIB_16 - 2) / 2)}a"`)).statusCode).toBe(413);
  });
});

test.each(Object.entries<Route>(ROUTES))(
  'the body of %s has its limit: 96 KiB for pictures and resources',
  async (id, route) => {
    const limit = (['putLogo', 'putResources'].includes(id) ? 96 : 16) * 1024;
    const parse = (bytes: number) =>
      parseBody(httpEvent({ body: `"${'a'.repeat(bytes - 2)}"` }), contextOf('advocates'), route);
    await expect(parse(limit)).resolves.toHaveLength(limit - 2);
    await expect(parse(limit + 1)).rejects.toThrow(`The body is too large: send at most ${limit / 1024} KiB`);
  },
);

describe('the type of a body', () => {
  test.each([
    undefined,
    'application/json',
    'application/json; charset=utf-8',
    'application/problem+json',
    'application/vnd.a.b-c+json;',
  ])('the type %p is read as JSON in UTF-8', async (type) => {
    expect(parsed(await send('{"a":1}', type))).toEqual({ statusCode: 200, json: { a: 1 } });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=iso-8859-1',
  ])('the type %p is not accepted: 415', async (type) => {
    const response = await send('{"a":1}', type);
    expect(parsed(response)).toEqual({
      statusCode: 415,
      error: 'The Content-Type is not supported: send application/json in UTF-8',
    });
    expect(codeOf(response)).toBe('unsupported_media_type');
  });
});

describe('malicious bodies', () => {
  const FORBIDDEN = 'The body must not contain the key __proto__, or the key prototype inside constructor';
  test.each([
    ['names __proto__', '{"a":1,"__proto__":{"b":2}}', FORBIDDEN],
    ['names the prototype of a constructor', '{"a":1,"constructor":{"prototype":{"b":2}}}', FORBIDDEN],
    [
      'is nested thousands deep',
      `{"a":1,"x":${'['.repeat(8000)}${']'.repeat(8000)}}`,
      'The body is nested too deeply: send a flat JSON object',
    ],
  ])('a malicious body is rejected with the reason if it %s', async (_, body, error) => {
    expect(parsed(await send(body))).toEqual({ statusCode: 400, error });
  });
});

const parse = (event: Partial<HttpEvent>) =>
  parseBody(httpEvent(event), contextOf('advocates'), { optionalBody: true });
const typed = (type: string | undefined) => ({ headers: type === undefined ? {} : { 'content-type': type } });

describe('optional bodies', () => {
  // curl and PHP send a content type even if there is no body.
  test.each([undefined, 'application/json', 'application/x-www-form-urlencoded', 'text/plain'])(
    'an optional body that is missing is an empty object, with the content type %s',
    async (type) => {
      expect(await parse(typed(type))).toEqual({});
      expect(await parse({ ...typed(type), body: '' })).toEqual({});
      expect(await parse({ ...typed(type), body: ' \t\r\n' })).toEqual({});
      expect(await parse({ ...typed(type), body: 'IAo=', isBase64Encoded: true })).toEqual({});
    },
  );
});
