import { SCOPES } from '../../functions/kernel/accounts/rules/token.ts';
import { type OperationId, ROUTES } from '../../functions/routes.ts';
import { admin } from './cdk.ts';
import { APPLICANTS, type Applicant, applicantEmail, type Inbox, type LinkName, secretsIn } from './inbox.ts';

/** A program on one service, and what its requests need. */
export interface World {
  readonly baseUrl: string;
  readonly program: string;
  readonly publicKey: string;
  readonly token: string;
  /** The signing secret of the program at Stripe. */
  readonly stripeSecret: string;
  /** The id of another program without secrets. */
  readonly stranger: string;
  /** Slugs of two advocates, which the first requests create. */
  readonly slug: string;
  readonly other: string;
  /** Set by the requests that create them: a token of an advocate, and the ids of a program token and of a webhook. */
  affiliateToken: string;
  programToken: string;
  webhook: string;
  /** The id of the referral that was looked up last. */
  referral: string;
  /** Makes the customers of a run unique. */
  readonly run: string;
  /** The address that asks for a link as an advocate. */
  readonly email: string;
  /** Waits for an email, and returns the secret in its link. */
  readonly secretIn: (link: LinkName, world: World) => Promise<string>;
  /** Set by the requests that create them: a member, and tokens of a sign-in as `other` and as the member. */
  member: string;
  session: string;
  memberSession: string;
  /** Set by the requests that confirm them: the ids of applications. */
  applications: Partial<Record<Applicant, string>>;
}

/** A request to a route. */
export interface Request {
  /** Values of the parameters in the path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly token?: string;
  /** Sent as JSON unless it is a string. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Builds a request for a program. */
export type Build = (world: World) => Request | Promise<Request>;

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A page of the program. API Gateway adds the CORS headers only to requests with an origin. */
export const ORIGIN = 'https://acme.example';
/** The receiver of webhooks, at an address that webhooks accept. */
export const RECEIVER_URL = `https://${process.env['DEPLOY_ADDRESS'] ?? ''}`;
const STRIPE_SECRET = 'whsec_dGhlIHNlY3JldCBvZiBhIHRlc3Qgb2YgdGhlIHN0YWNr';

/** Creates a program and its tokens with the command line. `environment` selects the service, and `inbox` reads its emails. */
export async function createWorld(
  environment: Readonly<Record<string, string>>,
  baseUrl: string,
  inbox?: Inbox,
): Promise<World> {
  const fields = ['--name', 'Acme', '--site-url', ORIGIN, '--commission-percentage', '20'];
  const created = await admin(environment, 'program', 'create', ...fields);
  const program = ['--program', created.id];
  const [{ token }] = await Promise.all([
    admin(environment, 'token', 'create', ...program, '--scope', ...SCOPES),
    admin(environment, 'stripe', 'connect', ...program, '--secret', STRIPE_SECRET, '--base-url', baseUrl),
  ]);
  return {
    ...{ baseUrl, program: created.id, publicKey: created.public_key, token, run: 'a' },
    ...{ affiliateToken: '', programToken: '', webhook: '', referral: '', member: '', session: '', memberSession: '' },
    ...{ applications: {}, email: 'joe@example.com', secretIn: secretsIn(inbox) },
    ...{
      slug: 'jane-doe',
      other: 'joe',
      stripeSecret: STRIPE_SECRET,
      stranger: '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6079',
    },
  };
}

/** Sends a request to its route. */
export async function send(world: World, operation: OperationId, request: Request): Promise<Response> {
  const { path = {}, query, token, body, headers } = request;
  const { method, path: template } = ROUTES[operation];
  const filled = Object.entries(path).reduce<string>(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    template,
  );
  const response = await fetch(`${world.baseUrl}${filled}${query ? `?${query}` : ''}`, {
    method,
    headers: {
      origin: ORIGIN,
      // Node's own user agent would count as a bot.
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const received = await toResponse(response);
  if (response.ok) remember(world, operation, received);
  return received;
}

/** Keeps what later requests need. */
function remember(world: World, operation: OperationId, { body }: Response): void {
  const data = () => JSON.parse(body).data;
  if (operation === 'createAdvocateToken') world.affiliateToken = data().attributes.token;
  if (operation === 'createProgramToken') world.programToken = data().id;
  if (operation === 'createWebhook') world.webhook = data().id;
  if (operation === 'lookUpReferral') world.referral = data().id;
  if (operation === 'createMember') world.member = data().id;
  if (operation === 'confirmApplication') {
    const name = APPLICANTS.find((each) => applicantEmail(each, world) === data().attributes.email);
    if (name) world.applications = { ...world.applications, [name]: data().id };
  }
  if (operation !== 'createSession') return;
  const { token } = data().attributes;
  world[token.startsWith('rta_') ? 'session' : 'memberSession'] = token;
}

export async function toResponse(response: globalThis.Response): Promise<Response> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

/** Sends a request that must succeed. Returns its JSON; `undefined` without a body. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
export async function mustSend(world: World, operation: OperationId, request: Request): Promise<any> {
  const { status, body } = await send(world, operation, request);
  if (status >= 300) throw new Error(`${operation} responds with ${status}: ${body}`);
  return body === '' ? undefined : JSON.parse(body);
}
