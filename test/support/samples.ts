import fc from 'fast-check';
import type { AttributionTarget } from '../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { InvalidField } from '../../functions/kernel/errors.ts';
import type { HttpEvent } from '../../functions/kernel/http/context.ts';
import { uuidv7 } from '../../functions/kernel/ids.ts';
import { milliseconds, type Seconds, seconds } from '../../functions/kernel/time.ts';
import type { ReferralEvent } from '../../functions/referrals/rules/referral-event.ts';
import type { DeliveryMessage } from '../../functions/webhooks/stream/destinations.ts';
import { eventFixture } from './event-fixtures.ts';

/** A second in 2026. */
export const NOW: Seconds = seconds(1_780_000_000);
export const PROGRAM_ID = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';
export const CLICK_ID = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6072';
export const REFERRAL_ID = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6073';

export const program: Program = {
  id: PROGRAM_ID,
  name: 'Acme',
  publicKey: 'pk_019a2b3c4d5e7f608a1b2c3d4e5f6071',
  siteUrl: 'https://acme.example/',
  linkParameter: 'via',
  commissionPercentage: 20,
  commissionMonths: 12,
  commissionRulesId: null,
  attributionDays: 90,
  payableAfterDays: 0,
  allowedOrigins: [],
  affiliatesSeeEmail: 'full',
  assistantsSeeEmail: 'masked',
  codePriority: 'link',
  slugs: 'names',
  mode: 'live',
  payoutName: null,
  payoutIban: null,
  minimumPayout: {},
  payoutDay: null,
  accent: null,
  logoVersion: null,
  onRefund: 'ignore',
  createdAt: NOW,
};

export const affiliate: AttributionTarget = {
  slug: 'jane-doe',
  email: 'jane@example.com',
  uid: null,
  commissionPercentage: null,
  group: null,
  active: true,
};

/** An event of `GET /v1/advocates` with a valid token, and with changes. */
export function httpEvent(change: Partial<HttpEvent> = {}): HttpEvent {
  const { requestContext, ...event } = eventFixture('listAdvocates');
  const http = { ...requestContext.http, sourceIp: '192.0.2.1' };
  return {
    ...event,
    headers: { authorization: 'Bearer good' },
    requestContext: { ...requestContext, http, requestId: 'request-1' },
    ...change,
  };
}

/** The message of the `InvalidField` that `act` throws; `undefined` if it throws nothing. Other errors are rethrown. */
export function refusal(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof InvalidField) return error.message;
    throw error;
  }
}

export const aSecond: fc.Arbitrary<Seconds> = fc.integer({ min: 0, max: 253_402_300_799 }).map(seconds);

export const aUuid: fc.Arbitrary<string> = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.uint8Array({ minLength: 10, maxLength: 10 }))
  .map(([moment, bytes]) => uuidv7(milliseconds(moment), () => bytes));

/** Texts of any UTF-16 units, control characters and lone surrogates included. */
export const anyUtf16: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    fc.integer({ min: 0, max: 0x7f }).map((unit) => String.fromCharCode(unit)),
    fc.constantFrom('\ud800', '\udfff', '\u0000', '\r\n', '\u2028', ' ', '.', '@', '-'),
  ),
});

export const anySlug: fc.Arbitrary<string> = fc.stringMatching(/^[a-z0-9_-]{1,64}$/);

type ReferralMessage = DeliveryMessage & { readonly event: ReferralEvent };

/** A message with changes. */
export function aMessage(changes: Partial<ReferralMessage> = {}): ReferralMessage {
  return {
    program: PROGRAM_ID,
    webhook: CLICK_ID,
    event: {
      id: `${REFERRAL_ID}.2`,
      type: 'referral.paid',
      setAt: NOW,
      referralId: REFERRAL_ID,
      state: 'paid',
      previousState: 'converted',
      stateSetAt: NOW,
      by: 'merchant',
      move: null,
      createdAt: NOW,
      subId: 'news',
      affiliateSlug: 'jane',
      commission: { commissionPercentage: 12.5, commissionEndDate: NOW },
    },
    advocateId: CLICK_ID,
    attempt: 1,
    due: milliseconds(NOW * 1000),
    ...changes,
  };
}
