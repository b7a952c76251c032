import { describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { ALL_DRIVERS, DRIVERS, type Send } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { AFFILIATE_REFUSED, outcomeOf } from '../../support/responses.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();

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
    const stranger = await anAdvocate(table, await aProgram(table));
    const known = newId();
    await click(aBody(known));
    await expectUnchanged(table, async () => {
      for (const slug of ['nobody', idle.slug, stranger.slug]) {
        for (const id of [newId(), known]) {
          const response = await click({ pk: program.publicKey, gr_id: `${slug}.${id}` });
          expect(outcomeOf(response)).toEqual(AFFILIATE_REFUSED);
          expect(response.headers['x-click']).toBeUndefined();
        }
      }
    });
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

  test.each<[string, Record<string, string>]>([
    ['a bot', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
    ['an empty user agent', { 'user-agent': '' }],
    ['a prerendered page', { 'sec-purpose': 'prefetch;prerender' }],
  ])('%s returns 204 and stores nothing', async (_, headers) => {
    await expectUnchanged(table, async () => {
      const { status, text, headers: received } = await click(aBody(), headers);
      expect([status, text, received['x-click']]).toEqual([204, '', 'ignored']);
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ['an unknown public key', { pk: `pk_${newId().replaceAll('-', '')}` }, 'invalid_field'],
    // The script of an automated browser restores the previous slug, as in any other browser.
    ['an unknown slug', { gr_id: `producthunt.${newId()}` }, 'invalid_affiliate_slug'],
  ])('%s returns 400, even to a bot', async (_, fields, code) => {
    const { status, headers } = await click({ ...aBody(), ...fields }, { 'user-agent': 'curl/8.5.0' });
    expect([status, headers['x-error-code']]).toEqual([400, code]);
  });

  test('a token is ignored', async () => {
    expect((await click(aBody(), { authorization: 'Bearer nonsense' })).status).toBe(204);
  });
});
