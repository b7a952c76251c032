import { randomBytes } from 'node:crypto';
import { uuidv7 } from '../../functions/domain/ids.ts';
import { systemClock } from '../../functions/domain/time.ts';
import type { OperationId } from '../../functions/routes.ts';
import { demoPrograms, NEW_CUSTOMER } from './demo/data.ts';
import type { Demo } from './demo/demo.ts';
import { webhookIdOf } from './demo/webhook.ts';
import { DATA_DIR, DEFAULT_DATA_DIR } from './environment.ts';

/** The user agent of a browser. The service ignores clicks of bots, and curl's own user agent counts as one. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** The properties of a running service that its overview shows. */
export interface RunningService {
  readonly baseUrl: string;
  readonly demo: Demo | undefined;
  readonly dataDir: string;
}

/** A line to type into a shell, with a title that says what it does. */
export type Command = readonly [title: string, line: string];

/** Returns the text that a start prints and that curl gets from `GET /`: addresses, tokens and commands to try. */
export function welcome({ baseUrl, demo, dataDir }: RunningService): string {
  const commands = [...(demo ? curlCommands(baseUrl, demo) : []), ...adminCommands(dataDir, demo)];
  return [
    `Overview:      ${baseUrl}`,
    ...(demo ? [`Demo site:     ${baseUrl}/demo?via=${demo.advocateSlug}`] : []),
    `API reference: ${baseUrl}/docs`,
    '',
    ...(demo
      ? [
          `Program token:   ${demo.programToken}`,
          `Affiliate token: ${demo.affiliateToken}  (advocate ${demo.advocateSlug})`,
        ]
      : ['No demo programs: DEMO is off, or the table contains other programs.']),
    '',
    ...commands.flatMap(([title, line]) => [`${title}:`, line, '']),
    `Ready on ${baseUrl}`,
  ].join('\n');
}

/**
 * Returns a curl command for each operation but Stripe's, which needs a signature. They have the tokens of the demo, to
 * run in this order. Each call of this function uses new visitors, so that the conversions succeed again.
 */
export function curlCommands(baseUrl: string, demo: Demo): readonly Command[] {
  const curl = (...options: string[]) => `curl -i -w '\\n' ${options.join(' ')}`;
  const get = (pathAndQuery: string, ...options: string[]) => curl(`'${baseUrl}${pathAndQuery}'`, ...options);
  const send = (method: string, path: string, body: object, ...options: string[]) =>
    curl(`-X ${method}`, `${baseUrl}${path}`, ...options, `-d '${JSON.stringify(body)}'`);
  const bearer = (token: string) => `-H 'Authorization: Bearer ${token}'`;
  const [merchant, affiliate] = [bearer(demo.programToken), bearer(demo.affiliateToken)];
  const report = (path: string, body: object, method = 'POST') =>
    send(method, path, body, merchant, "-H 'Content-Type: application/json'");
  const newGrId = () => `${demo.advocateSlug}.${uuidv7(systemClock(), randomBytes)}`;
  const emailOf = (grId: string) => `visitor-${grId.slice(-12)}@example.com`;
  const [grId, otherGrId] = [newGrId(), newGrId()];
  const email = emailOf(grId);
  const click = { pk: demo.publicKey, gr_id: grId };
  const slug = `sam-${grId.slice(-6)}`;
  const owner = `affiliate_slug=${demo.advocateSlug}`;
  const asBrowser = [`-A '${BROWSER}'`, "-H 'Content-Type: text/plain'"];
  const commands: Readonly<Record<Exclude<OperationId, 'receiveStripeEvent'>, Command>> = {
    trackClick: [
      'Record a click, as the tracking script does',
      send('POST', '/v2/tracking/click', click, ...asBrowser),
    ],
    trackConversionV2: [
      'Track the conversion of that visitor',
      report('/v2/tracking/conversion', { email, gr_id: grId }),
    ],
    setState: ['Report that the customer paid', report('/v2/tracking/state', { email, state: 'paid' })],
    getScript: ['Load the tracking script', get('/gr.js')],
    lookUpReferral: ['Look up who referred the customer', report('/v2/referrals/lookup', { email })],
    listReferralsV2: ["List an advocate's referrals", get(`/v2/referrals?${owner}&per_page=5`, merchant)],
    countReferrals: ["Count an advocate's referrals", get(`/v2/referrals/counts?${owner}&group_by=month`, merchant)],
    createAdvocate: [
      'Create an advocate',
      report('/v2/advocates', { email: `${slug}@partners.example`, first_name: 'Sam', slug }),
    ],
    getAdvocate: ['Get the advocate', get(`/v2/advocates/${slug}`, merchant)],
    updateAdvocate: [
      'Change the advocate',
      report(`/v2/advocates/${slug}`, { last_name: 'Rivera', commission_percentage: 25 }, 'PATCH'),
    ],
    createAdvocateToken: [
      'Create a token for the advocate, valid for an hour',
      report(`/v2/advocates/${slug}/tokens`, { expires_in: 3600 }),
    ],
    listAdvocatesV2: ['List the advocates', get('/v2/advocates?per_page=5', merchant)],
    reassignReferral: [
      'Move the referral to the new advocate',
      report('/v2/tracking/reassign', { email, affiliate_slug: slug }),
    ],
    eraseCustomer: ['Erase the customer', report('/v2/tracking/erase', { email })],
    countOwnReferrals: ['Count referrals as their advocate', get('/v2/affiliate/referrals/counts', affiliate)],
    listReferrals: ['List referrals as their advocate', get('/v1/affiliate/referrals?per_page=5', affiliate)],
    listAdvocates: ['List the advocates with V1', get('/v1/advocates?per_page=5', merchant)],
    trackConversionV1: [
      'Track a conversion with the deprecated V1',
      report('/v1/tracking/conversion', { email: emailOf(otherGrId), gr_id: otherGrId }),
    ],
  };
  return Object.values(commands);
}

/** Returns commands of the operator's command line that work on the table of this service. */
export function adminCommands(dataDir: string, demo: Demo | undefined): readonly Command[] {
  // The command line finds the running service through its DATA_DIR.
  const folder = dataDir === DEFAULT_DATA_DIR ? '' : `${DATA_DIR}='${dataDir.replaceAll("'", "'\\''")}' `;
  const admin = (args: string) => `${folder}./referrals ${args}`;
  const [main] = demo ? demoPrograms() : [];
  return [
    ['Test the service, from a click to the lists', admin('doctor')],
    ['List the programs', admin('program list')],
    ...(main ? [['List the advocates of the demo', admin(`advocate list --program ${main.program.id}`)] as const] : []),
    ...(main
      ? [
          [
            'Report a payment as Stripe does',
            admin(`stripe simulate --program ${main.program.id} --event invoice.paid --email ${NEW_CUSTOMER}`),
          ] as const,
          [
            'List what the webhook of the demo shop received',
            admin(`webhook deliveries --program ${main.program.id} --id ${webhookIdOf(main.program.id)}`),
          ] as const,
        ]
      : []),
    ['Create a program of your own', admin("program create --name 'My program' --site-url https://shop.example")],
    ['See all commands', admin('--help')],
  ];
}
