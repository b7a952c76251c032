import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { functionsOf } from '../../bin/local/gateway.ts';
import { type Options, referralTracking } from '../../client/src/client.ts';
import type { Advocate } from '../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { seconds } from '../../functions/kernel/time.ts';
import { NO_SECRETS, partsOf, useGateway } from '../support/drivers.ts';
import { type Fault, FaultyProxy } from '../support/faulty-proxy.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId } from '../support/program.ts';
import { useRelays } from '../support/relay.ts';
import { itemsOf } from '../support/table.ts';
import { useTable } from '../support/use-table.ts';

// The client with the real `fetch`, over HTTP. test/client has the rules of its retries.
const table = useTable();
const gateway = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));
const relay = useRelays(gateway.url);
const CONVERSION = '/v2/tracking/conversion';
/** 2026-01-01T00:00:00Z; one advocate was created in each second from then on. */
const BEGIN = 1_767_225_600;
let program: Program;
let advocates: Advocate[];
let token: string;
let proxy: FaultyProxy;
let url: string;
beforeAll(async () => {
  proxy = new FaultyProxy(gateway.url());
  url = await proxy.start();
  program = await aProgram(table);
  token = await aToken(table, program);
  advocates = [];
  for (let index = 0; index < 7; index += 1) {
    advocates.unshift(await anAdvocate(table, program, {}, seconds(BEGIN + index)));
  }
});
afterEach(() => proxy.reset());
afterAll(() => proxy.stop());

/** Sends a request to the proxy, which reads the operation from the header that DynamoDB uses. */
const fetchWithTarget = (request: Request) => {
  request.headers.set('x-amz-target', new URL(request.url).pathname);
  return fetch(request);
};
/** A client of the service behind the proxy. It does not pause before a retry. */
const aClient = (options: Partial<Options> = {}) =>
  referralTracking({ baseUrl: url, token, fetch: fetchWithTarget, pause: async () => undefined, ...options });
const aConversion = () => ({ affiliate_slug: advocates[0]?.slug ?? '', email: `${newId()}@shop.example` });
const referralsOf = async (email: string) =>
  (await itemsOf(table, program)).filter((item) => item['sk'] === 'REFERRAL' && item['email'] === email);
const endingIn = (id = '') => expect.stringMatching(new RegExp(`#${id}$`));
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
const all = async <Each>(rows: AsyncIterable<Each>) => {
  const list: Each[] = [];
  for await (const row of rows) list.push(row);
  return list;
};

test('pages yields all rows in their order, and keeps the filters', async () => {
  const query = { per_page: 2, created_at_gt: '2026-01-01 00:00:00 +0000' };
  const rows = await all(aClient().pages('/v1/advocates', { query }));
  expect(rows.map(({ id }) => id)).toEqual(advocates.slice(0, 6).map(({ id }) => id));
  expect(proxy.seen).toHaveLength(3);
});

test('pages requests a page only when the iteration reaches it', async () => {
  for await (const { id } of aClient().pages('/v1/advocates', { query: { per_page: 2 } })) {
    if (id === advocates[1]?.id) break;
  }
  expect(proxy.seen).toHaveLength(1);
});

test('pages neither skips nor repeats a row while rows are added', async () => {
  const other = await aProgram(table);
  const affiliate = await anAdvocate(table, other);
  for (const second of [1, 2, 3, 4]) await aReferral(table, other, affiliate, { createdAt: seconds(BEGIN + second) });
  const client = aClient({ token: await aToken(table, other, affiliate) });
  const seen: number[] = [];
  for await (const { attributes } of client.pages('/v1/affiliate/referrals', { query: { per_page: 1 } })) {
    seen.push(attributes.created_at - BEGIN);
    await aReferral(table, other, affiliate, { createdAt: seconds(BEGIN + 5) });
  }
  expect(seen).toEqual([4, 3, 2, 1]);
});

test('pages throws the error of a page', async () => {
  const affiliate = aClient({ token: await aToken(table, program, advocates[0]) });
  expect(await failureOf(all(affiliate.pages('/v1/advocates')))).toMatchObject({ status: 403, code: 'forbidden' });
});

test('the base URL may have a path and end with a slash', async () => {
  const baseUrl = `${await relay(async () => undefined)}/`;
  const rows = await all(aClient({ baseUrl }).pages('/v1/advocates', { query: { per_page: 4 } }));
  expect(rows).toHaveLength(7);
});

test.each<Fault & string>(['drop', 'lose', 'break off'])(
  'a conversion whose connection fails (%s) is recorded once',
  async (fault) => {
    proxy.next(CONVERSION, fault, fault);
    const body = aConversion();
    const { data, response } = await aClient().POST(CONVERSION, { body });
    expect(await referralsOf(body.email)).toMatchObject([{ pk: endingIn(data?.data.id), state: 'converted' }]);
    expect(response.headers.get('idempotent-replayed')).toBe(fault === 'drop' ? null : 'true');
    expect(proxy.seen).toHaveLength(3);
  },
);
