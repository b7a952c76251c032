import { type Advocate, referralLinks } from '../../kernel/accounts/rules/advocate.ts';
import { newToken } from '../../kernel/accounts/rules/token.ts';
import { seconds } from '../../kernel/time.ts';
import { example, firstRow, type Operations, PAST_THE_END } from '../../openapi/operation.ts';
import { ADVOCATE, ADVOCATE_TERMS, NEWEST_ADVOCATE, PROGRAM } from '../../openapi/records.ts';
import {
  parseAdvocateChanges,
  parseAdvocatesQuery,
  parseAdvocatesV2Query,
  parseNewAdvocate,
  parseTokenLifetime,
  toAdvocate,
  toAdvocateToken,
  toAdvocateV1,
  toAdvocateV2,
  toAffiliateData,
} from '../http/mapping.ts';
import type { ADVOCATE_ROUTES } from '../http/routes.ts';
import {
  ADVOCATE_CHANGES_BODY,
  ADVOCATE_DETAILS_DATA,
  ADVOCATE_LIST,
  ADVOCATE_TOKEN_BODY,
  ADVOCATE_TOKEN_DATA,
  ADVOCATES_DATA,
  ADVOCATES_QUERY,
  ADVOCATES_V2_QUERY,
  AFFILIATE_DATA,
  NEW_ADVOCATE_BODY,
} from '../http/schema.ts';
import { changeAdvocate, draftAdvocate } from '../rules/advocate-changes.ts';

/** An id of no record in the demo. */
const NEW_ID = '019b7c01-1f00-7a4d-8b3f-2c6d9e105a74';
/** The slug in the response, as a runtime expression of OpenAPI. */
const NEW_SLUG = '$response.body#/data/attributes/slug';
/** Later than everything in the demo. */
const NOW = seconds(Date.UTC(2026, 10, 2, 12) / 1000);

const link = referralLinks(PROGRAM);
const resource = (of: Advocate) => ({ data: toAdvocate(PROGRAM, link, of) });
const BODY = {
  email: 'sam@partners.example',
  first_name: 'Sam',
  last_name: 'Rivera',
  uid: 'partner-77',
  commission_percentage: 25,
};
const CREATED = draftAdvocate(parseNewAdvocate(BODY), PROGRAM, {
  id: NEW_ID,
  now: NOW,
  random: (count) => new Uint8Array(count),
}).advocate;
const CHANGES = { last_name: 'Rivera-Lee', commission_percentage: null };
const LIST = {
  query: { schema: ADVOCATES_QUERY, parse: parseAdvocatesQuery },
  description:
    "Lists the advocates of the token's program, newest first, including deactivated ones. *Lists* describes paging, cursors and times.",
};

/** Documents the operations of this function. */
export const ADVOCATES_OPERATIONS: Operations<typeof ADVOCATE_ROUTES> = {
  listAdvocatesV2: {
    ...LIST,
    query: { schema: ADVOCATES_V2_QUERY, parse: parseAdvocatesV2Query },
    summary: 'List advocates (V2)',
    successes: {
      200: {
        description: 'A page of advocates.',
        headers: ['NextPage'],
        schema: ADVOCATES_DATA,
        examples: {
          one: firstRow('per_page=1', toAdvocateV2(PROGRAM, link, NEWEST_ADVOCATE)),
          past_the_end: PAST_THE_END,
        },
      },
    },
  },
  createAdvocate: {
    summary: 'Create an advocate',
    description: [
      'Creates an active advocate, who can share `referral_link` immediately. Without `slug`, the service derives it from the names (`jane-doe`, then `jane-doe-2` and so on); without names, it is random.',
      '',
      'Send `uid` to repeat a request safely: if an earlier request created the advocate, the repeated request returns 409 with the code `uid_taken`. Without `uid`, a repeated request creates another advocate with another slug.',
    ].join('\n'),
    body: {
      schema: NEW_ADVOCATE_BODY,
      parse: parseNewAdvocate,
      examples: { partner: example('A new partner with a rate of its own', BODY) },
    },
    successes: {
      201: {
        description: 'The new advocate.',
        schema: ADVOCATE_DETAILS_DATA,
        examples: { partner: example('A new partner with a rate of its own', resource(CREATED)) },
        links: {
          token: {
            operationId: 'createAdvocateToken',
            description: 'Creates a token for the page of the advocate.',
            parameters: { slug: NEW_SLUG },
          },
          counts: {
            operationId: 'countReferrals',
            description: "Counts the advocate's referrals.",
            parameters: { affiliate_slug: NEW_SLUG },
          },
        },
      },
    },
    errors: ['uid_taken', 'slug_taken'],
  },
  getAdvocate: {
    summary: 'Get an advocate',
    description: 'Returns one advocate, active or not.',
    successes: {
      200: {
        description: 'The advocate.',
        schema: ADVOCATE_DETAILS_DATA,
        examples: { advocate: example('An advocate', resource(ADVOCATE)) },
      },
    },
    errors: ['advocate_not_found'],
  },
  updateAdvocate: {
    summary: 'Change an advocate',
    description: [
      'Changes the fields that are given: `null` clears an optional field, absent fields stay, and `{}` changes nothing. The request can safely be repeated. `slug` cannot be changed, because links contain it.',
      '',
      'A new rate applies to referrals created after the change. `active: false` deactivates the advocate: it stays in the list and its tokens keep working, but it gets no new referrals and, within 30 seconds, no new clicks.',
    ].join('\n'),
    body: {
      schema: ADVOCATE_CHANGES_BODY,
      parse: parseAdvocateChanges,
      examples: {
        rename: example("A new name, and the program's rate", CHANGES),
        deactivate: example('Deactivate', { active: false }),
      },
    },
    successes: {
      200: {
        description: 'The advocate after the change.',
        schema: ADVOCATE_DETAILS_DATA,
        examples: {
          rename: example(
            "A new name, and the program's rate",
            resource(changeAdvocate(ADVOCATE, parseAdvocateChanges(CHANGES), PROGRAM.createdAt)),
          ),
        },
      },
    },
    errors: ['advocate_not_found', 'advocate_erased', 'uid_taken'],
  },
  eraseAdvocate: {
    summary: 'Erase an advocate',
    description:
      'Erases the person: names, email, `uid` and metadata are emptied, the advocate is deactivated for good, and its tokens are rejected within 30 seconds. Its referrals and numbers stay under the slug, which is never free again; `uid` is. A body is ignored. The request can safely be repeated.',
    successes: { 204: { description: 'The person is erased, by this request or by an earlier one.' } },
    errors: ['advocate_not_found'],
  },
  createAdvocateToken: {
    summary: 'Create a token for an advocate',
    description:
      "Creates an affiliate token that expires, so that the merchant's page can show a signed-in advocate its own referrals. It is rejected from the second `expires_at` on. It ends with the calling token at the latest. Deactivated advocates also get tokens. The body may be missing.",
    body: {
      schema: ADVOCATE_TOKEN_BODY,
      parse: parseTokenLifetime,
      examples: { hour: example('For an hour', { expires_in: 3600 }) },
    },
    successes: {
      201: {
        description: 'The token. It is shown only once.',
        schema: ADVOCATE_TOKEN_DATA,
        examples: {
          hour: example('For an hour', {
            data: toAdvocateToken(NEW_ID, `rta_${'0'.repeat(36)}`, seconds(NOW + 3600)),
          }),
        },
      },
    },
    errors: ['advocate_not_found', 'advocate_erased'],
  },
  revokeAdvocateTokens: {
    summary: "Revoke an advocate's tokens",
    description:
      'Revokes all tokens that the advocate has: they are rejected everywhere within 30 seconds. Tokens that are created afterwards work. The request can safely be repeated, and also revokes tokens that were created since.',
    successes: { 204: { description: 'The tokens are revoked.' } },
    errors: ['advocate_not_found'],
  },
  getAffiliate: {
    summary: "Get the token's advocate",
    description:
      "Returns the advocate of the token: its link, its terms and its program. `commission_percentage` is the advocate's own rate, else its group's, else the program's. `meta.token.expires_at` is `null` if the token never expires.",
    successes: {
      200: {
        description: 'The advocate.',
        schema: AFFILIATE_DATA,
        examples: {
          advocate: example(
            'An advocate',
            toAffiliateData({
              program: PROGRAM,
              advocate: ADVOCATE,
              token: newToken({ advocate: ADVOCATE }, NEW_ID, PROGRAM.createdAt),
              tokenHash: '',
              terms: ADVOCATE_TERMS,
            }),
          ),
        },
      },
    },
  },
  listAdvocates: {
    ...LIST,
    summary: 'List advocates',
    successes: {
      200: {
        description: 'A page of advocates.',
        headers: ['NextPage'],
        schema: ADVOCATE_LIST,
        examples: {
          one: firstRow('per_page=1', toAdvocateV1(PROGRAM, link, NEWEST_ADVOCATE)),
          past_the_end: PAST_THE_END,
        },
      },
    },
  },
};
