import { type Cause, TRANSITIONS } from '../../functions/domain/state.ts';
import { MAX_NAME, MAX_SUB_ID, MAX_UID } from '../../functions/domain/text.ts';
import { CORS, type FunctionName } from '../../functions/routes.ts';

const CAUSES: Readonly<Record<Cause, string>> = {
  click: 'a click',
  conversion: 'a conversion',
  setting: 'the merchant, who sets it',
};

const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');

/** What a caller must know beside fields and statuses. Markdown, a section each. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  Words: [
    '| word | meaning |',
    '|---|---|',
    "| program | one merchant's affiliate program: it owns advocates, referrals and tokens, and sees nothing of another program |",
    '| advocate | an affiliate of a program |',
    '| referral | a person brought in by an advocate; it begins as a click or as a conversion |',
    "| program token | token of the merchant's server: tracks conversions and states, lists advocates |",
    "| affiliate token | token of one advocate: lists that advocate's referrals |",
    '| `pk` | the public key of a program: it may stand in a web page; it records clicks, and conversions where the program lists the origin of the page, and reads nothing |',
    "| slug | an advocate's name in links, unique in the program: 1 to 64 of `a-z`, `0-9` and `-`, compared in lower case |",
    `| \`uid\` | the merchant's own id, 1 to ${MAX_UID} characters, compared with its case: on an advocate and in a V1 conversion the advocate's, in V2 the customer's |`,
    "| `gr_id` | the value of the visitor's cookie: slug, dot, click id; the click id is a UUIDv7 in lower case |",
  ],
  'Values and ids': [
    '* Ids are UUIDv7. `type` is `referral` or `advocate`. Times are whole Unix seconds, UTC.',
    '* A field without a value is `null`: never missing, never an invented value.',
    '* An e-mail is stored, compared and answered without white space at both ends, in lower case, its domain in ASCII (punycode). Plus-tags and dots stay ' +
      'significant. At most 254 characters, 64 before the `@`; an ASCII dot-atom at a domain with at least one dot. Control characters, lone surrogates and inner white space are refused.',
    `* \`sub_id\`: 1 to ${MAX_SUB_ID} characters without control characters, compared exactly. Names: at most ${MAX_NAME} characters.`,
    "* `referral_link` is the program's site with its link parameter (`via` unless the program says otherwise) set to the slug.",
    "* `company_id` and `company` are the advocate's own organisation in the merchant's records; where neither is known, the program's id and name; where one is known, the other is `null`.",
    "* `commission_percentage` is the advocate's own rate, else the program's, fixed when the referral is created. `commission_end_date` is the time of the conversion " +
      "plus the program's commission months (calendar months in UTC, drawn in to the end of a shorter month); `null` before a conversion and where the commission never ends.",
    '* A deactivated advocate stays in the list of advocates and its token goes on listing; it gets no new referrals, and within 30 seconds no new clicks.',
  ],
  States: [
    '| from | to | by |',
    '|---|---|---|',
    ...TRANSITIONS.map(({ from, to, cause, restores }) => {
      const states = from.map((state) => (state === null ? '–' : `\`${state}\``)).join(', ');
      return `| ${states}${restores ? ', where it was converted before' : ''} | \`${to}\` | ${CAUSES[cause]} |`;
    }),
    '',
    'Anything else is refused and changes nothing; to set the state that a referral has already is a success that changes nothing. Only a conversion makes a click ' +
      '`converted`. `state_set_at` changes exactly when the state does, and `created_at` ≤ `state_set_at` ≤ `updated_at` always.',
  ],
  Authentication: [
    'The header `Authorization: Bearer <token>`, the scheme in any case. A missing, malformed, unknown, revoked or expired token is always the same 401; a valid token of the other kind is a 403.',
    '',
    '* A token is `rtp_` (program) or `rta_` (affiliate), 30 random characters of `0-9A-Za-z`, and a checksum of 6: the CRC-32 of those 30 in base 62 (digits, capitals, small letters), padded with zeros. A wrong checksum is refused without a read of the table.',
    '* A token is shown once, when it is made; only its SHA-256 is stored. Several tokens of one owner may be live at once. A revoked one stops working within 30 seconds.',
    "* The program comes from the token, never from the request. Another program's `gr_id`, `pk` or slug is answered exactly as an unknown one.",
  ],
  'Order of checks': [
    '401, 403, 413 (body), 415 (content type), 400 (JSON), 400 (fields), replay of an `Idempotency-Key` or 422, 400 (affiliate), 404 (referral), 409. ' +
      'Who is not authenticated learns nothing else; a wrong affiliate never reveals whether an e-mail exists. ' +
      'A V2 conversion without `Authorization` is read first (413, 415, 400): no `pk` or an unknown one is then a 401, an origin that is not listed a 403.',
  ],
  Errors: [
    '* The body is exactly `{"error": "<sentence>"}`. The sentence names the field, parameter or header at fault and never repeats its value.',
    '* `x-error-code` is a stable machine word for the reason. `x-request-id` is on every answer of the service, also on success.',
    '* What is not valid is a 400. A 500 or 503 says nothing of its cause; a 503 carries `Retry-After`.',
    '* API Gateway answers an unknown path or method (404), a body beyond 10 MB (413) and too many requests (429) itself, with `{"message": "<words>"}` and without the headers of the service.',
  ],
  Lists: [
    '* Newest first: by `created_at`, then by id, both descending; with a filter on `state_set_at` by `state_set_at`, then by id.',
    '* `page` (1 unless given) is an exact offset into the list as it is at that moment: every page but the last is full, whatever the filters. `per_page` is 25 unless given. ' +
      'A page past the end is a 200 without data. `has_more` is true exactly when one more row exists.',
    '* Where there is more, `Link` with `rel="next"` gives an address with an opaque `cursor` that goes on right after the last row, without gap or repetition while rows are added. ' +
      'It stands in place of `page` (both: 400), may come with another `per_page`, does not expire, and works only for the list, filters and owner it was made for. `meta.pagination.page` goes on counting.',
    '* `_lt` and `_gt` are strict. A time is `YYYY-MM-DD HH:MM:SS +ZZZZ` or RFC 3339 (`T` and `Z` in either case, fractions compared exactly), percent-encoded; a `+` that arrives as a space counts as `+`. ' +
      'Dates that the calendar lacks, 24:00:00, second 60 and offsets beyond 14 hours are a 400. An empty range is a 200 without data.',
    '* Numbers are decimal digits without sign or leading zero, at most nine. A known parameter given twice is a 400; unknown ones are ignored.',
    '* Without `state_eq`, clicks are not listed: `clicked` is listed through `state_eq=clicked` only.',
  ],
  'Rate limits': [
    'API Gateway limits each route for all programs and callers together: the rate is the sustained number of requests a second, the burst is how many may arrive at once. ' +
      'Each operation has its limits in `x-throttle` and in its 429 response.',
  ],
  Browsers: [
    `Any origin may call unless the deployer narrows them, never with credentials: methods ${code(CORS.methods)}, request headers ${code(CORS.requestHeaders)}, readable answer headers ${code(CORS.responseHeaders)}. ` +
      'A token never belongs in a web page; the public key is for that.',
  ],
  Privacy: [
    'No IP address and no user agent is stored. Logs hold ids, routes, statuses and durations; never a body, an e-mail, a token or a header. ' +
      'Keys of the table hold hashes of e-mails and customer ids, not the values. Where a person was erased, `email` and `uid` are `null` and free for another referral; state and times stay.',
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

/** An operation is under the tag of the function that answers it. */
export const TAGS: Readonly<Record<FunctionName, { readonly name: string; readonly description: string }>> = {
  tracking: {
    name: 'Tracking',
    description:
      'What happens to referrals: takes the program token; clicks, the script and conversions from pages take none.',
  },
  advocates: { name: 'Advocates', description: 'The affiliates of a program. Takes the program token.' },
  referrals: { name: 'Referrals', description: 'What an affiliate brought in. Takes the affiliate token.' },
};

/** The first one is the service that serves the document, so that it can be tried out where it is read. */
export const SERVERS = [
  { url: '/', description: 'Where this document is served' },
  {
    url: 'http://localhost:{port}',
    description: 'A local start',
    variables: { port: { default: '3000', description: 'The port of the local start' } },
  },
  {
    url: 'https://{domain}',
    description: 'A deployment',
    variables: { domain: { default: 'api.example.com', description: 'The domain of the deployment' } },
  },
];
