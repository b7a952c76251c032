import { randomBytes } from 'node:crypto';
import { uuidv7 } from '../../functions/domain/ids.ts';
import { systemClock } from '../../functions/domain/time.ts';
import { BROWSER } from './browser.ts';
import type { Demo } from './demo.ts';
import { demoPrograms } from './demo-data.ts';
import { DATA_DIR, DEFAULT_DATA_DIR } from './environment.ts';

/** A line to type at a shell, and what it does. */
export interface Command {
  readonly title: string;
  readonly line: string;
}

/**
 * A curl line for each operation, with the demo's tokens. They work in their order, and each time they are built they are
 * about new visitors: the conversions succeed again.
 */
export function curlCommands(baseUrl: string, demo: Demo): readonly Command[] {
  const { publicKey, advocateSlug, programToken, affiliateToken } = demo;
  const [grId, nextGrId] = [newGrId(advocateSlug), newGrId(advocateSlug)];
  const [email, nextEmail] = [emailOf(grId), emailOf(nextGrId)];
  const asMerchant = `-H 'Authorization: Bearer ${programToken}'`;
  const post = (path: string, body: object, ...options: string[]) =>
    ["curl -i -w '\\n' -X POST", `${baseUrl}${path}`, ...options, `-d '${JSON.stringify(body)}'`].join(' ');
  const report = (path: string, body: object) => post(path, body, asMerchant, "-H 'Content-Type: application/json'");
  const get = (address: string, token: string) =>
    `curl -i -w '\\n' '${baseUrl}${address}' -H 'Authorization: Bearer ${token}'`;
  const click = { pk: publicKey, gr_id: nextGrId };
  return [
    { title: 'Track a conversion', line: report('/v1/tracking/conversion', { email, gr_id: grId }) },
    { title: 'List the advocates', line: get('/v1/advocates?per_page=5', programToken) },
    {
      title: 'List the referrals of one advocate',
      line: get('/v1/affiliate/referrals?per_page=5', affiliateToken),
    },
    {
      title: 'V2: record a click, as the tracking script does',
      line: post('/v2/tracking/click', click, `-A '${BROWSER}'`, "-H 'Content-Type: text/plain'"),
    },
    {
      title: 'V2: track the conversion of that visitor',
      line: report('/v2/tracking/conversion', { email: nextEmail, gr_id: nextGrId }),
    },
    {
      title: 'V2: report that the customer paid',
      line: report('/v2/tracking/state', { email: nextEmail, state: 'paid' }),
    },
    { title: 'Load the script for web pages', line: `curl -i '${baseUrl}/gr.js'` },
  ];
}

/** Lines of the operator's command line that work on the table of this service. */
export function adminCommands(dataDir: string, demo: Demo | undefined): readonly Command[] {
  const admin = (rest: string) => `${adminPrefix(dataDir)} ${rest}`;
  const [main] = demoPrograms();
  const ofDemo =
    demo && main
      ? [
          {
            title: 'List the advocates of the demo',
            line: admin(`advocate list --program ${main.program.id}`),
          },
        ]
      : [];
  return [
    { title: 'Check every step, from a click to both lists', line: admin('doctor') },
    { title: 'List the programs', line: admin('program list') },
    ...ofDemo,
    {
      title: 'Create a program of your own',
      line: admin("program create --name 'My program' --site-url https://shop.example"),
    },
    { title: 'See all commands', line: admin('--help') },
  ];
}

/** The operator's command line finds the running service through its `DATA_DIR`. */
function adminPrefix(dataDir: string): string {
  const folder = dataDir === DEFAULT_DATA_DIR ? '' : `${DATA_DIR}='${dataDir.replaceAll("'", "'\\''")}' `;
  return `${folder}npm run --silent admin --`;
}

function newGrId(slug: string): string {
  return `${slug}.${uuidv7(systemClock(), randomBytes)}`;
}

function emailOf(grId: string): string {
  return `visitor-${grId.slice(-12)}@example.com`;
}
