import { readFileSync } from 'node:fs';

/** The sections of docs/contract.md for the description of the document. The operations have their own descriptions. */
const SECTIONS =
  'Vocabulary, Resources, Values, Authentication, Order of checks, Errors, Customers, States, Self-referrals, Lists, CORS, Privacy'.split(
    ', ',
  );

const contract = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8');

function sectionOf(heading: string): string {
  const section = contract.split(/^(?=## )/m).find((text) => text.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`docs/contract.md has no section "${heading}".`);
  return section.trim();
}

export const INFO = {
  title: 'Referral Tracking',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  summary: 'Track clicks, conversions and states; manage advocates; list, look up and count their referrals.',
  description: [
    'Records the people whom affiliates (advocates) refer to a program. The request examples succeed on a service that `npm start` has just created, with the tokens that it prints.',
    ...SECTIONS.map(sectionOf),
    '## Rate limits',
    'API Gateway limits each route for all programs and callers together: the rate is the sustained number of requests per second, the burst is the number of requests that may arrive together. The limits of each operation are in `x-throttle` and in its 429 response.',
  ].join('\n\n'),
};

/** Each operation has the tag of its function. */
export const TAGS = {
  tracking: {
    name: 'Tracking',
    description:
      'Clicks, conversions, states, moves and erasures. Requires the program token, except clicks, the script and conversions from pages.',
  },
  advocates: {
    name: 'Advocates',
    description: 'The affiliates of a program, and tokens for them. Requires the program token.',
  },
  referrals: {
    name: 'Referrals',
    description:
      'Lists, lookup and counts. Requires the program token, except the list and the counts of the affiliate itself, which require its own token.',
  },
  events: { name: 'Events', description: 'Requests that the service sends to the webhooks of a program.' },
} as const;

/** The first server is the one that serves the document, so that operations can be tried out there. */
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
