import { expect, test } from '@jest/globals';
import type { HttpHandler } from '../../../functions/http/context.ts';
import { byRoute } from '../../../functions/http/route-handler.ts';
import { type OperationId, ROUTES, routeKey } from '../../../functions/routes.ts';
import { httpEvent } from '../samples.ts';
import { lambdaContext } from './stack.ts';

const handlerNamed =
  (name: string): HttpHandler =>
  async () => ({ statusCode: 200, body: name });
const handler = byRoute<'referrals'>({
  listReferrals: handlerNamed('own'),
  listReferralsV2: handlerNamed('list'),
  lookUpReferral: handlerNamed('lookup'),
  countReferrals: handlerNamed('counts'),
  countOwnReferrals: handlerNamed('own counts'),
  getStatistics: handlerNamed('statistics'),
  getOwnStatistics: handlerNamed('own statistics'),
  listAdvocateStatistics: handlerNamed('statistics of advocates'),
  listEntries: handlerNamed('ledger'),
  listOwnEntries: handlerNamed('own ledger'),
  getStatements: handlerNamed('statements'),
  getOwnStatements: handlerNamed('own statements'),
});
const send = async (key: string) => handler(httpEvent({ routeKey: key }), lambdaContext());

test.each<[OperationId, string]>([
  ['listReferrals', 'own'],
  ['lookUpReferral', 'lookup'],
  ['countOwnReferrals', 'own counts'],
])('the request %s goes to its handler, whatever the path is', async (operation, body) => {
  expect(await send(routeKey(ROUTES[operation]))).toEqual({ statusCode: 200, body });
});

test.each([
  'GET /v1/advocates',
  'POST /v2/tracking/conversion',
  'GET /v2/referrals/lookup',
  'POST /v2/referrals/lookup/',
  '$default',
  '__proto__',
  'toString',
  '',
])('the request %j has no handler here and throws: the infrastructure sent it to the wrong function', async (key) => {
  await expect(send(key)).rejects.toThrow('The route belongs to another function.');
});
