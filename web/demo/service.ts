import { STATES, type State } from './states.ts';

/** A referral as its advocate's list shows it. */
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

/** A report from the page to the merchant's backend. */
export type Action = 'sign-up' | 'payment' | 'cancellation';

/** The merchant's response to a report. */
export interface Report {
  /** The state of the referral; null if the customer has none. */
  readonly state: State | null;
  /** False if the tracking service could not be reached, and the shop went on without it. */
  readonly isReported: boolean;
}

/** A response that is no success, or none. The message is a sentence for the visitor. */
export class Problem extends Error {
  /** Status of the response; 0 if there was none. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const UNREACHABLE = 'The service does not respond. Is it still running?';
const BUSY = 'The service receives more requests than it allows.';

/** Milliseconds after which a request is given up. */
const TIME_LIMIT = 30_000;
/** Pages of a list that are read at most. It guards against a list without end. */
const MOST_PAGES = 200;

/** Whatever was thrown, as a problem that the page can show. */
export function problemOf(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem(0, String(error));
}

/** Reports something to the merchant's backend. */
export async function report(action: Action, form: Readonly<Record<string, string>>): Promise<Report> {
  const { status, json } = await send(`/demo/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(form),
  });
  const hasReferral = status === 200 || status === 201;
  return {
    state: hasReferral ? parseReferral(fieldOf(json, 'data')).state : null,
    isReported: status !== 202,
  };
}

/** All referrals of the advocate, the latest change first. The service lists clicks apart from the others. */
export async function listReferrals(): Promise<Referral[]> {
  // Clicks first: one that converts meanwhile is in both lists then, never in neither.
  const clicks = await listWhole('?state_eq=clicked&per_page=50');
  const others = await listWhole('?per_page=50');
  const found = new Map([...clicks, ...others].map((referral): [string, Referral] => [referral.id, referral]));
  return [...found.values()].sort((a, b) => b.stateSetAt - a.stateSetAt || (a.id < b.id ? 1 : -1));
}

async function listWhole(query: string): Promise<Referral[]> {
  const referrals: Referral[] = [];
  let next: string | undefined = query;
  for (let page = 1; next !== undefined && page <= MOST_PAGES; page += 1) {
    const { json, link } = await send(`/demo/referrals${next}`);
    const data = fieldOf(json, 'data');
    if (Array.isArray(data)) referrals.push(...data.map(parseReferral));
    next = /(\?[^>]*)>; rel="next"/.exec(link)?.[1];
  }
  return referrals;
}

async function send(address: string, init?: RequestInit): Promise<{ status: number; json: unknown; link: string }> {
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(TIME_LIMIT) });
    const text = await response.text();
    const json = parse(text);
    const { ok, status, headers } = response;
    if (!ok) throw new Problem(status, textOf(fieldOf(json, 'error')) ?? (status === 429 ? BUSY : UNREACHABLE));
    return { status, json, link: headers.get('link') ?? '' };
  } catch (error) {
    throw error instanceof Problem ? error : new Problem(0, UNREACHABLE);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function parseReferral(resource: unknown): Referral {
  const of = (name: string) => fieldOf(fieldOf(resource, 'attributes'), name);
  const state = STATES.find((known) => known === of('state'));
  if (!state) throw new Problem(0, 'The response of the service has a form that this page does not know.');
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
