import { ROUTES, type Route } from '../functions/routes.ts';

// Which paths CloudFront and its firewall treat differently. All follow from the routes.

const routes: readonly Route[] = Object.values(ROUTES);

/** Files: scripts and pages that are the same for everyone. */
export const STATIC_PATHS = routes
  .filter(({ method, access }) => method === 'GET' && access === 'anyone')
  .map(({ path }) => path);

/** Pages: CloudFront asks the API about each request for them. Scripts stay at the edge for a day. */
export const PAGE_PATHS = STATIC_PATHS.filter((path) => !path.endsWith('.js'));

/** Everything that visitors send without a token. */
export const ANONYMOUS_PATHS = routes.filter(({ access }) => access === 'anyone').map(({ path }) => path);

/** What visitors send without a token and what costs a write. */
export const CLICK_PATHS = ANONYMOUS_PATHS.filter((path) => !STATIC_PATHS.includes(path));

/** Where a public key replaces the token. */
export const PUBLIC_KEY_PATHS = routes
  .filter(({ access }) => typeof access === 'object' && access.publicKey)
  .map(({ path }) => path);

/** The beginnings of paths whose requests are signed. */
export const SIGNED_PREFIXES = routes
  .filter(({ access }) => access === 'stripe')
  .map(({ path }) => path.slice(0, path.indexOf('{')));
