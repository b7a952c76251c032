import { randomBytes } from 'node:crypto';
import type { HttpResult } from '../../../functions/kernel/http/context.ts';
import { uuidv7 } from '../../../functions/kernel/ids.ts';
import { systemClock } from '../../../functions/kernel/time.ts';
import { CONVERTED } from '../../../functions/openapi/records.ts';
import { DATA_DIR, DEFAULT_DATA_DIR } from '../../service/environment.ts';
import { DASHBOARD_PATH, type Demo } from '../demo/demo.ts';
import { html, page, textResult, withHeaders } from './html.ts';
import { signInLinks } from './outbox.ts';

export interface RunningService {
  readonly baseUrl: string;
  readonly demo: Demo | undefined;
  readonly dataDir: string;
}

const portalOf = ({ affiliateToken }: Demo) => `/portal#token=${affiliateToken}`;

/** Returns the text that a start prints and that curl gets from `GET /`: links and tokens. */
export function welcome({ baseUrl, demo }: RunningService): string {
  return [
    `Overview:           ${baseUrl}`,
    ...(demo
      ? [
          `Demo site:          ${baseUrl}/demo?via=${demo.advocateSlug}`,
          `Advocate's page:    ${baseUrl}${portalOf(demo)}`,
          `Dashboard:          ${baseUrl}${DASHBOARD_PATH}`,
          `Account by email:   ${baseUrl}/account#program=${demo.publicKey}  (sign in as ${demo.advocateEmail})`,
          `Dashboard by email: ${baseUrl}/dashboard#program=${demo.publicKey}  (sign in as ${demo.memberEmail})`,
        ]
      : []),
    `Emails:             ${baseUrl}/outbox`,
    `API reference:      ${baseUrl}/docs`,
    'Log of requests:    LOG=requests npm start',
    '',
    ...(demo
      ? [
          `Program token:      ${demo.programToken}`,
          `Affiliate token:    ${demo.affiliateToken}  (advocate ${demo.advocateSlug})`,
        ]
      : ['No demo programs: DEMO is off, or the table contains other programs.']),
    '',
    `Ready on ${baseUrl}`,
  ].join('\n');
}

const NO_DEMO = html`This service was started with <code>DEMO=off</code>, its table contains other programs, or this
      address does not begin with <code>http://localhost</code>. For the demo site, start the service without
      <code>DEMO</code> and with an empty <code>DATA_DIR</code>.`;

/** Returns the overview of the running service: a page for browsers, the text of the start-up for other clients. */
export async function homePage(service: RunningService, accept = ''): Promise<HttpResult> {
  const isBrowser = /\btext\/html\b/i.test(accept);
  const result = isBrowser ? await overview(service) : textResult('text/plain', `${welcome(service)}\n`);
  return withHeaders(result, { vary: 'accept' });
}

export async function noDemoPage(): Promise<HttpResult> {
  return { ...(await page('web/local/no-demo.html', { no_demo: NO_DEMO })), statusCode: 404 };
}

function overview({ baseUrl, demo, dataDir }: RunningService): Promise<HttpResult> {
  // A new visitor each time, so that the commands succeed again.
  const id = uuidv7(systemClock(), randomBytes);
  const slug = demo?.advocateSlug ?? 'jane-doe';
  // The command line finds the running service through its DATA_DIR.
  const folder = dataDir === DEFAULT_DATA_DIR ? '' : `${DATA_DIR}='${dataDir.replaceAll("'", "'\\''")}' `;
  return page('web/local/home.html', {
    base_url: baseUrl,
    no_demo: NO_DEMO,
    slug,
    public_key: demo?.publicKey ?? '$PUBLIC_KEY',
    program: demo?.programId ?? '',
    portal: demo ? portalOf(demo) : '',
    dashboard: demo ? DASHBOARD_PATH : '',
    sign_in: demo ? signInLinks(demo) : '',
    program_token: demo?.programToken ?? '',
    affiliate_token: demo?.affiliateToken ?? '',
    gr_id: `${slug}.${id}`,
    email: `visitor-${id.slice(-12)}@example.com`,
    referrals: `${folder}./referrals`,
    payment: `in_${id.slice(-12)}`,
    customer: CONVERTED.email ?? '',
  });
}
