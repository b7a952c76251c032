import { type DemoRecords, firstRow, type Operations, PAST_THE_END } from '../http/openapi.ts';
import { listedReferral, referralsInput } from './mapping.ts';
import { REFERRAL_LIST, REFERRALS_QUERY } from './schema.ts';

/** Documents the operations of this function. */
export const referralsOperations = ({ newestReferral, referral }: DemoRecords): Operations<'referrals'> => ({
  listReferrals: {
    summary: 'List referrals',
    description: [
      "Lists the referrals of the token's advocate, newest first: by `created_at`, or by `state_set_at` if that is filtered. All filters can be combined.",
      '',
      'Without `state_eq`, clicks are not listed; `state_eq=clicked` lists them. *Lists* describes paging, cursors and times. To poll for changes, let each `state_set_at` range overlap the previous one by a minute: on AWS the lists lag behind the writes.',
    ].join('\n'),
    query: { schema: REFERRALS_QUERY, parse: referralsInput },
    successes: {
      200: {
        description: 'A page of referrals.',
        headers: ['NextPage'],
        schema: REFERRAL_LIST,
        examples: {
          one: firstRow('per_page=1', listedReferral(newestReferral)),
          click: firstRow('per_page=1&state_eq=clicked', listedReferral(referral('clicked'))),
          past_the_end: PAST_THE_END,
        },
      },
    },
  },
});
