import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { ALL_DRIVERS, DRIVERS, type Send } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken, newId, now } from '../../support/program.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
});

const aBody = (id = newId()) => ({ pk: program.publicKey, gr_id: `${advocate.slug}.${id}` });

const clicks =
  (send: Send) =>
  (body: unknown, headers: Record<string, string> = {}) =>
    send({ operation: 'trackClick', body, headers });

describe.each(DRIVERS)('POST /v2/tracking/click through %s', (_, connect) => {
  const send = connect(table);
  const click = clicks(send);

  test('a click is listed immediately, can be converted, and stays known', async () => {
    const own = await anAdvocate(table, program);
    const id = newId();
    const body = { pk: program.publicKey, gr_id: `${own.slug.toUpperCase()}.${id}` };
    await click(body);
    const affiliateToken = await aToken(table, program, own);
    const { json } = await send({ operation: 'listReferrals', token: affiliateToken, query: 'state_eq=clicked' });
    expect(json.data).toMatchObject([{ id, attributes: { email: null, state: 'clicked' } }]);
    await expectUnchanged(table, async () => expect((await click(body)).headers['x-click']).toBe('known'));
    const token = await aToken(table, program);
    const converted = { gr_id: body.gr_id, uid: newId() };
    const response = await send({ operation: 'trackConversionV2', token, body: converted });
    expect(response.json.data.id).toBe(id);
    await expectUnchanged(table, async () => {
      const again = await click(body);
      expect([again.status, again.headers['x-click']]).toEqual([204, 'known']);
    });
  });

  test('unknown, foreign and deactivated advocates return the same 400', async () => {
    const idle = await anAdvocate(table, program);
    await updateAdvocate(table, program.id, idle.slug, { active: false });
    const elsewhere = await aProgram(table);
    const stranger = await anAdvocate(table, elsewhere);
    const known = newId();
    await click(aBody(known));
    await expectUnchanged(table, async () => {
      for (const slug of ['nobody', idle.slug, stranger.slug]) {
        for (const id of [newId(), known]) {
          const { status, json, headers } = await click({ pk: program.publicKey, gr_id: `${slug}.${id}` });
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

  test('an unknown public key returns 400', async () => {
    await expectUnchanged(table, async () => {
      const { status, json } = await click({ ...aBody(), pk: `pk_${newId().replaceAll('-', '')}` });
      expect([status, json]).toEqual([400, { error: 'pk must be the public key of a program' }]);
    });
  });

  test('all other fields of a click are ignored', async () => {
    const id = newId();
    const before = now();
    const more = { state: 'paid', email: 'a@shop.example', uid: '1', created_at: 1, affiliate_slug: 'x' };
    await click({ ...aBody(id), ...more });
    const stored = await storedReferral(table, program, id);
    expect(stored).toMatchObject({ state: 'clicked', email: null, customerUid: null, subId: null });
    expect(stored?.createdAt).toBeGreaterThanOrEqual(before);
  });
});

describe.each(ALL_DRIVERS)('POST /v2/tracking/click through %s', (_, connect) => {
  const send = connect(table);
  const click = clicks(send);

  test('a click returns 204 without a body and is stored with its sub_id', async () => {
    const id = newId();
    const { status, text, headers } = await click({ ...aBody(id), sub_id: 'spring' });
    expect([status, text, headers['x-click']]).toEqual([204, '', 'recorded']);
    expect([headers['content-type'], headers['cache-control']]).toEqual([undefined, 'no-store']);
    expect(await storedReferral(table, program, id)).toMatchObject({
      state: 'clicked',
      advocateSlug: advocate.slug,
      subId: 'spring',
      history: [{ state: 'clicked', by: 'visitor' }],
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
  ])('the content type %j is accepted', async (type) => {
    expect((await click(aBody(), { 'content-type': type })).headers['x-click']).toBe('recorded');
  });

  test.each([
    'text/html',
    'text/plain; charset=latin1',
    'text/plainer',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('the content type %j returns 415', async (type) => {
    await expectUnchanged(table, async () => {
      const { status, headers, json } = await click(aBody(), { 'content-type': type });
      expect([status, headers['x-error-code']]).toEqual([415, 'unsupported_media_type']);
      expect(json.error).toBe('The Content-Type is not supported: send application/json or text/plain in UTF-8');
    });
  });

  test.each<[string, Record<string, string>]>([
    ['a bot', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
    ['a command-line client', { 'user-agent': 'curl/8.5.0' }],
    ['an empty user agent', { 'user-agent': '' }],
    ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ['a prerendered page', { 'sec-purpose': 'prefetch;prerender' }],
    ['an older prefetch', { purpose: 'prefetch' }],
    ['a prefetch of Firefox', { 'x-moz': 'prefetch' }],
    ['a preview of Safari', { 'x-purpose': 'preview' }],
  ])('%s returns 204 and stores nothing', async (_, headers) => {
    await expectUnchanged(table, async () => {
      const { status, text, headers: received } = await click(aBody(), headers);
      expect([status, text, received['x-click']]).toEqual([204, '', 'ignored']);
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ['a malformed gr_id', { gr_id: 'x' }, 'invalid_field'],
    ['an unknown public key', { pk: `pk_${newId().replaceAll('-', '')}` }, 'invalid_field'],
    // The script of an automated browser restores the previous slug, as in any other browser.
    ['an unknown slug', { gr_id: `producthunt.${newId()}` }, 'invalid_affiliate_slug'],
  ])('%s returns 400, even to a bot', async (_, fields, code) => {
    const { status, headers } = await click({ ...aBody(), ...fields }, { 'user-agent': 'curl/8.5.0' });
    expect([status, headers['x-error-code']]).toEqual([400, code]);
  });

  test('a token is ignored', async () => {
    const { status } = await send({
      operation: 'trackClick',
      body: aBody(),
      headers: { authorization: 'Bearer nonsense' },
    });
    expect(status).toBe(204);
  });
});
