import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Route } from '../../../functions/kernel/http/route.ts';
import { ROUTES } from '../../../functions/routes.ts';
import { BODY_TARGETS, type BodyTarget, invalidBodies } from '../../support/bad-bodies.ts';
import { SECRET } from '../../support/bad-values.ts';
import { ALL_DRIVERS, DRIVERS, type Send } from '../../support/drivers.ts';
import { aToken } from '../../support/program.ts';
import { allItems } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const ORIGIN = 'https://www.shop.example';
const { table, program, advocate } = await useProgram({ allowedOrigins: [ORIGIN] }, { uid: 'partner-1' });
const token = await aToken(table, program);
const before = await allItems(table);
const expectNothingStored = async () => expect(await allItems(table)).toEqual(before);

const validBody = (target: BodyTarget) => target.validBody({ publicKey: program.publicKey, slug: advocate.slug });

/** Sends bodies to a target with valid credentials. */
function sender(send: Send, { operation, caller }: BodyTarget) {
  const callerHeaders = () => ({
    ...(caller === 'token' && { authorization: `Bearer ${token}` }),
    ...(caller === 'page' && { origin: ORIGIN }),
  });
  return async (body: unknown, headers: Record<string, string> = {}) => {
    const path = { slug: advocate.slug, name: 'partners', code: 'JANE20' };
    const request = { operation, ...path, body, headers: { ...callerHeaders(), ...headers } };
    const { json, ...response } = await send(request);
    return { status: response.status, code: response.headers['x-error-code'], error: json?.error };
  };
}

describe.each(DRIVERS)('invalid fields through %s', (_, connect) => {
  const send = connect(table);
  afterAll(expectNothingStored);

  test.each(BODY_TARGETS)('each invalid field of $name returns 400 without its value', async (target) => {
    const post = sender(send, target);
    for (const { bodies, error } of invalidBodies(target)) {
      for (const body of bodies(validBody(target))) {
        const response = await post(JSON.stringify(body));
        const expected = { status: 400, code: 'invalid_field', error: expect.stringMatching(error) };
        expect([body, response]).toEqual([body, expected]);
        expect(response.error).not.toContain(SECRET);
      }
    }
  });
});

// test/kernel/unit/http/body.test.ts has all of them.
const NOT_JSON: (string | Buffer)[] = ['{', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])];
const ALL_FIELDS = [...new Set(BODY_TARGETS.flatMap(({ invalid }) => Object.keys(invalid)))];
/** Never valid, whatever the field. */
const WRONG: unknown[] = [];

describe.each(ALL_DRIVERS)('invalid bodies through %s', (_, connect) => {
  const send = connect(table);
  afterAll(expectNothingStored);

  describe.each(BODY_TARGETS)('$name', (target) => {
    const { operation, caller, invalid, required, findsAnyText } = target;
    const post = sender(send, target);
    const valid = () => validBody(target);
    const { plainText, optionalBody }: Route = ROUTES[operation];
    const hasRequired = Object.keys(required).length > 0;
    const wrongFields = Object.fromEntries(Object.keys(invalid).map((field) => [field, WRONG]));

    test('the last of two equal keys is used', async () => {
      for (const field of Object.keys(invalid)) {
        const { [field]: value = 'jane', ...others } = valid();
        const rest = JSON.stringify({ ...others, unknown: 1 }).slice(1);
        const twice = `{"${field}":${JSON.stringify(value)},"${field}":[],${rest}`;
        const error = expect.stringMatching(new RegExp(`^${field} must (?:not )?be`));
        expect(await post(twice)).toEqual({ status: 400, code: 'invalid_field', error });
      }
    });

    test('a body that is not JSON returns 400, and one over 16 KiB returns 413, whatever its type', async () => {
      for (const body of optionalBody ? NOT_JSON : ['', ...NOT_JSON]) {
        expect(await post(body)).toMatchObject({ status: 400, code: 'invalid_json' });
      }
      expect((await post({ ...valid(), note: 'x'.repeat(17_000) })).status).toBe(413);
      expect((await post('x'.repeat(17_000), { 'content-type': 'image/png' })).status).toBe(413);
    });

    test('a body of another type returns 415, and only a click may be text/plain', async () => {
      const codeAs = async (type: string) =>
        (await post({ ...valid(), ...wrongFields }, { 'content-type': type })).code;
      expect(await codeAs('application/x-www-form-urlencoded')).toBe('unsupported_media_type');
      expect(await codeAs('text/plain')).toBe(plainText ? 'invalid_field' : 'unsupported_media_type');
      expect(await codeAs('application/vnd.api+json; charset=UTF-8')).toBe('invalid_field');
    });

    test('no bytes of a body cause a 5xx', async () => {
      const anyFields = fc.dictionary(fc.constantFrom(...ALL_FIELDS), fc.jsonValue());
      const [field = ''] = Object.keys(invalid);
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
        fc.json().map((text) => Buffer.from(text)),
        anyFields.map((fields) => Buffer.from(JSON.stringify(fields))),
        anyFields.map((fields) => Buffer.from(JSON.stringify({ ...valid(), ...fields, [field]: WRONG }))),
      );
      // Without required fields, most objects are valid.
      const isInvalid = (body: Buffer) =>
        hasRequired || !/^\s*(?:\{.*)?$/s.test(String(body)) || body.includes(`"${field}":[]}`);
      const statuses = [
        400,
        ...(caller === 'page' ? [401] : []),
        ...('id' in invalid ? [404] : []),
        ...(findsAnyText ? [200] : []),
      ];
      const property = async (body: Buffer) => expect(statuses).toContain((await post(body)).status);
      await fc.assert(fc.asyncProperty(bytes.filter(isInvalid), property), { numRuns: 20 });
    });
  });
});
