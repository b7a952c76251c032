import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api, ResponseBody } from '../kit/api.ts';
import { hasSecret } from '../kit/responses.ts';
import { Store, useStore } from '../kit/store.ts';

export const VIEWS = ['overview', 'referrals', 'advocates', 'applications', 'money', 'developers'] as const;
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

export const SETTINGS = hrefOf('developers', { to: 'settings' });

export function navigate(view: View, filters?: Filters): void {
  location.hash = hrefOf(view, filters);
}

export const useRoute = () => useStore(route);

addEventListener('hashchange', ({ newURL }) => {
  const { hash } = new URL(newURL);
  // A token or a code was taken out of the address. The view stays.
  if (!hasSecret(hash)) route.set(parseRoute(hash));
  else history.replaceState(null, '', hrefOf(route.value.view, route.value.filters));
});

type About = ResponseBody<'/v2/program', 'get'>;
export type Program = About['data'];
export type Token = About['meta']['token'];
export type Scope = Token['scopes'][number];

export interface Dashboard {
  readonly api: Api;
  /** `undefined` until it is read: views read their own data in parallel. */
  readonly program: Program | undefined;
  readonly token: Token | undefined;
  /** True if the token allows something. False until that is known. */
  readonly can: (scope: Scope) => boolean;
  readonly filters: Filters;
  readonly navigate: (view: View, filters?: Filters) => void;
  readonly reloadProgram: () => void;
}

const Context = createContext<Dashboard | undefined>(undefined);
export const DashboardProvider = Context.Provider;

export function useDashboard(): Dashboard {
  const dashboard = useContext(Context);
  if (!dashboard) throw new Error('useDashboard is only for views of the dashboard.');
  return dashboard;
}
