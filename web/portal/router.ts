import type { Filters } from '../kit/range-fields.tsx';
import { Store, useStore } from '../kit/store.ts';
// The session has the first look at an address: a token or a code leaves it, and the view stays.
import './service.ts';

export const VIEWS = ['home', 'links', 'referrals', 'earnings', 'account'] as const;
export type View = (typeof VIEWS)[number];

interface Route {
  readonly view: View;
  readonly filters: Filters;
}

const HOME: Route = { view: 'home', filters: {} };
const route = new Store<Route>(parse(location.hash) ?? HOME);

addEventListener('hashchange', ({ newURL }) => {
  const next = parse(new URL(newURL).hash);
  if (next) route.set(next);
  else restore();
});

/** Writes the view into an address that has lost it, so that a reload shows the view again. */
function restore(): void {
  if (location.hash === '' && route.value.view !== 'home') history.replaceState(null, '', here());
}

const here = () => location.pathname + location.search + hrefOf(route.value.view, route.value.filters);

export const useRoute = () => useStore(route);

export function hrefOf(view: View, filters: Filters = {}): string {
  const pairs = Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return `#/${view}${pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''}`;
}

/** Changes filters of the present view, without an entry in the history. */
export function replaceFilters(changes: Filters): void {
  route.set({ ...route.value, filters: { ...route.value.filters, ...changes } });
  history.replaceState(null, '', here());
}

function parse(hash: string): Route | undefined {
  if (hash === '') return HOME;
  const [, name, search] = /^#\/(\w+)(?:\?(.*))?$/.exec(hash) ?? [];
  const view = VIEWS.find((each) => each === name);
  return view && { view, filters: Object.fromEntries(new URLSearchParams(search)) };
}
