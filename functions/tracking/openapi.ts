import { AmbiguousCustomer, UnknownPublicKey } from '../domain/errors.ts';
import type { Referral } from '../domain/referral.ts';
import type { State } from '../domain/state.ts';
import { seconds } from '../domain/time.ts';
import { type DemoRecords, example, type JsonObject, type Operations, type Success } from '../http/openapi.ts';
import { click, conversionV1, conversionV2, convertedReferral, stateChange, trackedReferral } from './mapping.ts';
import { CLICK_BODY, CONVERSION, CONVERSION_V1_BODY, CONVERSION_V2_BODY, STATE_BODY, TRACKED } from './schema.ts';

/** Not in the demo. */
const NEW_CLICK = '019b7c01-1f00-7a4d-8b3f-2c6d9e105a73';
/** After everything in the demo. */
const CHANGED_AT = seconds(Date.UTC(2026, 10, 2, 12) / 1000);
const afterwards = (before: Referral, state: State, customer: Partial<Referral> = {}) => ({
  ...before,
  ...customer,
  state,
  stateSetAt: CHANGED_AT,
  updatedAt: CHANGED_AT,
});

/** The 201 of a conversion. Its link reports the customer's payment; `customer` names the fields that identify them. */
const recorded = (schema: JsonObject, data: JsonObject, customer: readonly string[]): Success => ({
  description: 'The conversion was recorded now, or earlier by the same request with the same `Idempotency-Key`.',
  headers: ['IdempotentReplayed'],
  schema,
  examples: { by_cookie: example('The click became the referral', { data }) },
  links: {
    payment: {
      operationId: 'setState',
      description: 'Reports that the customer paid. The same request with another `state` reports that state.',
      requestBody: {
        ...Object.fromEntries(customer.map((name) => [name, `$response.body#/data/attributes/${name}`])),
        state: 'paid',
      },
    },
  },
});

/** The operations of this function. */
export function trackingOperations({
  program: { publicKey: pk },
  advocate: { slug, uid },
  referral,
}: DemoRecords): Operations<'tracking'> {
  const email = 'visitor@example.com';
  const customerUid = 'customer-4711';
  const grId = (clickId: string) => `${slug}.${clickId}`;
  const [click1, click2, click3] = [referral('clicked'), referral('clicked', 1), referral('clicked', 2)];
  return {
    trackConversionV2: {
      summary: 'Track a conversion (V2)',
      description: [
        "Records a conversion. The referral's state afterwards is `converted`.",
        '',
        '* `affiliate_slug` or `gr_id` identifies the affiliate; if both are given, the slug wins. If the click of `gr_id` is known, belongs to that advocate and is still `clicked`, it becomes the referral: same `id`, `created_at` stays the time of the click, `sub_id` is kept if the click had one. Otherwise a new referral is created, with a new `id` and with `created_at` now.',
        '* `email` or `uid`, or both, identify the customer. A referral is unique per program and email, and per program and `uid`, whichever advocate referred it: the first one keeps it, every later call is 409. Send an `Idempotency-Key` to repeat a call safely.',
        '* **From a page**: if the program has allowed origins, pages of those origins may call without a token, with `pk` in the body. The response is then 204 without a body whether the referral is new or known, so that a public key cannot be used to probe emails; an `Idempotency-Key` has no effect. The `Origin` header can be forged outside of browsers: report from the server what must be certain.',
      ].join('\n'),
      requestHeaders: ['IdempotencyKey', 'Origin'],
      body: {
        schema: CONVERSION_V2_BODY,
        parse: conversionV2,
        examples: {
          by_cookie: example("With the visitor's cookie", { gr_id: grId(click2.id), uid: customerUid }),
          by_slug: example("With the advocate's slug", {
            affiliate_slug: slug,
            email: 'subscriber@example.com',
            uid: 'customer-4712',
            sub_id: 'newsletter',
          }),
          from_page: example('From a page, without a token', { pk, gr_id: grId(click3.id), email: 'page@example.com' }),
        },
      },
      successes: {
        201: recorded(TRACKED, trackedReferral(afterwards(click2, 'converted', { customerUid })), ['email', 'uid']),
        204: { description: 'From a page: the referral is new or known.' },
      },
      errors: ['invalid_affiliate_slug', 'referral_exists', 'idempotency_key_reused'],
    },
    setState: {
      summary: 'Set the state of a referral',
      description: [
        'Reports a payment (`paid`), that the customer left (`churned`), a rejection (`rejected`) or a restored referral (`converted`, if it was converted before). *States* lists the allowed transitions.',
        '',
        'Setting the current state again succeeds and changes nothing, so that a call may be repeated. If `email` and `uid` are both given, they must name the same referral.',
      ].join('\n'),
      body: {
        schema: STATE_BODY,
        parse: stateChange,
        examples: {
          payment: example('The customer paid', { uid: referral('converted').customerUid, state: 'paid' }),
          loss: example('The customer left', { email: referral('paid').email, state: 'churned' }),
        },
      },
      successes: {
        200: {
          description: 'The referral, in that state.',
          schema: TRACKED,
          examples: {
            payment: example('The customer paid', { data: trackedReferral(afterwards(referral('converted'), 'paid')) }),
            loss: example('The customer left', { data: trackedReferral(afterwards(referral('paid'), 'churned')) }),
          },
        },
      },
      errors: ['referral_not_found', 'state_refused'],
      fieldErrors: [new AmbiguousCustomer()],
    },
    trackClick: {
      summary: 'Track a click',
      description:
        "Records that a visitor followed an advocate's link. The tracking script calls it; it requires no token and reveals nothing. The header `x-click` says what was done: nothing is stored for a known bot, a prefetch or an empty user agent (`ignored`). A click that never converts is deleted after the program's attribution window (default 90 days).",
      requestHeaders: ['UserAgent'],
      body: {
        schema: CLICK_BODY,
        parse: click,
        examples: { visit: example('A visitor followed a link', { pk, gr_id: grId(NEW_CLICK), sub_id: 'newsletter' }) },
      },
      successes: { 204: { description: 'Received; `x-click` says what was done.', headers: ['ClickOutcome'] } },
      errors: ['invalid_affiliate_slug'],
      fieldErrors: [new UnknownPublicKey()],
    },
    getScript: {
      summary: 'The tracking script',
      description:
        'For marketing sites, which embed it with their public key in `data-pk`. It stores in the cookie `gr_id` whose link a visitor followed, and reports the click.',
      requestHeaders: ['IfNoneMatch'],
      successes: {
        200: {
          description: 'The script, compressed if the client accepts gzip.',
          headers: ['CachedForADay', 'ETag'],
          type: 'text/javascript',
          schema: { type: 'string' },
        },
        304: { description: 'The client already has this script.', headers: ['CachedForADay', 'ETag'] },
      },
    },
    trackConversionV1: {
      summary: 'Track a conversion',
      description: [
        "Records a conversion. The referral's state afterwards is `converted`.",
        '',
        '* Either `gr_id`, or both `pk` and `uid`, identify the affiliate. If both are given, `gr_id` wins; a bad `gr_id` is not rescued by a good `pk` and `uid`.',
        "* `uid` is the merchant's own id of the advocate and nothing else: the service's id of the advocate is not accepted.",
        '* The slug in `gr_id` selects the advocate. If the click is known, belongs to that advocate and is still `clicked`, it becomes the referral: same `id`, `created_at` stays the time of the click, `sub_id` is kept. Otherwise a new referral is created, with a new `id` and with `created_at` now.',
        '* A referral is unique per program and email, whichever advocate referred it: the first one keeps it, every later call is 409. Send an `Idempotency-Key` to repeat a call safely.',
        '',
        'Every response of the service carries `Deprecation`, and `Link` with the operation that replaces this one.',
      ].join('\n'),
      requestHeaders: ['IdempotencyKey'],
      body: {
        schema: CONVERSION_V1_BODY,
        parse: conversionV1,
        examples: {
          by_cookie: example("With the visitor's cookie", { email, gr_id: grId(click1.id) }),
          by_uid: example("With the public key and the advocate's uid", { email: 'reader@example.com', pk, uid }),
        },
      },
      successes: {
        201: recorded(CONVERSION, convertedReferral(afterwards(click1, 'converted', { email })), ['email']),
      },
      errors: ['invalid_affiliate_slug', 'referral_exists', 'idempotency_key_reused'],
    },
  };
}
