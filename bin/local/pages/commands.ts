import { randomBytes } from 'node:crypto';
import { uuidv7 } from '../../../functions/domain/ids.ts';
import { systemClock } from '../../../functions/domain/time.ts';
import { BROWSER, DATA_DIR, DEFAULT_DATA_DIR } from '../../service/environment.ts';
import { NEW_CUSTOMER } from '../demo/data.ts';
import type { Demo } from '../demo/demo.ts';

/** Text to copy, with a title that says what it does. */
export type Command = readonly [title: string, text: string];

/** Returns the two lines that a merchant puts into every page. */
export function snippet(baseUrl: string, publicKey: string): string {
  return [
    '<script>window.gr=window.gr||function(){(gr.q=gr.q||[]).push(arguments)}</script>',
    `<script async src="${baseUrl}/gr.js" data-pk="${publicKey}"></script>`,
  ].join('\n');
}

/**
 * Returns curl commands that lead a referral from a click to its advocate's list, with the tokens of the demo. Each call
 * of this function uses a new visitor, so that the conversion succeeds again.
 */
export function apiCommands(baseUrl: string, demo: Demo): readonly Command[] {
  const curl = (path: string, ...options: string[]) => `curl -i -w '\\n' ${baseUrl}${path} ${options.join(' ')}`;
  const bearer = (token: string) => `-H 'Authorization: Bearer ${token}'`;
  const json = "-H 'Content-Type: application/json'";
  const body = (fields: object) => `-d '${JSON.stringify(fields)}'`;
  const report = (path: string, fields: object) => curl(path, bearer(demo.programToken), json, body(fields));
  const id = uuidv7(systemClock(), randomBytes);
  const grId = `${demo.advocateSlug}.${id}`;
  const email = `visitor-${id.slice(-12)}@example.com`;
  const slug = `sam-${id.slice(-6)}`;
  return [
    [
      'Record a click, as the tracking script does',
      curl('/v2/tracking/click', `-A '${BROWSER}'`, json, body({ pk: demo.publicKey, gr_id: grId })),
    ],
    ['Report that this visitor signed up', report('/v2/tracking/conversion', { email, gr_id: grId })],
    ['Report that the customer paid', report('/v2/tracking/state', { email, state: 'paid' })],
    ['Look up who referred the customer', report('/v2/referrals/lookup', { email })],
    ['List referrals as their advocate', curl('/v1/affiliate/referrals', bearer(demo.affiliateToken))],
    ['Create an advocate', report('/v2/advocates', { email: `${slug}@partners.example`, first_name: 'Sam', slug })],
  ];
}

/** Returns commands of the operator's command line that work on the table of this service. */
export function terminalCommands(dataDir: string, demo: Demo | undefined): readonly Command[] {
  // The command line finds the running service through its DATA_DIR.
  const folder = dataDir === DEFAULT_DATA_DIR ? '' : `${DATA_DIR}='${dataDir.replaceAll("'", "'\\''")}' `;
  const admin = (args: string) => `${folder}./referrals ${args}`;
  const ofDemo = ({ programId }: Demo): Command[] => [
    ['List the advocates of the demo', admin(`advocate list --program ${programId}`)],
    [
      'Report a payment as Stripe does',
      admin(`stripe simulate --program ${programId} --event invoice.paid --email ${NEW_CUSTOMER}`),
    ],
  ];
  return [
    ['Test the service, from a click to the lists', admin('doctor')],
    ['Create a program of your own', admin("program create --name 'My program' --site-url https://shop.example")],
    ...(demo ? ofDemo(demo) : []),
    ['See all commands', admin('--help')],
  ];
}
