import { createApi, type ResponseBody } from '../kit/api.ts';
import { rulesReader } from '../kit/rules.ts';
import { Session } from '../kit/session.ts';
import { PORTAL_SHAPES } from '../kit/shapes.ts';
import { Frame } from './frame.ts';

const isFramed = window.parent !== window;

/** The session of the page. The token leaves the address before anything else happens. */
export const session: Session = new Session({
  key: 'referral-portal-token',
  isFramed,
  ownerOf: async (token) => (await api.send('get', '/v2/affiliate', { token })).body.data.id,
  onExpired: () => frame?.askAfterRefusal(),
});
export const api = createApi(session, PORTAL_SHAPES);
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
