import { ADVOCATE_LIST, ADVOCATES_QUERY } from '../../functions/advocates/schema.ts';
import type { ErrorCode } from '../../functions/domain/errors.ts';
import { REFERRAL_LIST, REFERRALS_QUERY } from '../../functions/referrals/schema.ts';
import type { OperationId } from '../../functions/routes.ts';
import { CONVERSION_V1_BODY } from '../../functions/tracking/schema.ts';
import {
  ADVOCATE_PAGES,
  CONVERSION_V1_REQUESTS,
  CONVERSIONS,
  type Examples,
  REFERRAL_PAGES,
} from './examples.ts';
import type { HeaderKey } from './headers.ts';
import type { JsonObject } from './json.ts';
import type { HeaderParameter, QuerySchema } from './parameters.ts';
import { CONVERSION } from './schemas.ts';

/** A body and the content types in which it may come. */
export interface DocumentedBody {
  readonly types: readonly string[];
  readonly schema: JsonObject;
  readonly examples: Examples;
}

/** A success. One without a body has none in the document either. */
export interface DocumentedSuccess {
  readonly status: number;
  readonly description: string;
  readonly headers: readonly HeaderKey[];
  readonly body?: DocumentedBody;
}

/** What only documents an operation: fields come from the schemas, method, path and token from the routes. */
export interface DocumentedOperation {
  readonly summary: string;
  readonly description: string;
  readonly requestHeaders: readonly HeaderParameter[];
  readonly query?: QuerySchema;
  readonly body?: DocumentedBody & { readonly description: string };
  readonly successes: readonly DocumentedSuccess[];
  /** Errors beside those that every operation of its kind can give. */
  readonly errors: readonly ErrorCode[];
  /** Sentences of `invalid_field`, for examples. */
  readonly invalidFields: readonly string[];
}

const json = (schema: JsonObject, examples: Examples): DocumentedBody => ({
  types: ['application/json'],
  schema,
  examples,
});

const INVALID_LIST_PARAMETERS = [
  'page must be at least 1',
  'page must be a whole number in decimal digits',
  'per_page must be at most 50',
  'per_page must be given only once',
  'created_at_gt must be a time such as 2026-01-31 00:00:00 +0000 or 2026-01-31T00:00:00Z',
  'created_at_lt is not valid percent-encoded UTF-8',
  'cursor stands in place of page: give only one',
  'cursor is not one that this list gave with these filters',
];

/** Every route of the service: one that is missing here does not compile. */
export const OPERATIONS: Readonly<Record<OperationId, DocumentedOperation>> = {
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
      ...json(CONVERSION_V1_BODY, CONVERSION_V1_REQUESTS),
      description:
        'At most 16 KiB. `application/json`, `application/…+json` and a missing content type are read as JSON in UTF-8. `null` and `""` count as ' +
        'not given; unknown fields are ignored and have no effect; of a field given twice the last one counts.',
    },
    successes: [
      {
        status: 201,
        description:
          'The conversion was recorded, or had been by the same request with the same `Idempotency-Key`.',
        headers: ['IdempotentReplayed'],
        body: json(CONVERSION, CONVERSIONS),
      },
    ],
    errors: ['invalid_affiliate_slug', 'referral_exists', 'idempotency_key_reused'],
    invalidFields: [
      'email is required',
      'email must be a string',
      'email must be an e-mail address such as name@example.com',
      'gr_id, or pk with uid is required',
      'gr_id must be the value of the gr_id cookie: a slug, a dot and a click id',
      'uid must be 1 to 128 characters long',
      'uid must not contain control characters or lone surrogates',
      'Idempotency-Key must be 1 to 255 printable ASCII characters',
      'The body must be a JSON object',
    ],
  },
  listAdvocates: {
    summary: 'List advocates',
    description:
      "The advocates of the token's program, newest first; a deactivated one keeps its place. Paging, cursors and times: see *Lists* above.",
    requestHeaders: [],
    query: ADVOCATES_QUERY,
    successes: [
      {
        status: 200,
        description: 'A page of advocates.',
        headers: ['NextPage'],
        body: json(ADVOCATE_LIST, ADVOCATE_PAGES),
      },
    ],
    errors: [],
    invalidFields: INVALID_LIST_PARAMETERS,
  },
  listReferrals: {
    summary: 'List referrals',
    description: [
      "The referrals of the token's advocate, newest first: by `created_at`, or by `state_set_at` where one of its filters is given. All filters may be combined.",
      '',
      'Without `state_eq`, clicks are not listed: `state_eq=clicked` lists them. Paging, cursors and times: see *Lists* above.',
    ].join('\n'),
    requestHeaders: [],
    query: REFERRALS_QUERY,
    successes: [
      {
        status: 200,
        description: 'A page of referrals.',
        headers: ['NextPage'],
        body: json(REFERRAL_LIST, REFERRAL_PAGES),
      },
    ],
    errors: [],
    invalidFields: [
      ...INVALID_LIST_PARAMETERS,
      'state_eq must be one of clicked, converted, paid, churned, rejected',
      'sub_id_eq must be 1 to 128 characters long',
      'sub_id_eq must not contain control characters or lone surrogates',
    ],
  },
};
