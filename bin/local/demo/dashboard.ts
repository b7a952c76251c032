import { SCOPES } from '../../../functions/kernel/accounts/rules/token.ts';
import type { HttpResult } from '../../../functions/kernel/http/context.ts';
import { type Call, dataOf, TOKEN_LIFETIME } from './service.ts';

interface NewToken {
  readonly attributes: { readonly token: string };
}

/**
 * Leads to the dashboard with a new token of all scopes. The page exchanges and revokes such a token, so that a printed one
 * would open it only once.
 */
export async function openDashboard({ service }: Call): Promise<HttpResult> {
  const body = { name: 'dashboard', scopes: SCOPES, expires_in: TOKEN_LIFETIME };
  const { token } = dataOf<NewToken>(await service.call('POST', '/v2/tokens', body)).attributes;
  return { statusCode: 303, headers: { location: `/dashboard#token=${token}`, 'cache-control': 'no-store' } };
}
