import { describe, expect, test } from '@jest/globals';
import { contextOf } from '../../../bin/local/event.ts';
import { parseBody } from '../../../functions/http/body.ts';
import type { HttpEvent } from '../../../functions/http/context.ts';
import { httpEvent } from '../samples.ts';

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

  test.each([
    ['{', 'application/json', 'invalid_json'],
    ['\ufeff', 'application/json', 'invalid_json'],
    ['\u00a0', 'application/json', 'invalid_json'],
    ['{}', 'text/plain', 'unsupported_media_type'],
    [' '.repeat(16_385), 'application/json', 'body_too_large'],
  ])('an optional body that is not missing is checked like any other: %j as %s', async (body, type, code) => {
    await expect(parse({ ...typed(type), body })).rejects.toMatchObject({ code });
  });

  test('an optional body may be any JSON: only the schema checks its content', async () => {
    expect(await parse({ body: 'null' })).toBeNull();
  });
});
