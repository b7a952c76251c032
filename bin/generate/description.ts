import { readFileSync } from 'node:fs';
import project from '../../package.json' with { type: 'json' };

/** The sections of the contract for the description of the document. The operations have their own descriptions. */
const SECTIONS =
  'Vocabulary, Resources, Values, Authentication, Order of checks, Errors, Customers, States, Self-referrals, Lists, CORS, Privacy';

const contract = ['contract.md', 'contract/tracking.md']
  .map((path) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8'))
  .join('\n');

function sectionOf(heading: string): string {
  const section = contract.split(/^(?=## )/m).find((text) => text.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`The contract has no section "${heading}".`);
  // The names of simulated promises mean nothing to callers.
  return section.trim().replace(/ `\[[a-z-]+\]`/g, '');
}

export const INFO = {
  title: 'Referral Tracking',
  version: project.version,
  license: { name: 'MIT', identifier: 'MIT' },
  summary: 'Track clicks, conversions and states; manage advocates; list, look up and count their referrals.',
  description: [
    'Records the people whom affiliates (advocates) refer to a program. The request examples succeed on a service that `npm start` has just created, with the tokens that it prints.',
    ...SECTIONS.split(', ').map(sectionOf),
    '## Rate limits',
    'API Gateway limits each route for all programs and callers together: the rate is the sustained number of requests per second, the burst is the number of requests that may arrive together. The limits of each operation are in `x-throttle` and in its 429 response.',
  ].join('\n\n'),
};

/** Each operation has the tag of its function. */
export const TAGS = {
  tracking: { name: 'Tracking', description: 'Clicks, conversions, states, moves and erasures.' },
  advocates: { name: 'Advocates', description: 'The program, its affiliates, and tokens for both.' },
  referrals: { name: 'Referrals', description: 'Lists, lookup and counts of referrals.' },
  integrations: {
    name: 'Integrations',
    description: 'Webhooks and the connection to Stripe. A deployment has these operations only with `events=on`.',
  },
  events: { name: 'Events', description: 'Requests that the service sends to the webhooks of a program.' },
} as const;

const PORT = { default: '3000', description: 'Its port' };
const DOMAIN = { default: 'api.example.com', description: 'The domain of the deployment' };

/** The first server serves the document, so that operations can be tried out there. */
export const SERVERS = [
  { url: '/', description: 'The server of this document' },
  { url: 'http://localhost:{port}', description: 'The local service (`npm start`)', variables: { port: PORT } },
  { url: 'https://{domain}', description: 'A deployment', variables: { domain: DOMAIN } },
];
