/** The states of a referral in the API, in the order of a successful referral. */
export const STATES = ['clicked', 'converted', 'paid', 'churned', 'rejected'] as const;
export type State = (typeof STATES)[number];

/** A referral in its advocate's list. */
export interface Referral {
  readonly id: string;
  readonly email: string | null;
  readonly state: State;
  /** Times are Unix seconds, UTC. */
  readonly stateSetAt: number;
  readonly createdAt: number;
  readonly subId: string | null;
  readonly commissionPercentage: number | null;
  readonly commissionEndDate: number | null;
}

/** A response of the merchant's backend. */
export interface Reply {
  /** 0 if there was no response. */
  readonly status: number;
  /** A sentence for the visitor if the request failed, else null. */
  readonly problem: string | null;
  readonly json: unknown;
  readonly link: string;
}

const UNREACHABLE = 'The service does not respond. Check that npm start is still running.';
const BUSY = 'The service receives more requests than it allows. Wait a moment.';

/** Timeout of a request in milliseconds. */
const TIMEOUT = 30_000;
/** Maximum number of pages to read: guards against a list without an end. */
const MAX_PAGES = 200;

/** Reports an event to the merchant's backend. */
export function report(
  action: 'sign-up' | 'payment' | 'cancellation',
  form: Readonly<Record<string, string>>,
): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  return send(`/demo/${action}`, { method: 'POST', headers, body: JSON.stringify(form) });
}

/** Lists all referrals of the advocate, latest change first. Rejects with a sentence for the visitor. */
export async function listReferrals(): Promise<Referral[]> {
  // Clicks are listed separately, and first: one that converts in between is then in both lists, never in neither.
  const clicks = await listAllPages('?state_eq=clicked&per_page=50');
  const others = await listAllPages('?per_page=50');
  const byId = new Map([...clicks, ...others].map((referral) => [referral.id, referral]));
  return [...byId.values()].sort((a, b) => b.stateSetAt - a.stateSetAt || (a.id < b.id ? 1 : -1));
}

async function listAllPages(query: string): Promise<Referral[]> {
  const referrals: Referral[] = [];
  let next: string | undefined = query;
  for (let page = 1; next !== undefined && page <= MAX_PAGES; page += 1) {
    const { json, link, problem } = await send(`/demo/referrals${next}`);
    if (problem !== null) throw new Error(problem);
    const data = fieldOf(json, 'data');
    if (Array.isArray(data)) referrals.push(...data.map(parseReferral));
    next = /(\?[^>]*)>; rel="next"/.exec(link)?.[1];
  }
  return referrals;
}

async function send(address: string, init?: RequestInit): Promise<Reply> {
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(TIMEOUT) });
    const { ok, status, headers } = response;
    // 202 and 204 have no body.
    const json: unknown = JSON.parse((await response.text()) || 'null');
    const problem = ok ? null : (textOf(fieldOf(json, 'error')) ?? (status === 429 ? BUSY : UNREACHABLE));
    return { status, problem, json, link: headers.get('link') ?? '' };
  } catch {
    return { status: 0, problem: UNREACHABLE, json: null, link: '' };
  }
}

function parseReferral(resource: unknown): Referral {
  const attribute = (name: string) => fieldOf(fieldOf(resource, 'attributes'), name);
  const state = STATES.find((known) => known === attribute('state'));
  if (!state) throw new Error('The service returned a referral that this page cannot read. Reload the page.');
  return {
    id: textOf(fieldOf(resource, 'id')) ?? '',
    email: textOf(attribute('email')),
    state,
    stateSetAt: numberOf(attribute('state_set_at')) ?? 0,
    createdAt: numberOf(attribute('created_at')) ?? 0,
    subId: textOf(attribute('sub_id')),
    commissionPercentage: numberOf(attribute('commission_percentage')),
    commissionEndDate: numberOf(attribute('commission_end_date')),
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
