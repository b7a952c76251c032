import type { OperationOf } from '../../functions/routes.ts';
import { type DocumentedLink, type DocumentedOperation, json } from './documented-operation.ts';
import {
  CHANGED_STATES,
  CLICK_REQUESTS,
  CONVERSION_V1_REQUESTS,
  CONVERSION_V2_REQUESTS,
  CONVERSIONS,
  STATE_REQUESTS,
  TRACKED_CONVERSIONS,
} from './examples.ts';
import {
  CLICK_REQUEST,
  CONVERSION,
  CONVERSION_V1_REQUEST,
  CONVERSION_V2_REQUEST,
  STATE_REQUEST,
  TRACKED,
} from './schemas.ts';

const BODY =
  'At most 16 KiB. `application/json`, `application/…+json` and a missing content type are read as UTF-8 JSON. `null` and `""` count as ' +
  'absent, unknown fields are ignored, and the last of duplicate keys wins.';

const CONVERTED = 'The conversion was recorded now, or earlier by the same request with the same `Idempotency-Key`.';

/** Reports the customer's payment. `customer` names the fields of the response that identify the customer. */
const payment = (...customer: readonly ('email' | 'uid')[]): Readonly<Record<string, DocumentedLink>> => ({
  payment: {
    operation: 'setState',
    description: 'Reports that the customer paid. The same request with another `state` reports that state.',
    requestBody: {
      ...Object.fromEntries(customer.map((name) => [name, `$response.body#/data/attributes/${name}`])),
      state: 'paid',
    },
  },
});

const INVALID_BODY = 'The body must be a JSON object';
const INVALID_KEY = 'Idempotency-Key must be 1 to 255 printable ASCII characters';
const INVALID_GR_ID = 'gr_id must be the value of the gr_id cookie: a slug, a dot and a click id';
const INVALID_CUSTOMER = [
  'email must be a string',
  'email must be an email address such as name@example.com',
  'uid must be 1 to 128 characters long',
  'uid must not contain control characters or lone surrogates',
];

const INVALID_SUB_ID = [
  'sub_id must be 1 to 128 characters long',
  'sub_id must not contain control characters or lone surrogates',
];

/** The operations of the function `tracking`. */
export const TRACKING_OPERATIONS: Readonly<Record<OperationOf<'tracking'>, DocumentedOperation>> = {
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
      ...json(CONVERSION_V1_REQUEST, CONVERSION_V1_REQUESTS),
      description: BODY,
    },
    successes: [
      {
        status: 201,
        description: CONVERTED,
        headers: ['IdempotentReplayed'],
        body: json(CONVERSION, CONVERSIONS),
        links: payment('email'),
      },
    ],
    errors: ['invalid_affiliate_slug', 'referral_exists', 'idempotency_key_reused'],
    invalidFields: [
      'email is required',
      'gr_id, or pk with uid is required',
      INVALID_GR_ID,
      ...INVALID_CUSTOMER,
      INVALID_KEY,
      INVALID_BODY,
    ],
  },
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
    body: { ...json(CONVERSION_V2_REQUEST, CONVERSION_V2_REQUESTS), description: BODY },
    successes: [
      {
        status: 201,
        description: CONVERTED,
        headers: ['IdempotentReplayed'],
        body: json(TRACKED, TRACKED_CONVERSIONS),
        links: payment('email', 'uid'),
      },
      { status: 204, description: 'From a page: the referral is new or known.', headers: [] },
    ],
    errors: ['invalid_affiliate_slug', 'referral_exists', 'idempotency_key_reused'],
    invalidFields: [
      'affiliate_slug, or gr_id is required',
      'affiliate_slug must be 1 to 64 letters, digits or hyphens',
      INVALID_GR_ID,
      'email, or uid is required',
      ...INVALID_CUSTOMER,
      ...INVALID_SUB_ID,
      INVALID_KEY,
      INVALID_BODY,
    ],
  },
  setState: {
    summary: 'Set the state of a referral',
    description: [
      'Reports a payment (`paid`), that the customer left (`churned`), a rejection (`rejected`) or a restored referral (`converted`, if it was converted before). *States* lists the allowed transitions.',
      '',
      'Setting the current state again succeeds and changes nothing, so that a call may be repeated. If `email` and `uid` are both given, they must name the same referral.',
    ].join('\n'),
    requestHeaders: [],
    body: { ...json(STATE_REQUEST, STATE_REQUESTS), description: BODY },
    successes: [
      {
        status: 200,
        description: 'The referral, in that state.',
        headers: [],
        body: json(TRACKED, CHANGED_STATES),
      },
    ],
    errors: ['referral_not_found', 'state_refused'],
    invalidFields: [
      'state is required',
      'state must be one of converted, paid, churned, rejected',
      'email, or uid is required',
      ...INVALID_CUSTOMER,
      'email and uid must be those of one referral',
      INVALID_BODY,
    ],
  },
  trackClick: {
    summary: 'Track a click',
    description:
      "Records that a visitor followed an advocate's link. The tracking script calls it; it requires no token and reveals nothing. A click that never converts is deleted after the program's attribution window (default 90 days).",
    requestHeaders: ['UserAgent'],
    body: {
      ...json(CLICK_REQUEST, CLICK_REQUESTS),
      types: ['application/json', 'text/plain'],
      description: `${BODY} \`text/plain\` is read as JSON too: a browser sends it without a preflight.`,
    },
    successes: [{ status: 204, description: 'Received; `x-click` says what was done.', headers: ['ClickOutcome'] }],
    errors: ['invalid_affiliate_slug'],
    invalidFields: [
      'pk is required',
      'pk must be the public key of a program',
      'gr_id is required',
      INVALID_GR_ID,
      ...INVALID_SUB_ID,
      INVALID_BODY,
    ],
  },
  getScript: {
    summary: 'The tracking script',
    description:
      'For marketing sites, which embed it with their public key in `data-pk`. It remembers in the cookie `gr_id` by whose link a visitor came, and reports the click.',
    requestHeaders: ['IfNoneMatch'],
    successes: [
      {
        status: 200,
        description: 'The script, compressed where the caller takes gzip.',
        headers: ['CachedForADay', 'ETag'],
        body: { types: ['text/javascript'], schema: { type: 'string' }, examples: {} },
      },
      { status: 304, description: 'The script that is there already.', headers: ['CachedForADay', 'ETag'] },
    ],
    errors: [],
    invalidFields: [],
  },
};
