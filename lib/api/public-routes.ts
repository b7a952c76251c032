import { methodsOf, type Route, routeKeys, settingOf } from '../../functions/kernel/http/route.ts';
import { ROUTES } from '../../functions/routes.ts';
import type { Settings } from '../settings.ts';

// Which paths CloudFront and its firewall treat differently. All follow from the routes, whatever the settings: the API
// returns 404 for a route that they leave out.

const routes: readonly Route[] = Object.values(ROUTES);

/** True for a route that exists with the settings. */
export function isDeployed(route: Route, settings: Settings): boolean {
  const setting = settingOf(route);
  return setting === undefined || settings[setting];
}

/** Files: scripts and pages that are the same for everyone. Other responses to anyone depend on the path. */
const FILES = routes.filter(
  ({ method, path, access }) => method === 'GET' && access === 'anyone' && !hasParameter(path),
);

/** The paths of the files that exist with the settings. */
export const staticPaths = (settings: Settings): string[] =>
  FILES.filter((route) => isDeployed(route, settings)).map(({ path }) => path);

/** Scripts stay at the edge for a day. */
export const SCRIPT_PATHS = FILES.map(({ path }) => path).filter((path) => path.endsWith('.js'));

/** What visitors send without a token and the edge passes on: clicks, sign-ins, and requests for pages. */
export const VISITOR_ROUTES = routes.filter(({ path, access }) => access === 'anyone' && !path.endsWith('.js'));

/** What needs no token: methods with their paths. A path that ends with a slash is the beginning of others. */
export const OPEN_ROUTES = routes
  .filter(({ access }) => access === 'anyone')
  .flatMap(routeKeys)
  .map(withoutParameter);

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
  .map(({ path }) => withoutParameter(path));

/** Each method of some routes, with a pattern of its paths. */
export function patternsByMethod(some: readonly Route[]): [method: string, pattern: string][] {
  const all = some.flatMap((route) => methodsOf(route).map((method) => ({ method, path: route.path })));
  return [...Map.groupBy(all, ({ method }) => method)].map(([method, own]) => [
    method,
    `^(${own.map(({ path }) => path.replace(/\{\w+\}/g, '[^/]+')).join('|')})$`,
  ]);
}

function hasParameter(path: string): boolean {
  return path.includes('{');
}

/** The part of a path before its parameter. */
function withoutParameter(path: string): string {
  return hasParameter(path) ? path.slice(0, path.indexOf('{')) : path;
}
