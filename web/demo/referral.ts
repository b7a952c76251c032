import { fieldOf, listOf, numberOf, textOf } from './fields.ts';

/** The states of a referral in the API, in the order of a successful referral. */
export const STATES = ['clicked', 'converted', 'paid', 'churned', 'rejected'] as const;
export type State = (typeof STATES)[number];

/** A referral in its advocate's list. Times are Unix seconds, UTC. */
export interface Referral {
  readonly id: string;
  readonly email: string | null;
  readonly state: State;
  readonly stateSetAt: number;
  readonly subId: string | null;
  readonly commissionPercentage: number | null;
  readonly commissionEndDate: number | null;
}

export type Counts = Readonly<Record<State, number>>;

/** How many referrals an advocate has now, in total and by the month of their creation (`YYYY-MM`, UTC). */
export interface CountsByMonth {
  readonly total: Counts;
  readonly groups: readonly { readonly key: string; readonly counts: Counts }[];
}

/** Parses a referral of the API. Throws an error with a sentence for the visitor. */
export function parseReferral(resource: unknown): Referral {
  const attribute = (name: string) => fieldOf(fieldOf(resource, 'attributes'), name);
  const state = parseState(attribute('state'));
  if (!state) throw new Error('The service returned a referral that this page cannot read. Reload the page.');
  return {
    id: textOf(fieldOf(resource, 'id')) ?? '',
    email: textOf(attribute('email')),
    state,
    stateSetAt: numberOf(attribute('state_set_at')) ?? 0,
    subId: textOf(attribute('sub_id')),
    commissionPercentage: numberOf(attribute('commission_percentage')),
    commissionEndDate: numberOf(attribute('commission_end_date')),
  };
}

export function parseState(value: unknown): State | undefined {
  return STATES.find((known) => known === value);
}

/** Parses the resource of the counts route. */
export function parseCountsByMonth(resource: unknown): CountsByMonth {
  const attributes = fieldOf(resource, 'attributes');
  const groups = listOf(fieldOf(attributes, 'groups'));
  return {
    total: parseCounts(fieldOf(attributes, 'total')),
    groups: groups.map((group) => ({ key: textOf(fieldOf(group, 'key')) ?? '', counts: parseCounts(group) })),
  };
}

function parseCounts(value: unknown): Counts {
  const count = (state: State) => numberOf(fieldOf(value, state)) ?? 0;
  return {
    clicked: count('clicked'),
    converted: count('converted'),
    paid: count('paid'),
    churned: count('churned'),
    rejected: count('rejected'),
  };
}
