import { ADVOCATE_LIST, ADVOCATES_QUERY } from '../../functions/advocates/schema.ts';
import { REFERRAL_LIST, REFERRALS_QUERY } from '../../functions/referrals/schema.ts';
import type { OperationOf } from '../../functions/routes.ts';
import { type DocumentedOperation, json } from './documented-operation.ts';
import { ADVOCATE_PAGES, REFERRAL_PAGES } from './examples.ts';

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

/** The lists. */
export const LIST_OPERATIONS: Readonly<
  Record<OperationOf<'advocates'> | OperationOf<'referrals'>, DocumentedOperation>
> = {
  listAdvocates: {
    summary: 'List advocates',
    description:
      "The advocates of the token's program, newest first, deactivated ones included. *Lists* describes paging, cursors and times.",
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
      "The referrals of the token's advocate, newest first: by `created_at`, or by `state_set_at` if it is filtered. All filters may be combined.",
      '',
      'Without `state_eq`, clicks are not listed; `state_eq=clicked` lists them. *Lists* describes paging, cursors and times. To poll for changes, overlap the previous `state_set_at` range by a minute: on AWS the lists lag behind the writes.',
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
