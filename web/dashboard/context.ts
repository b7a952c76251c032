import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from '../kit/api.ts';
import type { ResponseBody } from '../kit/api-types.ts';
import type { Filters, View } from './router.ts';

type About = ResponseBody<'/v2/program', 'get'>;
export type Program = About['data'];
type Token = About['meta']['token'];
export type Scope = Token['scopes'][number];

/** What every view needs. */
export interface Dashboard {
  readonly api: Api;
  /** `undefined` until it is read: views read their own data in parallel. */
  readonly program: Program | undefined;
  readonly token: Token | undefined;
  /** True if the token allows something. False until that is known. */
  readonly can: (scope: Scope) => boolean;
  /** The filters of the view in the address. */
  readonly filters: Filters;
  readonly navigate: (view: View, filters?: Filters) => void;
  /** Reads the program again, after a change of it. */
  readonly reloadProgram: () => void;
}

const Context = createContext<Dashboard | undefined>(undefined);
export const DashboardProvider = Context.Provider;

/** Returns what every view needs. */
export function useDashboard(): Dashboard {
  const dashboard = useContext(Context);
  if (!dashboard) throw new Error('useDashboard is only for views of the dashboard.');
  return dashboard;
}
