import { seconds } from '../../kernel/time.ts';
import { example, type JsonObject, type Operations, type Success } from '../../openapi/operation.ts';
import { ADVOCATE, CLICK_PAGE, CLICK_V1, CLICK_V2, PROGRAM } from '../../openapi/records.ts';
import type { Referral } from '../../referrals/rules/referral.ts';
import type { State } from '../../referrals/rules/state.ts';
import { parseConversionV1, parseConversionV2, toReferralV1, toReferralV2 } from '../http/mapping.ts';
import type { TRACKING_ROUTES } from '../http/routes.ts';
import { CONVERSION, CONVERSION_V1_BODY, CONVERSION_V2_BODY, TRACKED } from '../http/schema.ts';

/** Later than everything in the demo. */
export const CHANGED_AT = seconds(Date.UTC(2026, 10, 2, 12) / 1000);
/** Returns a referral after a change of state. */
export const changed = (before: Referral, state: State, customer: Partial<Referral> = {}) => ({
  ...before,
  ...customer,
  state,
  stateSetAt: CHANGED_AT,
  updatedAt: CHANGED_AT,
});

/** Documents the 201 of a conversion. `customer` lists the fields of the response that identify the customer. */
const recorded = (schema: JsonObject, data: JsonObject, customer: readonly string[]): Success => ({
  description: 'The conversion is recorded, by this request or by an earlier request with the same `Idempotency-Key`.',
  headers: ['IdempotentReplayed'],
  schema,
  examples: { by_cookie: example('The click became the referral', { data }) },
  links: {
    payment: {
      operationId: 'setState',
      description: 'Reports that the customer paid. Other values of `state` report other changes.',
      requestBody: {
        ...Object.fromEntries(customer.map((name) => [name, `$response.body#/data/attributes/${name}`])),
        state: 'paid',
      },
    },
  },
});

const { slug, uid } = ADVOCATE;
const pk = PROGRAM.publicKey;
const email = 'visitor@example.com';
const customerUid = 'customer-4711';
const grId = (click: Referral) => `${slug}.${click.id}`;

/** Documents the conversions of V2 and V1. */
export const CONVERSION_OPERATIONS: Pick<
  Operations<typeof TRACKING_ROUTES>,
  'trackConversionV2' | 'trackConversionV1'
> = {
  trackConversionV2: {
    summary: 'Track a conversion (V2)',
    description: [
      "Records a conversion. The referral's state afterwards is `converted`.",
      '',
      '* `affiliate_slug`, `gr_id` or the promotion `code` that the customer typed identifies the affiliate, in this order; the `code_priority` of the program can put the code before the `gr_id`. If the click of `gr_id` is known, belongs to that advocate, is still `clicked` and is within the attribution window, it becomes the referral: it keeps its `id`, its `created_at` and, if it has one, its `sub_id`. Otherwise a new referral is created, with a new `id` and the current time as `created_at`.',
      '* `email`, `uid` or both identify the customer. A referral is unique per program and email, and per program and `uid`, whichever advocate referred it. The first advocate keeps it; every later conversion returns 409. Send an `Idempotency-Key` to repeat a request safely.',
      '* **From a page**: if the program has allowed origins, pages of those origins may send `pk` in the body instead of a token. The response is then 204 without a body whether the referral is new or known, and whether the code exists, so that a public key cannot be used to probe emails or codes; an `Idempotency-Key` has no effect. The `Origin` header can be forged outside of browsers, so report conversions that must be certain from your server.',
    ].join('\n'),
    requestHeaders: ['IdempotencyKey', 'Origin'],
    body: {
      schema: CONVERSION_V2_BODY,
      parse: parseConversionV2,
      examples: {
        by_cookie: example("With the visitor's cookie", { gr_id: grId(CLICK_V2), uid: customerUid }),
        by_slug: example("With the advocate's slug", {
          affiliate_slug: slug,
          email: 'subscriber@example.com',
          uid: 'customer-4712',
          sub_id: 'newsletter',
        }),
        from_page: example('From a page, without a token', { pk, gr_id: grId(CLICK_PAGE), email: 'page@example.com' }),
      },
    },
    successes: {
      201: recorded(TRACKED, toReferralV2(changed(CLICK_V2, 'converted', { customerUid })), ['email', 'uid']),
      204: { description: 'From a page: the referral is new or known.' },
    },
    errors: ['invalid_affiliate_slug', 'invalid_code', 'referral_exists', 'idempotency_key_reused'],
  },
  trackConversionV1: {
    summary: 'Track a conversion',
    description: [
      "Records a conversion. The referral's state afterwards is `converted`.",
      '',
      '* Either `gr_id`, or both `pk` and `uid`, identify the affiliate. If all are given, `gr_id` takes precedence: if it is not valid, `pk` and `uid` do not replace it.',
      "* `uid` is the merchant's own id of the advocate. The service's id of the advocate is not accepted.",
      '* The slug in `gr_id` selects the advocate. If the click is known, belongs to that advocate, is still `clicked` and is within the attribution window, it becomes the referral and keeps its `id`, `created_at` and `sub_id`. Otherwise a new referral is created, with a new `id` and the current time as `created_at`.',
      '* A referral is unique per program and email, whichever advocate referred it. The first advocate keeps it; every later conversion returns 409. Send an `Idempotency-Key` to repeat a request safely.',
      '',
      'Every response of the service has the header `Deprecation`, and a `Link` to the operation that replaces this one.',
    ].join('\n'),
    requestHeaders: ['IdempotencyKey'],
    body: {
      schema: CONVERSION_V1_BODY,
      parse: parseConversionV1,
      examples: {
        by_cookie: example("With the visitor's cookie", { email, gr_id: grId(CLICK_V1) }),
        by_uid: example("With the public key and the advocate's uid", { email: 'reader@example.com', pk, uid }),
      },
    },
    successes: {
      201: recorded(CONVERSION, toReferralV1(changed(CLICK_V1, 'converted', { email })), ['email']),
    },
    errors: ['invalid_affiliate_slug', 'referral_exists', 'idempotency_key_reused'],
  },
};
