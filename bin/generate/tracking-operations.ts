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
  'At most 16 KiB. `application/json`, `application/…+json` and a missing content type are read as JSON in UTF-8. `null` and `""` count as ' +
  'not given; unknown fields are ignored and have no effect; of a field given twice the last one counts.';

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
  'email must be an e-mail address such as name@example.com',
  'uid must be 1 to 128 characters long',
  'uid must not contain control characters or lone surrogates',
];

const INVALID_SUB_ID = [
  'sub_id must be 1 to 128 characters long',
  'sub_id must not contain control characters or lone surrogates',
];

/** What the function `tracking` answers. */
export const TRACKING_OPERATIONS: Readonly<Record<OperationOf<'tracking'>, DocumentedOperation>> = {
  trackConversionV1: {
    summary: 'Track a conversion',
    description: [
      'Records that a visitor converted; the referral is `converted` from then on.',
      '',
      '* `gr_id`, or `pk` together with `uid`, tells the affiliate. `gr_id` decides where both are given, and a bad `gr_id` is not rescued by a good `pk` and `uid`.',
      "* The slug in `gr_id` decides the advocate. Where the click is known, is that advocate's and has not converted yet, it becomes the referral: same `id`, `created_at` stays the time of the click, its `sub_id` is kept. Else a new referral with a new `id` is made, created now.",
      '* A referral is unique in the program by its e-mail: the advocate who brought it first keeps it, and every later call is a 409. Send an `Idempotency-Key` to repeat a call safely.',
      '',
      'Each answer of the service carries `Deprecation`, and `Link` with the address that replaces this operation.',
    ].join('\n'),
    requestHeaders: ['IdempotencyKey'],
    body: {
      ...json(CONVERSION_V1_REQUEST, CONVERSION_V1_REQUESTS),
      description: BODY,
    },
    successes: [
      {
        status: 201,
        description:
          'The conversion was recorded, or had been by the same request with the same `Idempotency-Key`.',
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
      'Records that a visitor converted; the referral is `converted` from then on.',
      '',
      "* `affiliate_slug` or `gr_id` tells the affiliate; the slug decides where both are given. The click of `gr_id` becomes the referral where it is that advocate's, known and not converted yet: same `id`, `created_at` stays the time of the click. Else a new referral is made, created now.",
      '* `email` or `uid`, or both, tell the customer. A referral is unique in the program by its e-mail and by its `uid`: the advocate who brought it first keeps it, and every later call is a 409. Send an `Idempotency-Key` to repeat a call safely.',
      '* **From a page**: where the program lists origins, pages of those origins may call without a token, with `pk` in the body. The answer is then a 204 without body whether the referral is new or known, so that a public key can find out no one\u2019s e-mail; an `Idempotency-Key` has no effect. A header can be forged outside of browsers: what must be certain is reported by the server.',
    ].join('\n'),
    requestHeaders: ['IdempotencyKey', 'Origin'],
    body: { ...json(CONVERSION_V2_REQUEST, CONVERSION_V2_REQUESTS), description: BODY },
    successes: [
      {
        status: 201,
        description:
          'The conversion was recorded, or had been by the same request with the same `Idempotency-Key`.',
        headers: ['IdempotentReplayed'],
        body: json(TRACKED, TRACKED_CONVERSIONS),
        links: payment('email', 'uid'),
      },
      { status: 204, description: 'From a page: taken.', headers: [] },
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
      'Reports a payment (`paid`), that the customer left (`churned`), a rejection (`rejected`), or takes a rejection back (`converted`, where the referral was converted before): see *States* above for what may follow what.',
      '',
      'To set the state that the referral has already is a success that changes nothing, so that a call may be repeated. Where `email` and `uid` are both given they must be those of one referral.',
    ].join('\n'),
    requestHeaders: [],
    body: { ...json(STATE_REQUEST, STATE_REQUESTS), description: BODY },
    successes: [
      {
        status: 200,
        description: 'The referral is in that state.',
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
      "Records that a visitor followed an advocate's link. The tracking script calls it; it takes no token and tells nothing of anyone. A click that never converts is deleted after the program's attribution window, 90 days unless the program says otherwise.",
    requestHeaders: ['UserAgent'],
    body: {
      ...json(CLICK_REQUEST, CLICK_REQUESTS),
      types: ['application/json', 'text/plain'],
      description: `${BODY} So is \`text/plain\`, for which a browser sends no preflight.`,
    },
    successes: [{ status: 204, description: 'Taken; `x-click` says how.', headers: ['ClickOutcome'] }],
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
