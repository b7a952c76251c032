import type { Route } from '../../functions/kernel/http/route.ts';
import { ROUTES } from '../../functions/routes.ts';

// Which paths CloudFront and its firewall treat differently. All follow from the routes.

const routes: readonly Route[] = Object.values(ROUTES);

/** Files: scripts and pages that are the same for everyone. */
export const STATIC_PATHS = routes
  .filter(({ method, access }) => method === 'GET' && access === 'anyone')
  .map(({ path }) => path);

/** Scripts stay at the edge for a day. */
export const SCRIPT_PATHS = STATIC_PATHS.filter((path) => path.endsWith('.js'));

/** What visitors send without a token and the edge passes on: clicks, and requests for pages. */
export const VISITOR_PATHS = routes
  .filter(({ path, access }) => access === 'anyone' && !SCRIPT_PATHS.includes(path))
  .map(({ path }) => path);

/** What needs no token. */
export const OPEN_PATHS = routes.filter(({ access }) => access === 'anyone').map(({ path }) => path);

/** Where a public key replaces the token. */
export const PUBLIC_KEY_PATHS = routes
  .filter(({ access }) => typeof access === 'object' && access.publicKey)
  .map(({ path }) => path);

/** Requests a second from which on the limit of a route is high: servers call these routes for each customer. */
const HIGH_RATE = 100;

/** The routes with a token and a high limit. One address cannot use it up. */
export const BUSY_ROUTES = routes.filter(
  ({ access, throttle }) => typeof access === 'object' && throttle.rate >= HIGH_RATE,
);

/** The beginnings of paths whose requests are signed. */
export const SIGNED_PREFIXES = routes
  .filter(({ access }) => access === 'stripe')
  .map(({ path }) => path.slice(0, path.indexOf('{')));
