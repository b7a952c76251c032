import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate } from '../../functions/domain/advocate.ts';
import { DRIVERS } from '../support/drivers.ts';
import { anAdvocate, aProgram, aToken, newId } from '../support/program.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
let advocate: Advocate;
let token: string;
let itemsBefore: number | undefined;

const itemCount = async () =>
  (await table.client.send(new ScanCommand({ TableName: table.name, Select: 'COUNT' }))).Count;

beforeAll(async () => {
  const program = await aProgram(table);
  advocate = await anAdvocate(table, program, { uid: 'partner-1' });
  token = await aToken(table, program);
  itemsBefore = await itemCount();
});

const CLICK = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';
const GR_ID = `jane.${CLICK}`;
const SECRET = 'sekret';

/** What is sent, the field at fault, and what it is. */
const BAD_FIELDS: [what: string, body: unknown, field: string][] = [
  ['no field at all', {}, 'gr_id'],
  ['no e-mail', { gr_id: GR_ID }, 'email'],
  ['an e-mail that is null', { email: null, gr_id: GR_ID }, 'email'],
  ['an e-mail that is empty', { email: '', gr_id: GR_ID }, 'email'],
  ['an e-mail that is a number', { email: 42, gr_id: GR_ID }, 'email'],
  ['an e-mail that is an array', { email: [`${SECRET}@shop.example`], gr_id: GR_ID }, 'email'],
  ['an e-mail without domain', { email: SECRET, gr_id: GR_ID }, 'email'],
  ['an e-mail with CR and LF', { email: `${SECRET}@shop.example\r\nBcc: x@y.example`, gr_id: GR_ID }, 'email'],
  ['an e-mail with a lone surrogate', { email: `${SECRET}\ud800@shop.example`, gr_id: GR_ID }, 'email'],
  ['an e-mail that is too long', { email: `${'a'.repeat(65)}@shop.example`, gr_id: GR_ID }, 'email'],
  ['neither gr_id nor pk with uid', { email: 'a@shop.example' }, 'gr_id'],
  ['pk without uid', { email: 'a@shop.example', pk: SECRET }, 'gr_id'],
  ['a gr_id that is a number', { email: 'a@shop.example', gr_id: 1 }, 'gr_id'],
  ['a gr_id without click', { email: 'a@shop.example', gr_id: SECRET }, 'gr_id'],
  ['a gr_id with capitals in its click', { email: 'a@shop.example', gr_id: GR_ID.toUpperCase() }, 'gr_id'],
  ['a gr_id with a line end', { email: 'a@shop.example', gr_id: `${GR_ID}\n` }, 'gr_id'],
  [
    'a bad gr_id beside a good pk and uid',
    { email: 'a@shop.example', gr_id: '-', pk: 'pk_1', uid: 'partner-1' },
    'gr_id',
  ],
  ['a uid with a control character', { email: 'a@shop.example', pk: 'pk_1', uid: `${SECRET}\u0000` }, 'uid'],
  ['a uid that is too long', { email: 'a@shop.example', pk: 'pk_1', uid: 'x'.repeat(129) }, 'uid'],
  ['a uid that is an object', { email: 'a@shop.example', pk: 'pk_1', uid: {} }, 'uid'],
  ['null', 'null', 'The body'],
  ['an array', '[]', 'The body'],
  ['a number', '1', 'The body'],
  ['a string', '"x"', 'The body'],
];

const NO_JSON: [what: string, body: unknown][] = [
  ['nothing', ''],
  ['truncated JSON', '{"email":"a@shop.example"'],
  ['JSON with a byte order mark', '\ufeff{}'],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['a __proto__', '{"__proto__":{"email":"a@shop.example"}}'],
  ['brackets without end', '['.repeat(10_000)],
];

describe.each(DRIVERS)('a conversion with a bad body through %s', (_, drive) => {
  const send = drive(table);
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    send({ operation: 'trackConversionV1', token, body, headers });

  afterAll(async () => {
    expect(await itemCount()).toBe(itemsBefore);
  });

  test.each(BAD_FIELDS)('%s is 400 and names the field', async (_what, body, field) => {
    const { status, json, headers } = await ask(body);
    expect([status, headers['x-error-code']]).toEqual([400, 'invalid_field']);
    expect(json.error).toMatch(new RegExp(`^${field}\\b`));
    expect(json.error).not.toContain(SECRET);
  });

  test.each(NO_JSON)('%s is 400', async (_what, body) => {
    const { status, headers } = await ask(body);
    expect([status, headers['x-error-code']]).toEqual([400, 'invalid_json']);
  });

  test('a body over 16 KiB is 413, whatever its type', async () => {
    const body = JSON.stringify({ email: `${'a'.repeat(100_000)}@shop.example` });
    expect((await ask(body)).status).toBe(413);
    expect((await ask(body, { 'content-type': 'image/png' })).status).toBe(413);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
  ])('the type %s is 415', async (contentType) => {
    const { status, headers } = await ask({ email: 1 }, { 'content-type': contentType });
    expect([status, headers['x-error-code']]).toEqual([415, 'unsupported_media_type']);
  });

  test.each(['application/json; charset=UTF-8', 'application/vnd.api+json', 'APPLICATION/JSON'])(
    'the type %s is read as JSON',
    async (contentType) => {
      const { status, headers } = await ask({ email: 1, gr_id: GR_ID }, { 'content-type': contentType });
      expect([status, headers['x-error-code']]).toEqual([400, 'invalid_field']);
    },
  );

  test('of duplicate keys the last counts', async () => {
    const { json } = await ask(`{"email":"a@shop.example","email":7,"gr_id":"${advocate.slug}.${newId()}"}`);
    expect(json.error).toMatch(/^email /);
  });

  test('no bytes give a 5xx', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .record(
          { email: fc.anything(), gr_id: fc.anything(), pk: fc.anything(), uid: fc.anything() },
          { requiredKeys: [] },
        )
        .map((fields) => Buffer.from(JSON.stringify(fields, (_key, value) => (typeof value === 'bigint' ? 1 : value)))),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        const { status } = await ask(body);
        expect(status).toBe(400);
      }),
      { numRuns: 150 },
    );
  });
});
