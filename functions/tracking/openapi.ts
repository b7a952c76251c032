import { AmbiguousCustomer, UnknownPublicKey } from '../domain/errors.ts';
import type { Referral } from '../domain/referral.ts';
import type { State } from '../domain/state.ts';
import { seconds } from '../domain/time.ts';
import { type DemoRecords, example, type JsonObject, type Operations, type Success } from '../http/openapi.ts';
import { click, conversionV1, conversionV2, referralV1, referralV2, stateChange } from './mapping.ts';
import { CLICK_BODY, CONVERSION, CONVERSION_V1_BODY, CONVERSION_V2_BODY, STATE_BODY, TRACKED } from './schema.ts';

/** A click id that the demo does not contain. */
const NEW_CLICK = '019b7c01-1f00-7a4d-8b3f-2c6d9e105a73';
/** Later than everything in the demo. */
const CHANGED_AT = seconds(Date.UTC(2026, 10, 2, 12) / 1000);
/** Returns a referral after a change of state. */
const changed = (before: Referral, state: State, customer: Partial<Referral> = {}) => ({
  ...before,
  ...customer,
  state,
  stateSetAt: CHANGED_AT,
  updatedAt: CHANGED_AT,
});

/** Documents the 201 of a conversion. `customer` names the fields of the response that identify the customer. */
const recorded = (schema: JsonObject, data: JsonObject, customer: readonly string[]): Success => ({
  description: 'The conversion is recorded, by this request or by an earlier one with the same `Idempotency-Key`.',
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

/** Documents the operations of this function. */
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
        '* `affiliate_slug` or `gr_id` identifies the affiliate; if both are given, the slug takes precedence. If the click of `gr_id` is known, belongs to that advocate, is still `clicked` and is within the attribution window, it becomes the referral: it keeps its `id`, its `created_at` and, if it has one, its `sub_id`. Otherwise a new referral is created, with a new `id` and the current time as `created_at`.',
        '* `email`, `uid` or both identify the customer. A referral is unique per program and email, and per program and `uid`, whichever advocate referred it. The first advocate keeps it; every later conversion returns 409. Send an `Idempotency-Key` to repeat a call safely.',
        '* **From a page**: if the program has allowed origins, pages of those origins may send `pk` in the body instead of a token. The response is then 204 without a body whether the referral is new or known, so that a public key cannot be used to probe emails; an `Idempotency-Key` has no effect. The `Origin` header can be forged outside of browsers, so report conversions that must be certain from your server.',
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
        201: recorded(TRACKED, referralV2(changed(click2, 'converted', { customerUid })), ['email', 'uid']),
        204: { description: 'From a page: the referral is new or known.' },
      },
      errors: ['invalid_affiliate_slug', 'referral_exists', 'idempotency_key_reused'],
    },
    setState: {
      summary: 'Set the state of a referral',
      description: [
        'Reports that the customer paid (`paid`) or left (`churned`), rejects the referral (`rejected`), or restores a rejected one that was converted before (`converted`). *States* lists the allowed transitions.',
        '',
        'Setting the current state again succeeds and changes nothing, so a call can safely be repeated. If both `email` and `uid` are given, they must belong to the same referral.',
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
          description: 'The referral in the new state.',
          schema: TRACKED,
          examples: {
            payment: example('The customer paid', { data: referralV2(changed(referral('converted'), 'paid')) }),
            loss: example('The customer left', { data: referralV2(changed(referral('paid'), 'churned')) }),
          },
        },
      },
      errors: ['referral_not_found', 'state_refused'],
      fieldErrors: [new AmbiguousCustomer()],
    },
    trackClick: {
      summary: 'Track a click',
      description:
        "Records that a visitor followed an advocate's link. The tracking script calls it; it requires no token and reveals nothing. The header `x-click` contains the outcome: for a known bot, a prefetch or an empty user agent it is `ignored`, and nothing is stored. A click that never converts is deleted after the program's attribution window (default 90 days).",
      requestHeaders: ['UserAgent'],
      body: {
        schema: CLICK_BODY,
        parse: click,
        examples: { visit: example('A visitor followed a link', { pk, gr_id: grId(NEW_CLICK), sub_id: 'newsletter' }) },
      },
      successes: { 204: { description: '`x-click` contains the outcome.', headers: ['ClickOutcome'] } },
      errors: ['invalid_affiliate_slug'],
      fieldErrors: [new UnknownPublicKey()],
    },
    getScript: {
      summary: 'Get the tracking script',
      description:
        "Marketing sites embed it with their public key in `data-pk`. When a visitor follows an advocate's link, it stores the slug and a new click id in the cookie `gr_id` and reports the click.",
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
        '* Either `gr_id`, or both `pk` and `uid`, identify the affiliate. If all are given, `gr_id` takes precedence: if it is not valid, `pk` and `uid` do not replace it.',
        "* `uid` is the merchant's own id of the advocate. The service's id of the advocate is not accepted.",
        '* The slug in `gr_id` selects the advocate. If the click is known, belongs to that advocate, is still `clicked` and is within the attribution window, it becomes the referral and keeps its `id`, `created_at` and `sub_id`. Otherwise a new referral is created, with a new `id` and the current time as `created_at`.',
        '* A referral is unique per program and email, whichever advocate referred it. The first advocate keeps it; every later conversion returns 409. Send an `Idempotency-Key` to repeat a call safely.',
        '',
        'Every response of the service has the header `Deprecation`, and a `Link` to the operation that replaces this one.',
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
        201: recorded(CONVERSION, referralV1(changed(click1, 'converted', { email })), ['email']),
      },
      errors: ['invalid_affiliate_slug', 'referral_exists', 'idempotency_key_reused'],
    },
  };
}
