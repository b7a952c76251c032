import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Seconds } from '../../kernel/time.ts';

/** The sentence of 400, whatever is wrong: it does not reveal which programs exist. */
export const INVALID_SIGNATURE =
  'Stripe-Signature is not valid: check the address of the endpoint and its signing secret';

/** Maximum difference between the time of a signature and its arrival, in seconds. */
export const TOLERANCE = 300;

/**
 * Returns true if `Stripe-Signature` has a signature of the body with one of the secrets, at a time that differs by at
 * most five minutes: `t=<Unix seconds>,v1=<HMAC-SHA256 over "<t>.<body>" in hex>`, with any number of signatures
 * (https://docs.stripe.com/webhooks#verify-manually). The `stripe` package does the same, but also accepts times in the
 * future and in other forms, such as "+1"; it would add 246 KB to the bundle.
 */
export function isSignedByStripe(
  header: string | undefined,
  body: Uint8Array,
  secrets: readonly string[],
  now: Seconds,
): boolean {
  const signed = parseHeader(header, now);
  if (!signed) return false;
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${signed.time}.`).update(body).digest('hex');
    return signed.signatures.some((signature) => isEqual(signature, expected));
  });
}

/** Returns whether a header is well-formed and recent. Checked before the secrets are read. */
export function isPlausible(header: string | undefined, now: Seconds): boolean {
  return parseHeader(header, now) !== undefined;
}

/** Parses a header; `undefined` if it is malformed, or if its time differs too much. */
function parseHeader(header = '', now: Seconds) {
  const pairs = header.split(',').map((part) => part.split('='));
  const valuesOf = (name: string) => pairs.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const time = valuesOf('t').at(-1);
  const signatures = valuesOf('v1');
  if (time === undefined || !/^[1-9]\d{0,11}$/.test(time)) return undefined;
  if (signatures.length === 0 || signatures.includes('')) return undefined;
  return Math.abs(now - Number(time)) <= TOLERANCE ? { time: Number(time), signatures } : undefined;
}

/** Compares in constant time. */
function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
