import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { makeToken } from '../../../functions/kernel/accounts/rules/token.ts';
import { CORS, type Route } from '../../../functions/kernel/http/route.ts';
import { ROUTES } from '../../../functions/routes.ts';
import { edgeFunction, type ViewerHeaders } from '../../support/edge-function.ts';
import { NOW } from '../../support/samples.ts';
import { signatureOf } from '../../support/stripe/stripe.ts';

// test/kernel/unit/ids.test.ts and stripe-signature.test.ts compare all tokens and signatures with the API's verdict,
// and test/edge/thorough/edge.test.ts the responses. What this cannot show: that CloudFront's engine runs the code.

const send = edgeFunction(NOW);
const TOKEN = `Bearer ${makeToken('program', randomBytes)}`;
const STRIPE = '/v2/integrations/stripe/0192e505-9000-77f3-bf94-41d1854e99e1';
const SIGNATURE = signatureOf('', { at: NOW });
const CLICK = '/v2/tracking/click';
const CONVERSION = '/v2/tracking/conversion';

test.each<[what: string, method: string, path: string, headers: ViewerHeaders, status: number | undefined]>([
  ['a token', 'GET', '/v2/advocates', { authorization: TOKEN }, undefined],
  ['a made-up token', 'GET', '/v2/advocates', { authorization: `Bearer rtp_${'0'.repeat(36)}` }, 401],
  ['no token', 'GET', '/v2/advocates', {}, 401],
  ['two tokens', 'GET', '/v2/advocates', { authorization: [TOKEN, TOKEN] }, 401],
  ['an encoded path', 'POST', '/v2/tracking/%63lick', {}, 401],
  ['an unknown path', 'GET', '/wp-login.php', {}, 401],
  ['an unknown path and a token', 'GET', '/wp-login.php', { authorization: TOKEN }, undefined],
  ['a preflight request', 'OPTIONS', '/v2/advocates', {}, undefined],
  ['a click', 'POST', CLICK, {}, undefined],
  ['a click with a made-up token', 'POST', CLICK, { authorization: 'Bearer guess' }, undefined],
  ['a conversion of a page', 'POST', CONVERSION, {}, undefined],
  ['a conversion with an empty token', 'POST', CONVERSION, { authorization: '' }, 401],
  ['an event of Stripe', 'POST', STRIPE, { 'stripe-signature': SIGNATURE }, undefined],
  ['an event without a signature', 'POST', STRIPE, {}, 400],
  ['an event with a token', 'POST', STRIPE, { authorization: TOKEN }, 400],
  ['an event with two signatures', 'POST', STRIPE, { 'stripe-signature': [SIGNATURE, 't=1'] }, 400],
  ['an event of no program', 'POST', STRIPE.slice(0, -1), { 'stripe-signature': SIGNATURE }, 400],
  ['a path below an event', 'POST', `${STRIPE}/../../../webhooks`, { 'stripe-signature': SIGNATURE }, 401],
  ['a signature of something else', 'GET', STRIPE, { 'stripe-signature': SIGNATURE }, 401],
])('%s passes the edge or is refused there', (_, method, path, headers, status) => {
  expect(send(method, path, headers)?.statusCode).toBe(status);
});

test('only routes that anyone or a page may call are open without a token', () => {
  const routes: readonly Route[] = Object.values(ROUTES);
  for (const { method, path, access } of routes) {
    const isOpen = access === 'anyone' || (typeof access === 'object' && access.publicKey === true);
    const status = access === 'stripe' ? 400 : 401;
    expect([path, send(method, path.replace(/\{\w+\}/g, 'x'))?.statusCode]).toEqual([
      path,
      isOpen ? undefined : status,
    ]);
  }
});

test('pages of allowed origins may read a refusal, as API Gateway would allow it', () => {
  const headersFor = (origins: string, origin: string | undefined) =>
    Object.entries(edgeFunction(NOW, { origins })('GET', '/v2/advocates', origin ? { origin } : {})?.headers ?? {})
      .filter(([name]) => name.startsWith('access-control-'))
      .map(([, { value }]) => value);
  const exposed = CORS.responseHeaders.join(',');
  const shop = 'https://shop.example';
  expect(headersFor('', undefined)).toEqual([]);
  expect(headersFor('', shop)).toEqual(['*', exposed]);
  expect(headersFor(`https://other.example,${shop}`, shop)).toEqual([shop, exposed]);
  expect(headersFor(`https://other.example,${shop}`, 'https://evil.example')).toEqual([]);
  expect(headersFor(shop, '*')).toEqual([]);
});
