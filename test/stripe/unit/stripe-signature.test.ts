import { describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { seconds } from '../../../functions/kernel/time.ts';
import { isPlausible, isSignedByStripe } from '../../../functions/stripe/rules/signature.ts';
import { edgeFunction } from '../../support/edge-function.ts';
import { NOW } from '../../support/samples.ts';
import { SECRET, signatureOf } from '../../support/stripe/stripe.ts';

const OTHER = 'whsec_other';
/** The tolerance of Stripe's library, in seconds. */
const TOLERANCE = 300;
const isSigned = (header: string | undefined, body: string, secrets: readonly string[] = [SECRET], now = NOW) =>
  isSignedByStripe(header, Buffer.from(body), secrets, now);

const atEdge = edgeFunction(NOW);
const PATH = '/v2/integrations/stripe/0192e505-9000-77f3-bf94-41d1854e99e1';
/** Whether an event passes the function at the edge. */
const passesEdge = (header: string) => atEdge('POST', PATH, { 'stripe-signature': header }) === undefined;

/** What Stripe's own library says. */
function isAcceptedByStripe(header: string, body: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => {
    try {
      return Stripe.webhooks.signature?.verifyHeader(body, header, secret, TOLERANCE, undefined, NOW * 1000) ?? false;
    } catch {
      return false;
    }
  });
}

const signature = (body: string, at: number, secret = SECRET) =>
  signatureOf(body, { secret, at }).replace(/^t=\d+,v1=/, '');
const flipped = (text: string, index: number) => {
  const at = index % text.length;
  return `${text.slice(0, at)}${text[at] === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`;
};

const BODY = '{"id":"evt_1"}';
const GENUINE = signature(BODY, NOW);
const WRONG = signature(BODY, NOW, OTHER);

test.each([
  [`t=${NOW},v1=${GENUINE}`, true],
  [`v1=${GENUINE},t=${NOW}`, true],
  [`t=${NOW},v1=${WRONG},v1=${GENUINE},v0=${WRONG}`, true],
  [`t=${NOW},v1=${WRONG}`, false],
  [`t=${NOW},v0=${GENUINE}`, false],
  [`t=${NOW},V1=${GENUINE}`, false],
  [`t=${NOW},v1=${GENUINE.toUpperCase()}`, false],
  [`t=${NOW},v1=${GENUINE.slice(1)}`, false],
  [`t=${NOW},v1=${flipped(GENUINE, 63)}`, false],
  [`t=${NOW - 1},v1=${GENUINE}`, false],
  [`t=${NOW - 301},v1=${signature(BODY, NOW - 301)}`, false],
  [`t=${NOW - 300},v1=${signature(BODY, NOW - 300)}`, true],
])('the header %s is valid, as in Stripe’s library: %p', (value, isValid) => {
  expect([isAcceptedByStripe(value, BODY, [SECRET]), isSigned(value, BODY)]).toEqual([isValid, isValid]);
  // The secrets are read for every header that they can make valid.
  if (isValid) expect(isPlausible(value, NOW)).toBe(true);
  expect(passesEdge(value)).toBe(isPlausible(value, NOW));
});

describe('signatures', () => {
  const valid = signatureOf(BODY, { at: NOW });

  test('a signature of Stripe is accepted for 300 seconds in both directions', () => {
    for (const by of [-300, 0, 300]) expect(isSigned(valid, BODY, [SECRET], seconds(NOW + by))).toBe(true);
    for (const by of [-301, 301]) expect(isSigned(valid, BODY, [SECRET], seconds(NOW + by))).toBe(false);
  });

  test('a signature with any of the secrets is accepted', () => {
    expect(isSigned(valid, BODY, [OTHER, SECRET])).toBe(true);
    expect(isSigned(valid, BODY, [OTHER])).toBe(false);
    expect(isSigned(valid, BODY, [])).toBe(false);
  });

  test('a signature covers each byte of the body', () => {
    for (const index of BODY.split('').keys()) expect(isSigned(valid, flipped(BODY, index))).toBe(false);
  });

  test.each([undefined, '', 't', 't=', 'v1', ',', 'v1=a', `t=${NOW}`, `t=,v1=a`, `t=-1,v1=a`, `t=NaN,v1=a`])(
    'a signature is missing in the header %p',
    (value) => {
      expect(isSigned(value, BODY)).toBe(false);
      expect([isPlausible(value, NOW), passesEdge(value ?? '')]).toEqual([false, false]);
    },
  );
});
