import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Stripe from 'stripe';
import { seconds } from '../../../../functions/domain/time.ts';
import { isPlausible, isSignedByStripe } from '../../../../functions/tracking/stripe/signature.ts';
import { edgeFunction } from '../../../support/edge-function.ts';
import { SECRET, signatureOf } from '../../../support/stripe/stripe.ts';
import { NOW } from '../../samples.ts';

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

/** The ways in which a time can be written, most often the genuine one. */
const written = fc.oneof(
  { weight: 6, arbitrary: fc.constant((at: number) => `${at}`) },
  fc.constantFrom<(at: number) => string>(
    ...[(at: number) => ` ${at}`, (at: number) => `+${at}`, (at: number) => `0${at}`, (at: number) => `${at}.5`],
    ...[(at: number) => `${at}abc`, (at: number) => `-${at}`, (at: number) => `${at}e0`, (at: number) => `${at} `],
    ...[(at: number) => `${at}=1`, () => '', () => 'abc', () => '1e21', () => '0', () => '9'.repeat(13)],
  ),
);
const offset = fc.oneof(fc.constantFrom(-301, -300, -1, 0, 1, 300, 301), fc.integer({ min: -400, max: 400 }));
const time = fc.record({ offset, written }).map(({ offset: by, written: write }) => write(NOW + by));

/** The parts of a header besides the time: most often one genuine signature. */
type Mark = (body: string, at: number) => string;
const genuine: Mark = (body, at) => `v1=${signature(body, at)}`;
const mark = fc.oneof(
  { weight: 6, arbitrary: fc.constant(genuine) },
  fc.nat(63).map(
    (index): Mark =>
      (body, at) =>
        `v1=${flipped(signature(body, at), index)}`,
  ),
  fc.constantFrom<Mark>(
    ...[(body: string, at: number) => `v1=${signature(body, at, OTHER)}`, () => `v1=${'0'.repeat(64)}`],
    ...[(body: string, at: number) => `v0=${signature(body, at)}`, () => 'v1=', () => 'v1', () => '', () => '='],
    ...[(body: string, at: number) => ` v1=${signature(body, at)}`, () => 'scheme=1', () => 'v1=é'],
    ...[(body: string, at: number) => `v1 =${signature(body, at)}`, () => 'v1=constructor', () => '__proto__=1'],
    ...[(body: string, at: number) => `v1= ${signature(body, at)}`],
    ...[(body: string, at: number) => `v1=${signature(body, at)} `],
    ...[(body: string, at: number) => `v1=${signature(body, at)}=1`],
    ...[(body: string, at: number) => `V1=${signature(body, at)}`],
    ...[(body: string, at: number) => `v1=${signature(body, at).toUpperCase()}`],
  ),
);

const header = fc.record({
  body: fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.json()),
  /** The change of the body after it was signed. */
  change: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.nat()),
  times: fc.oneof({ weight: 6, arbitrary: fc.tuple(time) }, fc.array(time, { maxLength: 3 })),
  marks: fc.oneof({ weight: 3, arbitrary: fc.tuple(mark) }, fc.array(mark, { maxLength: 4 })),
  isTimeLast: fc.boolean(),
  secrets: fc.constantFrom([SECRET], [SECRET], [OTHER, SECRET], [OTHER], []),
});

/** Builds the header, the body as it arrives, and what the library makes of them. */
const request = header.map(({ body, change, times, marks, isTimeLast, secrets }) => {
  const last = times.at(-1) ?? '';
  // What the library reads from the last time.
  const at = Number.parseInt(last, 10);
  const timeParts = times.map((text) => `t=${text}`);
  const markParts = marks.map((part) => part(body, at > 0 ? at : NOW));
  const value = (isTimeLast ? [...markParts, ...timeParts] : [...timeParts, ...markParts]).join(',');
  const received = change === null ? body : flipped(body, change);
  const isOtherForm = !/^[1-9]\d{0,11}$/.test(last.split('=')[0] ?? '');
  return { value, received, secrets, isOtherForm, isFuture: at > NOW + TOLERANCE };
});

test('2,000 headers are verified as by Stripe, but for the future and for times in another form', () => {
  const counts = { accepted: 0, rejected: 0, future: 0, otherForm: 0 };
  fc.assert(
    fc.property(request, ({ value, received, secrets, isOtherForm, isFuture }) => {
      const byStripe = isAcceptedByStripe(value, received, secrets);
      const isAccepted = isSigned(value, received, secrets);
      expect(isAccepted).toBe(byStripe && !isOtherForm && !isFuture);
      // The secrets are read for every header that they can make valid.
      if (isAccepted) expect(isPlausible(value, NOW)).toBe(true);
      expect(passesEdge(value)).toBe(isPlausible(value, NOW));
      const difference = isFuture ? 'future' : 'otherForm';
      const accepted = isAccepted ? 'accepted' : difference;
      counts[byStripe ? accepted : 'rejected'] += 1;
    }),
    { numRuns: 2000 },
  );
  // The headers are of all kinds.
  expect(Object.values(counts).filter((count) => count < 5)).toEqual([]);
});

describe('signatures', () => {
  const body = '{"id":"evt_1"}';
  const valid = signatureOf(body, { at: NOW });

  test('a signature of Stripe is accepted for 300 seconds in both directions', () => {
    for (const by of [-300, 0, 300]) expect(isSigned(valid, body, [SECRET], seconds(NOW + by))).toBe(true);
    for (const by of [-301, 301]) expect(isSigned(valid, body, [SECRET], seconds(NOW + by))).toBe(false);
  });

  test('a signature with any of the secrets is accepted', () => {
    expect(isSigned(valid, body, [OTHER, SECRET])).toBe(true);
    expect(isSigned(valid, body, [OTHER])).toBe(false);
    expect(isSigned(valid, body, [])).toBe(false);
  });

  test('a signature covers each byte of the body', () => {
    for (const index of body.split('').keys()) expect(isSigned(valid, flipped(body, index))).toBe(false);
  });

  test.each([undefined, '', 't', 't=', 'v1', ',', 'v1=a', `t=${NOW}`, `t=,v1=a`, `t=-1,v1=a`, `t=NaN,v1=a`])(
    'a signature is missing in the header %p',
    (value) => {
      expect(isSigned(value, body)).toBe(false);
      expect([isPlausible(value, NOW), passesEdge(value ?? '')]).toEqual([false, false]);
    },
  );
});
