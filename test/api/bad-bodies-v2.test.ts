import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import type { OperationId } from '../../functions/routes.ts';
import { DRIVERS } from '../support/drivers.ts';
import { anAdvocate, aProgram, aToken, newId } from '../support/program.ts';
import { allItems } from '../support/table.ts';
import { useTable } from '../support/use-table.ts';
import { BAD_VALUES, SECRET } from './bad-values.ts';

const table = useTable();
const ORIGIN = 'https://www.shop.example';
let program: Program;
let advocate: Advocate;
let token: string;
beforeAll(async () => {
  program = await aProgram(table, { allowedOrigins: [ORIGIN] });
  advocate = await anAdvocate(table, program);
  token = await aToken(table, program);
});

interface Target {
  readonly operation: OperationId;
  /** What is good, and by whom it is sent. */
  readonly body: () => Record<string, unknown>;
  readonly headers: () => Record<string, string>;
  readonly fields: readonly string[];
  /** What the sentence begins with where a field is left out. */
  readonly required: Readonly<Record<string, string>>;
}

const byToken = () => ({ authorization: `Bearer ${token}` });
const byPage = () => ({ origin: ORIGIN });
const grId = () => `${advocate.slug}.${newId()}`;
const aCustomer = () => ({ email: `${newId()}@shop.example`, uid: newId() });
const CONVERSION_FIELDS = ['email', 'uid', 'sub_id', 'affiliate_slug', 'gr_id'];
const TARGETS: [what: string, target: Target][] = [
  [
    'a conversion',
    {
      operation: 'trackConversionV2',
      body: () => ({ ...aCustomer(), affiliate_slug: advocate.slug, gr_id: grId(), sub_id: 'news' }),
      headers: byToken,
      fields: CONVERSION_FIELDS,
      required: { 'email uid': 'email, or uid', 'affiliate_slug gr_id': 'affiliate_slug, or gr_id' },
    },
  ],
  [
    'a conversion from a page',
    {
      operation: 'trackConversionV2',
      body: () => ({ ...aCustomer(), gr_id: grId(), sub_id: 'news', pk: program.publicKey }),
      headers: byPage,
      fields: CONVERSION_FIELDS,
      required: { 'email uid': 'email, or uid', gr_id: 'affiliate_slug, or gr_id' },
    },
  ],
  [
    'a state',
    {
      operation: 'setState',
      body: () => ({ ...aCustomer(), state: 'paid' }),
      headers: byToken,
      fields: ['email', 'uid', 'state'],
      required: { 'email uid': 'email, or uid', state: 'state' },
    },
  ],
  [
    'a click',
    {
      operation: 'trackClick',
      body: () => ({ pk: program.publicKey, gr_id: grId(), sub_id: 'news' }),
      headers: () => ({}),
      fields: ['pk', 'gr_id', 'sub_id'],
      required: { pk: 'pk', gr_id: 'gr_id' },
    },
  ],
];

const without = (body: Record<string, unknown>, names: string, value?: unknown) => ({
  ...body,
  ...Object.fromEntries(names.split(' ').map((name) => [name, value])),
});

describe.each(DRIVERS)('through %s', (_, drive) => {
  const send = drive(table);

  describe.each(TARGETS)('%s with a bad body', (_what, { operation, body: good, headers, fields, required }) => {
    const ask = (body: unknown, more: Record<string, string> = {}) =>
      send({ operation, body, headers: { ...headers(), ...more } });
    let before: unknown;
    beforeAll(async () => {
      before = await allItems(table);
    });
    afterAll(async () => expect(await allItems(table)).toEqual(before));

    test.each(fields)('%s is refused by its name, whatever is wrong with it', async (field) => {
      for (const value of BAD_VALUES[field] ?? []) {
        const { status, json, headers: answered } = await ask({ ...good(), [field]: value });
        expect([value, status, answered['x-error-code']]).toEqual([value, 400, 'invalid_field']);
        expect(json.error).toMatch(new RegExp(`^${field} must `));
        expect(json.error).not.toContain(SECRET);
      }
    });

    test.each(Object.entries(required))('%s is required: null and "" are as good as nothing', async (names, said) => {
      for (const value of [undefined, null, '']) {
        const { status, json } = await ask(without(good(), names, value));
        expect([status, json]).toEqual([400, { error: `${said} is required` }]);
      }
    });

    test.each(fields)('of two %s the last counts', async (field) => {
      const rest = JSON.stringify(without(good(), field)).slice(1);
      const twice = `{"${field}":${JSON.stringify(good()[field] ?? 'jane')},"${field}":7,${rest}`;
      const { status, json } = await ask(twice);
      expect([status, json]).toEqual([400, { error: expect.stringMatching(new RegExp(`^${field} must be`)) }]);
    });

    test('that is no JSON is 400', async () => {
      const broken = ['', '{', '\ufeff{}', Buffer.from([0x7b, 0xff, 0x7d]), '['.repeat(10_000), '{"__proto__":{}}'];
      for (const text of broken) {
        const { status, headers: answered } = await ask(text);
        expect([status, answered['x-error-code']]).toEqual([400, 'invalid_json']);
      }
    });

    test('over 16 KiB is 413, and of another type 415', async () => {
      expect((await ask({ ...good(), note: 'x'.repeat(17_000) })).status).toBe(413);
      expect((await ask('x'.repeat(17_000), { 'content-type': 'image/png' })).status).toBe(413);
      expect((await ask(good(), { 'content-type': 'image/png' })).status).toBe(415);
      expect((await ask(good(), { 'content-type': 'application/json; charset=latin1' })).status).toBe(415);
    });

    test('of any bytes never gives a 5xx', async () => {
      const names = ['email', 'uid', 'sub_id', 'affiliate_slug', 'gr_id', 'state', 'pk'];
      const anyFields = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
        fc.json().map((text) => Buffer.from(text)),
        anyFields.map((own) => Buffer.from(JSON.stringify(own))),
        // The invalid gr_id comes last: a null in its place would make the body a good one.
        anyFields.map((own) => Buffer.from(JSON.stringify({ ...good(), state: undefined, ...own, gr_id: 1 }))),
      );
      const property = async (body: Buffer) => expect([400, 401, 404]).toContain((await ask(body)).status);
      await fc.assert(fc.asyncProperty(bytes, property), { numRuns: 100 });
    });
  });
});
