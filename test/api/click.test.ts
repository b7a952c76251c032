import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import { setAdvocateActive } from '../../functions/table/advocates.ts';
import { DRIVERS } from '../support/drivers.ts';
import { anAdvocate, aProgram, aToken, newId, now } from '../support/program.ts';
import { allItems } from '../support/table.ts';
import { useTable } from '../support/use-table.ts';
import { storedReferral } from '../table/situations.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
});

const aBody = (id = newId()) => ({ pk: program.publicKey, gr_id: `${advocate.slug}.${id}` });

describe.each(DRIVERS)('POST /v2/tracking/click through %s', (_, drive) => {
  const send = drive(table);
  const ask = (body: unknown, headers: Record<string, string> = {}) => send({ operation: 'trackClick', body, headers });

  async function unchanged(work: () => Promise<unknown>): Promise<void> {
    const before = await allItems(table);
    await work();
    expect(await allItems(table)).toEqual(before);
  }

  test('a click is 204 without a body and recorded, with its sub_id', async () => {
    const id = newId();
    const { status, text, headers } = await ask({ ...aBody(id), sub_id: 'spring' });
    expect([status, text, headers['x-click']]).toEqual([204, '', 'recorded']);
    expect([headers['content-type'], headers['cache-control']]).toEqual([undefined, 'no-store']);
    expect(await storedReferral(table, program, id)).toMatchObject({
      state: 'clicked',
      advocateSlug: advocate.slug,
      subId: 'spring',
      history: [{ state: 'clicked', by: 'visitor' }],
    });
  });

  test('is listed at once, becomes the referral of its conversion, and is known ever after', async () => {
    const own = await anAdvocate(table, program);
    const id = newId();
    const body = { pk: program.publicKey, gr_id: `${own.slug.toUpperCase()}.${id}` };
    await ask(body);
    const as = await aToken(table, program, own);
    const { json } = await send({ operation: 'listReferrals', token: as, query: 'state_eq=clicked' });
    expect(json.data).toMatchObject([{ id, attributes: { email: null, state: 'clicked' } }]);
    await unchanged(async () => expect((await ask(body)).headers['x-click']).toBe('known'));
    const token = await aToken(table, program);
    const converted = { gr_id: body.gr_id, uid: newId() };
    const answer = await send({ operation: 'trackConversionV2', token, body: converted });
    expect(answer.json.data.id).toBe(id);
    await unchanged(async () => {
      const again = await ask(body);
      expect([again.status, again.headers['x-click']]).toEqual([204, 'known']);
    });
  });

  test.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'TEXT/PLAIN; charset=utf-8',
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.api+json',
    '',
  ])('comes as %j', async (type) => {
    expect((await ask(aBody(), { 'content-type': type })).headers['x-click']).toBe('recorded');
  });

  test.each([
    'text/html',
    'text/plain; charset=latin1',
    'text/plainer',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('does not come as %j: 415', async (type) => {
    await unchanged(async () => {
      const { status, headers, json } = await ask(aBody(), { 'content-type': type });
      expect([status, headers['x-error-code']]).toEqual([415, 'unsupported_media_type']);
      expect(json.error).toBe('The Content-Type must be application/json or text/plain in UTF-8');
    });
  });

  test.each<[string, Record<string, string>]>([
    ['a bot', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
    ['a program', { 'user-agent': 'curl/8.5.0' }],
    ['an empty user agent', { 'user-agent': '' }],
    ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ['a prerendered page', { 'sec-purpose': 'prefetch;prerender' }],
    ['an older prefetch', { purpose: 'prefetch' }],
    ['a prefetch of Firefox', { 'x-moz': 'prefetch' }],
    ['a preview of Safari', { 'x-purpose': 'preview' }],
  ])('of %s is ignored: 204, and nothing is stored', async (_what, headers) => {
    await unchanged(async () => {
      const { status, text, headers: answered } = await ask(aBody(), headers);
      expect([status, text, answered['x-click']]).toEqual([204, '', 'ignored']);
    });
  });

  test('of a bot is refused like a person’s where its fields are not of their form', async () => {
    const { status } = await ask({ ...aBody(), gr_id: 'x' }, { 'user-agent': 'curl/8.5.0' });
    expect(status).toBe(400);
  });

  test('to a slug that is unknown, another program’s or deactivated is 400, and all look alike', async () => {
    const idle = await anAdvocate(table, program);
    await setAdvocateActive(table, program.id, idle, false, now());
    const elsewhere = await aProgram(table);
    const stranger = await anAdvocate(table, elsewhere);
    const known = newId();
    await ask(aBody(known));
    await unchanged(async () => {
      for (const slug of ['nobody', idle.slug, stranger.slug]) {
        for (const id of [newId(), known]) {
          const { status, json, headers } = await ask({ pk: program.publicKey, gr_id: `${slug}.${id}` });
          expect([status, headers['x-error-code'], headers['x-click']]).toEqual([
            400,
            'invalid_affiliate_slug',
            undefined,
          ]);
          expect(json).toEqual({ error: 'Invalid affiliate slug' });
        }
      }
    });
  });

  test('with a public key that is none, or of no program, is 400 and names the field', async () => {
    await unchanged(async () => {
      for (const pk of ['x', 'pk_1', program.publicKey.toUpperCase(), `pk_${newId().replaceAll('-', '')}`]) {
        const { status, json } = await ask({ ...aBody(), pk });
        expect([status, json]).toEqual([400, { error: 'pk must be the public key of a program' }]);
      }
    });
  });

  test('takes no token and looks at none', async () => {
    const { status } = await send({
      operation: 'trackClick',
      body: aBody(),
      headers: { authorization: 'Bearer nonsense' },
    });
    expect(status).toBe(204);
  });

  test('cannot say when, what or whose it is', async () => {
    const id = newId();
    const before = now();
    const more = { state: 'paid', email: 'a@shop.example', uid: '1', created_at: 1, affiliate_slug: 'x' };
    await ask({ ...aBody(id), ...more });
    const stored = await storedReferral(table, program, id);
    expect(stored).toMatchObject({ state: 'clicked', email: null, customerUid: null, subId: null });
    expect(stored?.createdAt).toBeGreaterThanOrEqual(before);
  });
});
