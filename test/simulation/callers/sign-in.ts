import type { EmailCause } from '../../../functions/people/rules/email-cause.ts';
import type { SignInPage } from '../../../functions/people/rules/link-budget.ts';
import { codeIn } from '../../support/people.ts';
import type { SentEmail } from '../mail.ts';
import type { ApiRequest } from '../service.ts';
import type { Shop } from '../shops.ts';
import { at, CACHED, type CallerContext, isExpected, post, untilFinal } from './caller.ts';

/** How long somebody waits for an email, and between two looks at the mailbox. In milliseconds. */
const PATIENCE = 45_000;
const LOOK = 3000;
/** A code is valid for 15 minutes. In milliseconds. */
const LIFETIME = 900_000;

/** A session, of which its caller knows whether it is still valid. */
export interface Session {
  readonly token: string;
  /** `unsure` while something may end it. */
  state: 'valid' | 'unsure' | 'ended';
}

/** Lets several people act at a time, with names of their own. */
export async function together(
  context: CallerContext,
  count: number,
  act: (context: CallerContext) => Promise<void>,
): Promise<void> {
  const all = Array.from({ length: count }, (_, lane) => act({ ...context, name: `${context.name}-${lane}` }));
  await Promise.all(all);
}

/** Asks for a link. The response is the same for everybody. */
export async function askForLink(context: CallerContext, shop: Shop, email: string, page: SignInPage): Promise<void> {
  const { knowledge } = context;
  const body = JSON.stringify({ pk: shop.program.publicKey, email, page });
  const request: ApiRequest = { operation: 'requestSignIn', shop, body };
  const answer = await untilFinal(context, request);
  isExpected(context, request, answer, [204]);
  const { 'x-request-id': _, ...headers } = answer.headers;
  const shown = JSON.stringify([answer.status, headers, answer.body]);
  knowledge.askedForLink ??= shown;
  if (shown !== knowledge.askedForLink) knowledge.report('sign-in', `${email} got ${shown}`);
}

/** Waits until an email arrives; `undefined` if it does not. */
export async function waitForEmail(
  { world, mail }: CallerContext,
  { program }: Shop,
  kind: EmailCause['kind'],
  { to, since }: { readonly to: string; readonly since: number },
): Promise<SentEmail | undefined> {
  for (const end = world.now() + PATIENCE; world.now() < end; await world.pause(LOOK)) {
    const email = mail.last(kind, to, { program: program.id, since });
    if (email) return email;
  }
  return undefined;
}

/** Signs in: at times twice, twice at the same moment, after its end, or with a code that the merchant deletes. */
export async function signIn(
  context: CallerContext,
  shop: Shop,
  to: string,
  page: SignInPage,
): Promise<Session | undefined> {
  const { world, knowledge } = context;
  const { chance } = world;
  // Somebody else may have asked a minute ago, which leaves no link but that one.
  const since = world.now() - LIFETIME / 3;
  await askForLink(context, shop, to, page);
  const email = await waitForEmail(context, shop, 'sign_in', { to, since });
  if (!email) return undefined;
  email.isUsed = true;
  const isLate = chance.happens(0.05);
  if (isLate) await world.pause(LIFETIME + 2 * world.skew);
  const isForgotten = chance.happens(0.1);
  const erasure = post(shop, 'erasePerson', { email: to });
  if (isForgotten) isExpected(context, erasure, await untilFinal(context, erasure), [204]);
  const body = JSON.stringify({ code: codeIn(email), keep: chance.happens(0.5) });
  const request: ApiRequest = { operation: 'createSession', shop, body };
  const attempts = [request, ...(chance.happens(0.3) ? [request] : [])];
  const answers = await Promise.all(attempts.map((each) => untilFinal(context, each)));
  if (chance.happens(0.3)) answers.push(await untilFinal(context, request));
  for (const answer of answers) isExpected(context, request, answer, isLate || isForgotten ? [400] : [201, 400]);
  const created = answers.find(({ status }) => status === 201);
  // Members remove each other.
  const mayEnd = page === 'dashboard';
  const mayFail = isLate || isForgotten || email.isStolen || mayEnd || answers.some(({ isFirst }) => !isFirst);
  if (!created && !mayFail) knowledge.report('codes-once', `A new code of ${to} created no session`);
  const state = mayEnd ? 'unsure' : 'valid';
  return created && { token: JSON.parse(created.body).data.attributes.token, state };
}

/** Sends a request with a session, which is refused only if something may have ended the session. */
export async function inSession(
  context: CallerContext,
  session: Session,
  request: ApiRequest,
  expected: readonly number[] = [200],
) {
  const { state } = session;
  const answer = await untilFinal(context, { ...request, token: session.token });
  const isSure = state === 'valid' && session.state === 'valid';
  isExpected(context, request, answer, isSure ? expected : [...expected, 401, 403, 404, 409]);
  return answer;
}

/** Does what ends a session. It surely ends with one of some statuses. */
export async function ending(
  context: CallerContext,
  session: Session,
  request: ApiRequest,
  expected: readonly number[],
): Promise<boolean> {
  if (session.state === 'valid') session.state = 'unsure';
  const answer = await untilFinal(context, request);
  if (!isExpected(context, request, answer, [...expected, 400, 401, 404, 409])) return false;
  if (expected.includes(answer.status)) session.state = 'ended';
  return expected.includes(answer.status);
}

/** Signs out. */
export const signOut = (context: CallerContext, shop: Shop, session: Session) =>
  ending(context, session, { ...at(shop, 'deleteSession', {}), token: session.token }, [204]);

/** An ended session is refused everywhere after 30 seconds. */
export async function expectRefused(context: CallerContext, request: ApiRequest): Promise<void> {
  const { world, knowledge } = context;
  await world.pause(CACHED + 2 * world.skew);
  const { status } = await untilFinal(context, request);
  if (status !== 401) knowledge.report('delay', `An ended session returned ${status}`);
}
