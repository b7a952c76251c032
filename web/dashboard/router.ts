import { hasToken } from '../kit/responses.ts';
import { Store, useStore } from '../kit/store.ts';

export const VIEWS = ['overview', 'referrals', 'advocates', 'money', 'developers'] as const;
export type View = (typeof VIEWS)[number];

/** Filters of a view by name. Never put a token or an email into them: addresses are shared, and stay in the history. */
export type Filters = Readonly<Record<string, string | undefined>>;

interface Route {
  readonly view: View;
  readonly filters: Filters;
}

const isView = (text: string): text is View => VIEWS.some((view) => view === text);

/** Reads `#/referrals?state=paid`. Anything else is the overview. */
function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  if (!isView(path)) return { view: 'overview', filters: {} };
  return { view: path, filters: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of a view, such as `#/referrals?state=paid`. */
export function hrefOf(view: View, filters: Filters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  return query.size > 0 ? `#/${view}?${query}` : `#/${view}`;
}

const route = new Store(parseRoute(location.hash));

/** The address of the program's settings. */
export const SETTINGS = hrefOf('developers', { to: 'settings' });

/** Opens a view. Back returns to the previous view. */
export function navigate(view: View, filters?: Filters): void {
  location.hash = hrefOf(view, filters);
}

export const useRoute = () => useStore(route);

addEventListener('hashchange', ({ newURL }) => {
  const { hash } = new URL(newURL);
  // The session took the token out of the address. The view stays.
  if (!hasToken(hash)) route.set(parseRoute(hash));
  else history.replaceState(null, '', hrefOf(route.value.view, route.value.filters));
});
