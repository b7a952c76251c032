import { createApi } from '../kit/api.ts';
import { Session } from '../kit/session.ts';
import { DASHBOARD_SHAPES } from '../kit/shapes.ts';

/** The session of the page. The token leaves the address before anything else happens. */
export const session: Session = new Session({
  key: 'referral-dashboard-token',
  isFramed: window.parent !== window,
  ownerOf: programIdOf,
});
export const api = createApi(session, DASHBOARD_SHAPES);

/** Returns the id of a token's program. Throws an `ApiError` if the token cannot read it. */
export async function programIdOf(token: string): Promise<string> {
  return (await api.send('get', '/v2/program', { token })).body.data.id;
}
