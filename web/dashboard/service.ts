import { createApi, type ResponseBody } from '../kit/api.ts';
import { EmailLinks } from '../kit/email-links.ts';
import { inPageWords } from '../kit/responses.ts';
import { rulesReader } from '../kit/rules.ts';
import { FROM_ADDRESS, Session } from '../kit/session.ts';
import { endSession, type SignInPage } from '../kit/sign-in.tsx';

const isFramed = window.parent !== window;

/** The session of the page. The token leaves the address before anything else happens. */
export const session: Session = new Session({
  key: 'referral-dashboard-token',
  isFramed,
  canSignIn: true,
  ownerOf: programIdOf,
});
export const api = createApi(session, inPageWords);
export const signInPage: SignInPage = {
  api,
  session,
  links: new EmailLinks('referral-dashboard-program', isFramed),
  name: 'dashboard',
  days: 7,
};
/** Reads what rules of the program pay. */
export const readRules = rulesReader(async (rules_id, signal) => {
  const params = { rules_id };
  return (await api.send('get', '/v2/commission-rules/{rules_id}', { params, signal })).body.data.attributes.rules;
});

/** Returns the id of a token's program. Throws an `ApiError` if the token cannot read it. */
export async function programIdOf(token: string): Promise<string> {
  return (await api.send('get', '/v2/program', { token })).body.data.id;
}

type Token = ResponseBody<'/v2/program', 'get'>['meta']['token'];

/** The origin of a token from the exchange: the word, its id, and the id of the first token until that is revoked. */
const EXCHANGED = 'exchange';

/** The longest life of a token that the API creates, in seconds. */
const YEAR = 31_536_000;

/**
 * Exchanges a token that came in the address for another one with the same name and scopes, which ends with it, and
 * revokes the first: the browser keeps the address in its history. In a frame, the address is in no history. Each call
 * continues what an earlier call could not finish. `now` is the service's time.
 */
export async function exchangeToken(given: Token, now: number): Promise<void> {
  const { id, scopes } = given;
  const first = session.token;
  if (isFramed || !scopes.includes('admin')) return;
  if (session.origin === FROM_ADDRESS) {
    // Another call must not create a second token.
    session.origin = '';
    try {
      const body = successorOf(given, now);
      const { attributes, id: next } = (await api.send('post', '/v2/tokens', { body, token: first })).body.data;
      if (session.token !== first) return await revoke(attributes.token, next);
      session.replace(attributes.token, `${EXCHANGED} ${next} ${id}`);
    } catch {
      // The first token works on, until another call succeeds.
      if (session.token === first) session.origin = FROM_ADDRESS;
      return;
    }
  }
  const { token, origin } = session;
  const [word, next, former] = origin.split(' ');
  if (word !== EXCHANGED || former === undefined) return;
  const isRevoked = await revoke(token, former).then(
    () => true,
    () => false,
  );
  if (isRevoked && session.token === token) session.origin = `${EXCHANGED} ${next}`;
}

/** The body that creates another token like this one. If this one lasts for years, the other one lasts for one. */
const successorOf = ({ name, scopes, expires_at }: Token, now: number) => ({
  scopes,
  ...(name !== null && { name }),
  ...(expires_at !== null && { expires_in: Math.min(expires_at - now, YEAR) }),
});

/** Forgets the token. A token from a sign-in or the exchange belongs to this page alone, so it is revoked. */
export function signOut(): void {
  const { token, origin, isSignIn } = session;
  session.signOut();
  if (isSignIn) void endSession(api, token);
  const [word, id, former] = origin.split(' ');
  if (word === EXCHANGED && id !== undefined) void revokeInTurn(token, former === undefined ? [id] : [former, id]);
}

/** The last token revokes itself. Without a connection the tokens end when they expire. */
async function revokeInTurn(token: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await revoke(token, id).catch(() => undefined);
}

async function revoke(token: string, id: string): Promise<void> {
  await api.send('delete', '/v2/tokens/{id}', { params: { id }, token });
}
