import { expect, test } from '@jest/globals';
import type { HttpHandler } from '../../../functions/http/context.ts';
import { byRoute } from '../../../functions/http/endpoint.ts';
import { type OperationId, ROUTES, routeKey } from '../../../functions/routes.ts';
import { httpEvent } from '../samples.ts';
import { lambdaContext } from './stack.ts';

const answering =
  (name: string): HttpHandler =>
  async () => ({ statusCode: 200, body: name });
const handler = byRoute({
  trackClick: answering('click'),
  setState: answering('state'),
  getScript: answering('script'),
});
const ask = async (key: string) => handler(httpEvent({ routeKey: key }), lambdaContext());

test.each<[OperationId, string]>([
  ['trackClick', 'click'],
  ['setState', 'state'],
  ['getScript', 'script'],
])('%s goes to its handler, whatever the path says', async (operation, body) => {
  expect(await ask(routeKey(ROUTES[operation]))).toEqual({ statusCode: 200, body });
});

test.each([
  'GET /v1/advocates',
  'POST /v2/tracking/conversion',
  'GET /v2/tracking/click',
  'POST /v2/tracking/click/',
  '$default',
  '__proto__',
  'toString',
  '',
])('%j, which is not among them, is a mistake of the stack: it throws', async (key) => {
  await expect(ask(key)).rejects.toThrow('The route belongs to another function.');
});
