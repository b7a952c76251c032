import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import { ROUTES, type Route } from '../../functions/routes.ts';
import { BODY_TARGETS, type BodyTarget, invalidBodies } from '../support/bad-bodies.ts';
import { SECRET } from '../support/bad-values.ts';
import { ALL_DRIVERS, DRIVERS, type Send } from '../support/drivers.ts';
import { anAdvocate, aProgram, aToken } from '../support/program.ts';
import { allItems } from '../support/table.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
const ORIGIN = 'https://www.shop.example';
let program: Program;
let advocate: Advocate;
let token: string;
let before: unknown;
beforeAll(async () => {
  program = await aProgram(table, { allowedOrigins: [ORIGIN] });
  advocate = await anAdvocate(table, program, { uid: 'partner-1' });
  token = await aToken(table, program);
  before = await allItems(table);
});
const expectNothingStored = async () => expect(await allItems(table)).toEqual(before);

const validBody = (target: BodyTarget) => target.validBody({ publicKey: program.publicKey, slug: advocate.slug });

/** Sends bodies to a target with valid credentials. */
function sender(send: Send, { operation, caller }: BodyTarget) {
  const callerHeaders = () => ({
    ...(caller === 'token' && { authorization: `Bearer ${token}` }),
    ...(caller === 'page' && { origin: ORIGIN }),
  });
  return async (body: unknown, headers: Record<string, string> = {}) => {
    const request = { operation, slug: advocate.slug, body, headers: { ...callerHeaders(), ...headers } };
    const { json, ...response } = await send(request);
    return { status: response.status, code: response.headers['x-error-code'], error: json?.error };
  };
}

describe.each(DRIVERS)('invalid fields through %s', (_, connect) => {
  const send = connect(table);
  afterAll(expectNothingStored);

  describe.each(BODY_TARGETS)('$name', (target) => {
    const post = sender(send, target);

    test.each(invalidBodies(target))('$reason returns 400', async ({ bodies, error }) => {
      for (const body of bodies(validBody(target))) {
        const response = await post(JSON.stringify(body));
        const expected = { status: 400, code: 'invalid_field', error: expect.stringMatching(error) };
        expect([body, response]).toEqual([body, expected]);
        expect(response.error).not.toContain(SECRET);
      }
    });
  });
});

const NOT_JSON: (string | Buffer)[] = [
  '',
  '{',
  '{"email":"a@shop.example"',
  '\ufeff{}',
  Buffer.from([0x7b, 0xff, 0x7d]),
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  '['.repeat(10_000),
  '{"__proto__":{}}',
  '{"__proto__":{"email":"a@shop.example"}}',
];
const JSON_TYPES = ['application/json; charset=UTF-8', 'application/vnd.api+json', 'APPLICATION/JSON'];
const OTHER_TYPES = [
  'image/png',
  'text/html',
  'application/x-www-form-urlencoded',
  'application/json; charset=latin1',
  'application/jsonp',
];
const ALL_FIELDS = [...new Set(BODY_TARGETS.flatMap(({ invalid }) => Object.keys(invalid)))];
/** Never valid, whatever the field. */
const WRONG: unknown[] = [];

describe.each(ALL_DRIVERS)('invalid bodies through %s', (_, connect) => {
  const send = connect(table);
  afterAll(expectNothingStored);

  describe.each(BODY_TARGETS)('$name', (target) => {
    const { operation, caller, invalid, required } = target;
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
        const error = expect.stringMatching(new RegExp(`^${field} must be`));
        expect(await post(twice)).toEqual({ status: 400, code: 'invalid_field', error });
      }
    });

    test.each(optionalBody ? NOT_JSON.slice(1) : NOT_JSON)('a body that is not JSON returns 400: %p', async (body) => {
      expect(await post(body)).toMatchObject({ status: 400, code: 'invalid_json' });
    });

    test('a body over 16 KiB returns 413, whatever its type', async () => {
      expect((await post({ ...valid(), note: 'x'.repeat(17_000) })).status).toBe(413);
      expect((await post(JSON.stringify({ email: `${'a'.repeat(100_000)}@shop.example` }))).status).toBe(413);
      expect((await post('x'.repeat(17_000), { 'content-type': 'image/png' })).status).toBe(413);
    });

    test.each(plainText ? OTHER_TYPES : [...OTHER_TYPES, 'text/plain'])(
      'a body sent as %s returns 415',
      async (type) => {
        const response = await post(valid(), { 'content-type': type });
        expect(response).toMatchObject({ status: 415, code: 'unsupported_media_type' });
      },
    );

    test.each(JSON_TYPES)('a body sent as %s is parsed', async (type) => {
      const response = await post({ ...valid(), ...wrongFields }, { 'content-type': type });
      expect(response).toMatchObject({ status: 400, code: 'invalid_field' });
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
      const statuses = [400, ...(caller === 'page' ? [401] : []), ...('id' in invalid ? [404] : [])];
      const property = async (body: Buffer) => expect(statuses).toContain((await post(body)).status);
      await fc.assert(fc.asyncProperty(bytes.filter(isInvalid), property), { numRuns: 100 });
    });
  });
});
