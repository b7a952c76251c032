import { createApi, type ResponseBody } from '../kit/api.ts';
import { EmailLinks } from '../kit/email-links.ts';
import { rulesReader } from '../kit/rules.ts';
import { Session } from '../kit/session.ts';
import { endSession, type SignInPage } from '../kit/sign-in.tsx';
import { Frame } from './frame.ts';

export const isFramed = window.parent !== window;
/** The same page is served under two paths. Nobody may frame `/account`, so people sign in only there. */
const isAccount = /\/account\/?$/.test(location.pathname);
const program = isAccount ? undefined : /^#program=(\w*)/.exec(location.hash)?.[1];
if (program !== undefined && !isFramed) location.replace(`account${location.hash}`);

/** The program whose form a page of another site frames. Then the page shows nothing else, and uses no token. */
export const appliesTo = isFramed ? program : undefined;

/** The session of the page. The token leaves the address before anything else happens. */
export const session: Session = new Session({
  key: isAccount ? 'referral-account-token' : 'referral-portal-token',
  isFramed,
  canSignIn: isAccount,
  ownerOf: async (token) => (await api.send('get', '/v2/affiliate', { token })).body.data.id,
  onExpired: () => frame?.askAfterRefusal(),
});
export const api = createApi(session);
export const signInPage: SignInPage | undefined = isAccount
  ? { api, session, links: new EmailLinks('referral-account-program', isFramed), name: 'portal', days: 30 }
  : undefined;

/** Forgets the token. The token of a sign-in belongs to this page alone, so it is revoked. */
export function signOut(): void {
  const { token, isSignIn } = session;
  session.signOut();
  if (isSignIn) void endSession(api, token);
}

/** Reads what rules of the advocate pay. */
export const readRules = rulesReader(async (rules_id, signal) => {
  const params = { rules_id };
  return (await api.send('get', '/v2/affiliate/commission-rules/{rules_id}', { params, signal })).body.data.attributes
    .rules;
});
/** The page around this one, if there is one. */
export const frame = isFramed ? new Frame(session) : undefined;
if (session.token === '') frame?.ask();

/** The advocate, its link, its terms and its program. */
export type Affiliate = ResponseBody<'/v2/affiliate', 'get'>['data']['attributes'];
