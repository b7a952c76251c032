import { beforeEach, expect, jest, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { pagesBuiltOnUse } from '../../../bin/service/web-pages.ts';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { trackingHandler } from '../../../functions/api/tracking.ts';
import type { RecordMetrics } from '../../../functions/kernel/log/metrics.ts';
import type { ApiRequest } from '../../support/drivers.ts';
import { eventFor } from '../../support/event-fixtures.ts';
import { anAdvocate, aToken, newId } from '../../support/program.ts';
import { withSecrets } from '../../support/stripe/stripe.ts';
import { anEmail } from '../../support/table/track.ts';
import { useProgram } from '../../support/use-table.ts';

const ORIGIN = 'https://www.acme.example';
const { table, program, advocate } = await useProgram({ allowedOrigins: [ORIGIN] });
const token = await aToken(table, program);

let recorded: Parameters<RecordMetrics>[];
let handle: ReturnType<typeof trackingHandler>;
beforeEach(() => {
  recorded = [];
  handle = trackingHandler(table.connection, withSecrets([]), pagesBuiltOnUse(), {
    recordMetrics: (...metrics) => recorded.push(metrics),
  });
});
const send = async (request: ApiRequest) => {
  const context = { getRemainingTimeInMillis: () => 600_000 } as Context;
  return (await handle(eventFor(request), context)).statusCode;
};
const convert = (body: object, headers = {}) =>
  send({ operation: 'trackConversionV2', token, headers, body: { affiliate_slug: advocate.slug, ...body } });
const convertOnPage = (body: object) =>
  send({
    operation: 'trackConversionV2',
    headers: { origin: ORIGIN },
    body: { pk: program.publicKey, affiliate_slug: advocate.slug, ...body },
  });
const click = (slug: string, pk = program.publicKey, headers = {}) =>
  send({ operation: 'trackClick', headers, body: { pk, gr_id: `${slug}.${newId()}` } });
const refused = (reason: string, more = {}) => [[program.id, { RefusedConversions: 1, ...more }, { reason }]];

test('accepted conversions, replays and clicks record nothing', async () => {
  const [body, headers] = [{ email: anEmail() }, { 'idempotency-key': newId() }];
  expect([await convert(body, headers), await convert(body, headers)]).toEqual([201, 201]);
  expect([await convertOnPage({ email: anEmail() }), await click(advocate.slug)]).toEqual([204, 204]);
  expect(recorded).toEqual([]);
});

test.each<[reason: string, status: number, work: () => Promise<unknown>]>([
  ['invalid_field', 400, () => convert({ email: 'not an email' })],
  ['invalid_json', 400, () => send({ operation: 'trackConversionV2', token, body: '{' })],
  ['invalid_field', 400, () => send({ operation: 'trackConversionV1', token, body: { email: anEmail() } })],
  ['invalid_field', 400, () => convertOnPage({})],
])('a refused conversion is recorded with its reason %s', async (reason, status, work) => {
  expect(await work()).toBe(status);
  expect(recorded).toEqual(refused(reason));
});

test('a conversion of an unknown slug is recorded as both', async () => {
  expect(await convert({ affiliate_slug: 'nobody', email: anEmail() })).toBe(400);
  expect(recorded).toEqual(refused('invalid_affiliate_slug', { UnknownSlugs: 1 }));
});

test('a conversion of a known customer is recorded, also on a page, which does not learn it', async () => {
  const email = anEmail();
  await convert({ email });
  expect([await convert({ email }), await convertOnPage({ email })]).toEqual([409, 204]);
  expect(recorded).toEqual([...refused('referral_exists'), ...refused('referral_exists')]);
});

test('a click on an unknown slug is recorded, but not by bots or for unknown programs', async () => {
  const inactive = await anAdvocate(table, program);
  await updateAdvocate(table, program.id, inactive.slug, { active: false });
  expect([await click('nobody'), await click(inactive.slug)]).toEqual([400, 400]);
  const unknown = [program.id, { UnknownSlugs: 1 }];
  expect(recorded).toEqual([unknown, unknown]);
  const isBot = { 'user-agent': 'Googlebot/2.1' };
  const foreign = `pk_${newId().replaceAll('-', '')}`;
  expect([await click('nobody', program.publicKey, isBot), await click('nobody', foreign)]).toEqual([400, 400]);
  expect(await click(advocate.slug, 'pk_1')).toBe(400);
  expect(recorded).toHaveLength(2);
});

test('requests without a valid token and temporary failures record no refusal', async () => {
  const unknown = { operation: 'trackConversionV2', token: `${token.slice(0, -1)}_`, body: {} } as const;
  expect(await send(unknown)).toBe(401);
  using log = jest.spyOn(console, 'error').mockReturnValue();
  const late = { getRemainingTimeInMillis: () => 0 } as Context;
  const body = { affiliate_slug: advocate.slug, email: anEmail() };
  await convert({ email: anEmail() });
  expect((await handle(eventFor({ operation: 'trackConversionV2', token, body }), late)).statusCode).toBe(503);
  expect(log.mock.calls).toEqual([[expect.objectContaining({ error: 'unavailable' })]]);
  expect(recorded).toEqual([]);
});
