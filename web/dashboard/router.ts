import type { ResponseBody } from '../kit/api.ts';
import { hasSecret } from '../kit/responses.ts';
import { Store, useStore } from '../kit/store.ts';
import * as SHELL from '../words/dashboard/shell.ts';

export const VIEWS = [
  'overview',
  'advocates',
  'applications',
  'referrals',
  'payouts',
  'settings',
  'developers',
] as const;
export type View = (typeof VIEWS)[number];

/** Filters of a view by name. Never put a token, an email or a search into them: addresses are shared and remembered. */
export type Filters = Readonly<Record<string, string | undefined>>;

export interface Route {
  readonly view: View;
  /** What the view shows alone: a link name, a referral's id, or a section. */
  readonly item: string | undefined;
  readonly filters: Filters;
}

const isView = (text: string): text is View => VIEWS.some((view) => view === text);

/** Addresses of before, by the view that has their content. */
const MOVED = new Map<string, View>([['money', 'payouts']]);

/** Reads `#/referrals/{id}?state=paid`. Anything else is the overview. */
function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name = '', item = ''] = path.split('/');
  const view = isView(name) ? name : MOVED.get(name);
  if (view === undefined) return { view: 'overview', item: undefined, filters: {} };
  const filters = Object.fromEntries(new URLSearchParams(query));
  return { view, item: item === '' ? undefined : decoded(item), filters };
}

/** A typed address may contain a lonely `%`. */
function decoded(item: string): string {
  try {
    return decodeURIComponent(item);
  } catch {
    return item;
  }
}

/** The address of a view, such as `#/referrals/{id}?state=paid`. */
export function hrefOf(view: View, item?: string, filters: Filters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  const path = item === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(item)}`;
  return query.size > 0 ? `${path}?${query}` : path;
}

const addressOf = ({ view, item, filters }: Route) => hrefOf(view, item, filters);

const route = new Store(parseRoute(location.hash));

export const useRoute = () => useStore(route);

export function navigate(view: View, item?: string, filters?: Filters): void {
  location.hash = hrefOf(view, item, filters);
}

/** Changes filters of the view that is open. The way back leads to the view before it, not to the filters before. */
export function replaceFilters(changes: Filters): void {
  const { view, item, filters } = route.value;
  const next = { view, item, filters: { ...filters, ...changes } };
  history.replaceState(null, '', addressOf(next));
  route.set(next);
}

let hasUnsaved: (() => boolean) | undefined;

/** Asks before a view with unsaved changes is left. Returns the function that ends this. */
export function guardRoute(isUnsaved: () => boolean): () => void {
  hasUnsaved = isUnsaved;
  return () => {
    if (hasUnsaved === isUnsaved) hasUnsaved = undefined;
  };
}

/** Asks whether to leave unsaved changes. True if there are none, or they may be lost. */
export const mayLeave = (): boolean => !hasUnsaved?.() || confirm(SHELL.unsaved);

addEventListener('beforeunload', (event) => {
  if (hasUnsaved?.()) event.preventDefault();
});

addEventListener('hashchange', ({ newURL }) => {
  const { hash } = new URL(newURL);
  // A token or a code was taken out of the address. The view stays.
  if (hasSecret(hash)) return history.replaceState(null, '', addressOf(route.value));
  const next = parseRoute(hash);
  if (addressOf(next) === addressOf(route.value)) return;
  // The browser has changed the address already: the question decides which of the two is right.
  if (!mayLeave()) return history.pushState(null, '', addressOf(route.value));
  route.set(next);
});

type About = ResponseBody<'/v2/program', 'get'>;
export type Program = About['data'];
export type Token = About['meta']['token'];
export type Scope = Token['scopes'][number];

/** The program and the token. `undefined` until they are read: views read their own data in parallel. */
export const about = new Store<About | undefined>(undefined);

/** Counts what changed the program. */
export const programChanges = new Store(0);

export const reloadProgram = () => programChanges.set(programChanges.value + 1);

interface Dashboard {
  readonly program: Program | undefined;
  readonly token: Token | undefined;
  /** True if the token allows something. False until that is known. */
  readonly can: (scope: Scope) => boolean;
  readonly route: Route;
}

/** What all views of the dashboard know. */
export function useDashboard(): Dashboard {
  const known = useStore(about);
  const token = known?.meta.token;
  return { program: known?.data, token, can: (scope) => token?.scopes.includes(scope) ?? false, route: useRoute() };
}
