import type { Schemas } from '../../kit/api.ts';
import { formatDate, formatMoney } from '../../kit/format.ts';
import type { Column } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { type Filters, hrefOf } from '../router.ts';

export type Referral = Schemas['ReferralWithMoney'];
/** A referral with its history, as `POST /v2/referrals/lookup` returns it. */
export type ReferralDetails = Schemas['ReferralDetails'];
type Attributes = Referral['attributes'];

/** The columns of the list and of the search. The name opens a referral, and the filters stay. */
export const columnsOf = (filters: Filters): readonly Column<Referral>[] => [
  {
    id: 'customer',
    name: REFERRALS.customer,
    onPhone: 'name',
    cell: ({ id, attributes }) => (
      <a href={hrefOf('referrals', id, filters)}>
        <Customer {...attributes} />
      </a>
    ),
  },
  {
    id: 'state',
    name: COMMON.state,
    onPhone: 'below',
    cell: ({ attributes: { state, flags } }) => (
      <span class="badges">
        <StateBadge state={state} />
        {flags.includes('self_referral') && <span class="badge warn">{REFERRALS.selfReferral}</span>}
      </span>
    ),
  },
  {
    id: 'advocate',
    name: COMMON.advocate,
    onPhone: 'below',
    cell: ({ attributes: { affiliate_slug } }) => <bdi>{affiliate_slug}</bdi>,
  },
  {
    id: 'signed-up',
    name: REFERRALS.signedUp,
    onPhone: 'below',
    cell: ({ attributes }) => formatDate(signedUpAt(attributes)),
  },
  { id: 'revenue', name: REFERRALS.revenue, isNumber: true, cell: sumsOf('revenue') },
  { id: 'commission', name: REFERRALS.commission, isNumber: true, onPhone: 'key', cell: sumsOf('commission') },
];

/** A click keeps its time when it becomes a referral, so a list knows the time of the sign-up only until the next state. */
const signedUpAt = ({ state, state_set_at, created_at }: Attributes) =>
  state === 'converted' ? state_set_at : created_at;

/** The sums of a referral in each currency. */
function sumsOf(name: 'revenue' | 'commission') {
  return ({ attributes: { money } }: Referral) =>
    money.length === 0
      ? '–'
      : money.map((each) => <div key={each.currency}>{formatMoney(each[name], each.currency)}</div>);
}

/** The customer of a referral: its email, or else the merchant's id. */
export function Customer(attributes: Pick<Attributes, 'email' | 'uid' | 'state'>) {
  return <bdi>{customerOf(attributes)}</bdi>;
}

/** What people call a customer. */
export function customerOf({ email, uid, state }: Pick<Attributes, 'email' | 'uid' | 'state'>): string {
  return email ?? uid ?? (state === 'clicked' ? REFERRALS.visitor : COMMON.erased);
}

export function StateBadge({ state }: Pick<Attributes, 'state'>) {
  return <span class={`badge state-${state}`}>{REFERRALS.STATES[state]}</span>;
}
