import { expect, jest, test } from '@jest/globals';
import { functionsOf } from '../../bin/local/gateway.ts';
import { referralTracking, reportPayment } from '../../client/src/client.ts';
import { NO_SECRETS, partsOf, useGateway } from '../support/drivers.ts';
import { aProgram, aToken, newId } from '../support/program.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
const gateway = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

test('a merchant runs a program with the client alone', async () => {
  const program = await aProgram(table);
  const clientFor = (token?: string) => referralTracking({ baseUrl: gateway.url(), token });
  const service = { baseUrl: gateway.url(), token: await aToken(table, program) };
  const merchant = clientFor(service.token);
  const customer = { uid: 'customer-1' };

  // Two advocates are created; Jane gets a link and a token.
  const create = (body: { email: string; first_name: string; uid: string }) => merchant.POST('/v2/advocates', { body });
  const { data: jane } = await create({ email: 'jane@example.com', first_name: 'Jane', uid: 'partner-1' });
  const { data: joe } = await create({ email: 'joe@example.com', first_name: 'Joe', uid: 'partner-2' });
  const { slug, referral_link } = jane.data.attributes;
  expect(referral_link).toBe(`https://acme.example/?via=${slug}`);
  await expect(create({ email: 'jane@example.com', first_name: 'Jane', uid: 'partner-1' })).rejects.toMatchObject({
    status: 409,
    code: 'uid_taken',
  });
  const params = { path: { slug } };
  const { data: token } = await merchant.POST('/v2/advocates/{slug}/tokens', { params, body: { expires_in: 600 } });
  const advocate = clientFor(token.data.attributes.token);

  // A visitor follows the link and becomes a customer.
  const grId = `${slug}.${newId()}`;
  const click = { pk: program.publicKey, gr_id: grId };
  const { response } = await clientFor().POST('/v2/tracking/click', { body: click, headers: BROWSER });
  expect(response.headers.get('x-click')).toBe('recorded');
  const body = { ...customer, email: 'customer@shop.example', gr_id: grId };
  const { data: referral } = await merchant.POST('/v2/tracking/conversion', { body });
  const id = referral?.data.id ?? '';
  using error = jest.spyOn(console, 'error');
  const payment = { payment_id: 'in_1', amount: 4900, currency: 'usd' };
  for (const customer of ['customer-1', 'not-referred']) await reportPayment({ id: customer }, payment, service);
  expect(error).not.toHaveBeenCalled();
  const own: string[] = [];
  for await (const row of advocate.pages('/v1/affiliate/referrals')) own.push(row.id);
  expect(own).toEqual([id]);

  // The merchant looks the customer up, and both see the counts.
  const { data: found } = await merchant.POST('/v2/referrals/lookup', { body: customer });
  expect(found.data).toMatchObject({ id, attributes: { affiliate_slug: slug, state: 'paid' } });
  const query = { affiliate_slug: slug };
  const { data: counts } = await merchant.GET('/v2/referrals/counts', { params: { query } });
  expect(counts.data.attributes.total).toMatchObject({ clicked: 0, converted: 0, paid: 1 });
  expect((await advocate.GET('/v2/affiliate/referrals/counts')).data).toEqual(counts);
  const { data: withoutClicks } = await advocate.GET('/v2/affiliate/referrals/counts', {
    params: { query: { clicks: false, group_by: 'month' } },
  });
  expect(withoutClicks.data.attributes.total).toMatchObject({ clicked: null, paid: 1 });

  // The referral was Joe's after all.
  const target = joe.data.attributes.slug;
  await merchant.POST('/v2/tracking/reassign', { body: { ...customer, affiliate_slug: target } });
  await merchant.PATCH('/v2/advocates/{slug}', { params, body: { active: false } });
  const moved: string[] = [];
  for await (const row of merchant.pages('/v2/referrals', { query: { affiliate_slug: target } })) {
    moved.push(row.id);
  }
  expect(moved).toEqual([id]);
  const active: [string, boolean][] = [];
  for await (const { attributes } of merchant.pages('/v2/advocates', { query: { per_page: 1 } })) {
    active.push([attributes.slug, attributes.active]);
  }
  expect(active.toSorted()).toEqual([
    [slug, false],
    [target, true],
  ]);

  // The customer is erased.
  const erased = await merchant.POST('/v2/tracking/erase', { body: { id } });
  expect([erased.data, erased.response.status]).toEqual([undefined, 204]);
  await expect(merchant.POST('/v2/referrals/lookup', { body: customer })).rejects.toMatchObject({
    message: 'Referral not found',
    status: 404,
    code: 'referral_not_found',
  });
  const { data: left } = await merchant.POST('/v2/referrals/lookup', { body: { id } });
  expect(left.data.attributes).toMatchObject({ email: null, uid: null, state: 'paid', affiliate_slug: target });
});
