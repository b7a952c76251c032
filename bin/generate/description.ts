import { MAX_NAME, MAX_SUB_ID, MAX_UID } from '../../functions/domain/fields.ts';
import { type Cause, TRANSITIONS } from '../../functions/domain/state.ts';
import { CORS, type FunctionName } from '../../functions/routes.ts';

const CAUSES: Readonly<Record<Cause, string>> = {
  click: 'a click',
  conversion: 'a conversion',
  update: 'a state update by the merchant',
};

const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');

/** The rules that fields and statuses do not express. Markdown, one section each. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  Vocabulary: [
    '| term | meaning |',
    '|---|---|',
    "| program | one merchant's affiliate program. It owns advocates, referrals and tokens, and sees nothing of another program |",
    '| advocate | an affiliate of a program |',
    '| referral | a person referred by an advocate. Starts as a click or as a conversion |',
    "| program token | token for the merchant's server: tracks conversions and states, lists advocates |",
    "| affiliate token | token for one advocate: lists that advocate's referrals |",
    "| public key, `pk` | publishable key of a program. Safe in a web page: it records clicks, and conversions from the program's allowed origins; it reads nothing |",
    "| slug | an advocate's name in links, unique within the program: 1 to 64 of `a-z`, `0-9` and `-`, case-insensitive, stored in lower case |",
    `| \`uid\` | the merchant's own id, 1 to ${MAX_UID} characters, case-sensitive. On an advocate and in a V1 conversion it is the advocate's; in V2 bodies it is the customer's |`,
    "| `gr_id` | value of the visitor's cookie: slug, dot, click id; the click id is a lower-case UUIDv7 |",
  ],
  'Identifiers and values': [
    '* Ids are UUIDv7 strings. `type` is `referral` or `advocate`. Timestamps are whole Unix seconds, UTC.',
    '* A field without a value is `null` in responses, never missing and never invented.',
    '* In every request body, `null` and `""` count as absent.',
    '* `email`: white space at both ends is removed, it is lower-cased, and its domain is converted to ASCII (punycode); this form is stored, compared and returned. Plus-tags and dots are ' +
      'significant. At most 254 characters, 64 of them before the `@`; an ASCII dot-atom and a domain with at least one dot. Control characters, lone surrogates and inner white space are rejected.',
    `* \`sub_id\`: 1 to ${MAX_SUB_ID} characters without control characters, compared exactly. Names: at most ${MAX_NAME} characters.`,
    "* `referral_link` is the program's site URL with its link parameter (default `via`) set to the slug.",
    "* `company_id` and `company` are the advocate's organization in the merchant's records. If neither is given, they are the program's id and name; if only one is given, the other is `null`.",
    "* `commission_percentage` is the advocate's rate if it has one, else the program's, fixed when the referral is created. `commission_end_date` is the conversion time " +
      "plus the program's commission months (calendar months, UTC, clamped to the end of the month); `null` before a conversion and if the commission never ends.",
    '* A deactivated advocate stays in the list of advocates and its tokens keep working. It gets no new referrals and, within 30 seconds, no new clicks.',
  ],
  States: [
    '| from | to | by |',
    '|---|---|---|',
    ...TRANSITIONS.map(({ from, to, cause, restores }) => {
      const states = from.map((state) => (state === null ? '–' : `\`${state}\``)).join(', ');
      return `| ${states}${restores ? ', if it was converted before' : ''} | \`${to}\` | ${CAUSES[cause]} |`;
    }),
    '',
    'Any other transition is refused (409) and changes nothing. Setting the current state again succeeds and changes nothing. Only a conversion turns a click into ' +
      '`converted`. `state_set_at` changes exactly when the state does; `created_at` ≤ `state_set_at` ≤ `updated_at` always.',
  ],
  Authentication: [
    '`Authorization: Bearer <token>`, scheme in any case. Missing, malformed, unknown, revoked and expired tokens get the same 401. A valid token of the wrong kind gets a 403.',
    '',
    '* A token is `rtp_` (program) or `rta_` (affiliate), then 30 random characters of `0-9A-Za-z`, then a checksum of 6 characters: the CRC-32 of those 30 in base 62 (digits, capitals, lower case), zero-padded. A wrong checksum is rejected without reading the table.',
    '* A token is shown once, when it is created; only its SHA-256 is stored. Several tokens of one owner may be live at once (rotation). Revocation takes effect within 30 seconds.',
    "* The program comes from the token, never from the request. Another program's `gr_id`, `pk`, slug or cursor gets exactly the response that an unknown one gets.",
  ],
  'Order of checks': [
    '401, 403, 413 (body size), 415 (content type), 400 (JSON), 400 (fields), replay of an `Idempotency-Key` or 422, 400 (affiliate), 404, 409. ' +
      'An unauthenticated caller learns nothing else, and a wrong affiliate never reveals whether a customer exists. ' +
      'A V2 conversion without `Authorization` is read first (413, 415, 400); then no `pk` or an unknown one is a 401, and an origin that is not allowed is a 403.',
  ],
  Errors: [
    '* The body is exactly `{"error": "<sentence>"}`. The sentence names the field, parameter or header and never repeats its value.',
    '* `x-error-code` is a stable machine-readable code. `x-request-id` is on every response of the service.',
    '* Validation errors are 400. 500 and 503 do not reveal the cause; 503 carries `Retry-After`.',
    '* API Gateway itself responds to an unknown path or method (404), a body over 10 MB (413) and too many requests (429), with `{"message": "<sentence>"}` and without the headers of the service.',
  ],
  Lists: [
    '* Newest first: by `created_at`, then id, both descending. With a `state_set_at` filter: by `state_set_at`, then id, both descending.',
    '* `page` (default 1) is an exact offset into the list as it is at that moment: every page but the last is full whatever the filters. `per_page` defaults to 25. ' +
      'A page past the end is 200 with no data. `has_more` is true exactly if one more row exists.',
    '* Every page that has more carries `Link` with `rel="next"`: a URL with an opaque `cursor` that continues right after the last row, without gaps or repetitions while rows are added. ' +
      'It replaces `page` (both: 400), may be combined with another `per_page`, does not expire, and is valid only for the list, filters and owner it was issued for, else 400. `meta.pagination.page` keeps counting.',
    '* `_lt` and `_gt` are strict. A time is `YYYY-MM-DD HH:MM:SS +ZZZZ` or RFC 3339 (`T` and `Z` in either case, fractions compared exactly), percent-encoded; a `+` that arrives as a space counts as `+`. ' +
      'Dates that do not exist, 24:00:00, second 60 and offsets beyond 14 hours are 400. An empty range is 200 with no data.',
    '* Numbers are decimal digits without sign or leading zero, at most nine. A known parameter given twice is 400; unknown parameters are ignored.',
    '* Without `state_eq`, clicks are not listed; `state_eq=clicked` lists them. A click past its attribution window may be listed until the table deletes it (on AWS within days); it no longer converts.',
    '* On AWS the indexes behind the lists lag behind the writes, usually by well under a second: "at that moment" means as the index stands. A state change may for a moment show in two lists or in none. A client that polls for new rows should overlap the previous range by a minute.',
  ],
  'Rate limits': [
    'API Gateway limits each route for all programs and callers together: the rate is the sustained number of requests a second, the burst is how many may arrive at once. ' +
      'Each operation has its limits in `x-throttle` and in its 429 response.',
  ],
  'Browsers (CORS)': [
    `Any origin may call by default (the deployer can restrict the origins), never with credentials: methods ${code(CORS.methods)}, request headers ${code(CORS.requestHeaders)}, readable response headers ${code(CORS.responseHeaders)}. ` +
      'A token never belongs in a web page; the public key does.',
  ],
  Privacy: [
    'No IP address and no user agent is stored. Logs hold ids, routes, statuses and durations; never a body, an email, a token or a header. ' +
      'Table keys hold hashes of emails and customer ids, not the values. After a person was erased, `email` and `uid` are `null` and free for another referral; state, `created_at` and `state_set_at` stay.',
  ],
};

export const INFO = {
  title: 'Referral Tracking',
  version: '1.0.0',
  summary: 'Track clicks, conversions and states; list advocates and their referrals.',
  description: [
    'Records the people that affiliates (advocates) refer to a program. All bodies are JSON; a resource is `{id, type, attributes}` in `data`. ' +
      'The request examples succeed on a service just created with `npm start`, with the tokens it prints.',
    ...Object.entries(SECTIONS).map(([heading, lines]) => [`## ${heading}`, '', ...lines].join('\n')),
  ].join('\n\n'),
};

/** Each operation has the tag of its function. */
export const TAGS: Readonly<Record<FunctionName, { readonly name: string; readonly description: string }>> = {
  tracking: {
    name: 'Tracking',
    description:
      'Clicks, conversions and states. Requires the program token, except clicks, the script and conversions from pages.',
  },
  advocates: { name: 'Advocates', description: 'The affiliates of a program. Requires the program token.' },
  referrals: {
    name: 'Referrals',
    description: 'The referrals of an advocate. Requires the affiliate token.',
  },
};

/** The first server is the one that serves the document, so that it can be tried out in place. */
export const SERVERS = [
  { url: '/', description: 'The server of this document' },
  {
    url: 'http://localhost:{port}',
    description: 'The local service (`npm start`)',
    variables: { port: { default: '3000', description: 'Its port' } },
  },
  {
    url: 'https://{domain}',
    description: 'A deployment',
    variables: { domain: { default: 'api.example.com', description: 'The domain of the deployment' } },
  },
];
