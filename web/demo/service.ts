import { STATES, type State } from './states.ts';

/** A referral as its affiliate's list shows it. */
export interface Referral {
  readonly id: string;
  readonly email: string | null;
  readonly state: State;
  readonly stateSetAt: number;
  readonly createdAt: number;
  readonly subId: string | null;
  readonly commissionPercentage: number | null;
  readonly commissionEndDate: number | null;
}

/** What the merchant's backend can be told. */
export type Action = 'sign-up' | 'payment' | 'cancellation';

/** An answer that is no success. The message is the service's own sentence. */
export class Problem extends Error {
  /** Status of the answer; 0 where there was none. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const UNREACHABLE = 'The service does not answer. Is it still running?';

/** Pages of a list that are read at most: a panel shows the newest, not an archive. */
const MOST_PAGES = 40;

/** Tells the merchant's backend. Resolves to the state that the referral then has; null where nobody brought the customer. */
export async function tell(action: Action, form: Readonly<Record<string, string>>): Promise<State | null> {
  const { status, json } = await ask(`/demo/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(form),
  });
  return status === 204 ? null : parseReferral(fieldOf(json, 'data')).state;
}

/** All referrals of the affiliate, the newest first. Clicks are a list of their own, as the service has it. */
export async function listReferrals(): Promise<Referral[]> {
  // Clicks first: one that converts in the meantime is then in both lists, never in none.
  const clicks = await listWhole('?state_eq=clicked&per_page=50');
  const others = await listWhole('?per_page=50');
  const found = new Map(
    [...clicks, ...others].map((referral): [string, Referral] => [referral.id, referral]),
  );
  return [...found.values()].sort((a, b) => b.stateSetAt - a.stateSetAt || (a.id < b.id ? 1 : -1));
}

async function listWhole(query: string): Promise<Referral[]> {
  const referrals: Referral[] = [];
  let next: string | undefined = query;
  for (let page = 1; next !== undefined && page <= MOST_PAGES; page += 1) {
    const { json, link } = await ask(`/demo/referrals${next}`);
    const data = fieldOf(json, 'data');
    if (Array.isArray(data)) referrals.push(...data.map(parseReferral));
    next = /(\?[^>]*)>; rel="next"/.exec(link)?.[1];
  }
  return referrals;
}

async function ask(
  address: string,
  init?: RequestInit,
): Promise<{ status: number; json: unknown; link: string }> {
  const response = await fetch(address, init).catch(() => {
    throw new Problem(0, UNREACHABLE);
  });
  const json: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new Problem(response.status, textOf(fieldOf(json, 'error')) ?? UNREACHABLE);
  return { status: response.status, json, link: response.headers.get('link') ?? '' };
}

function parseReferral(resource: unknown): Referral {
  const of = (name: string) => fieldOf(fieldOf(resource, 'attributes'), name);
  const state = STATES.find((known) => known === of('state'));
  if (!state) throw new Problem(0, 'The service answers with something that this page does not know.');
  return {
    id: textOf(fieldOf(resource, 'id')) ?? '',
    email: textOf(of('email')),
    state,
    stateSetAt: numberOf(of('state_set_at')) ?? 0,
    createdAt: numberOf(of('created_at')) ?? 0,
    subId: textOf(of('sub_id')),
    commissionPercentage: numberOf(of('commission_percentage')),
    commissionEndDate: numberOf(of('commission_end_date')),
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
