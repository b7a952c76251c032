import { randomBytes } from 'node:crypto';
import { systemClock } from '../../functions/domain/time.ts';
import { uuidv7 } from '../../functions/domain/uuid.ts';
import { BROWSER } from './browser.ts';
import type { Demo } from './demo.ts';
import type { LocalService } from './start.ts';

/** What the start-up prints: where the service is, and one line to copy for each operation. */
export function welcome({ baseUrl, demo }: LocalService): string {
  const lines = demo ? ofDemo(baseUrl, demo) : [`API reference: ${baseUrl}/docs`, '', 'No demo program.'];
  return [
    ...lines,
    '',
    'Programs, advocates and tokens of your own: npm run --silent admin -- --help',
    '',
    `Ready on ${baseUrl}`,
  ].join('\n');
}

function ofDemo(baseUrl: string, demo: Demo): string[] {
  const { publicKey, advocateSlug, programToken, affiliateToken } = demo;
  // New visitors at every start: the printed conversions are new each time.
  const [grId, nextGrId] = [newGrId(advocateSlug), newGrId(advocateSlug)];
  const [email, nextEmail] = [emailOf(grId), emailOf(nextGrId)];
  const asMerchant = `-H 'Authorization: Bearer ${programToken}'`;
  const post = (path: string, body: object, ...options: string[]) =>
    ["curl -i -w '\\n' -X POST", `${baseUrl}${path}`, ...options, `-d '${JSON.stringify(body)}'`].join(' ');
  const report = (path: string, body: object) =>
    post(path, body, asMerchant, "-H 'Content-Type: application/json'");
  const get = (address: string, token: string) =>
    `curl -i -w '\\n' '${baseUrl}${address}' -H 'Authorization: Bearer ${token}'`;
  return [
    `Demo site:     ${baseUrl}/demo?via=${advocateSlug}`,
    `API reference: ${baseUrl}/docs`,
    '',
    `Program token:   ${programToken}`,
    `Affiliate token: ${affiliateToken}  (advocate ${advocateSlug})`,
    '',
    'Track a conversion, list the advocates, list the referrals of one:',
    '',
    report('/v1/tracking/conversion', { email, gr_id: grId }),
    '',
    get('/v1/advocates?per_page=5', programToken),
    '',
    get('/v1/affiliate/referrals?per_page=5', affiliateToken),
    '',
    'With V2: record a click, track its conversion, tell that the customer paid; and the script for web pages:',
    '',
    post(
      '/v2/tracking/click',
      { pk: publicKey, gr_id: nextGrId },
      `-A '${BROWSER}'`,
      "-H 'Content-Type: text/plain'",
    ),
    '',
    report('/v2/tracking/conversion', { email: nextEmail, gr_id: nextGrId }),
    '',
    report('/v2/tracking/state', { email: nextEmail, state: 'paid' }),
    '',
    `curl -i '${baseUrl}/gr.js'`,
  ];
}

function newGrId(slug: string): string {
  return `${slug}.${uuidv7(systemClock(), randomBytes)}`;
}

function emailOf(grId: string): string {
  return `visitor-${grId.slice(-12)}@example.com`;
}
