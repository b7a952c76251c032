import type { Schemas } from '../../kit/api.ts';
import { formatDate, formatMoney } from '../../kit/format.ts';
import { type Column, Table } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { AdvocateLink } from '../explanation.tsx';
import { type Filters, hrefOf, navigate } from '../router.ts';

export type Referral = Schemas['ReferralWithMoney'];
/** A referral with its history, as `POST /v2/referrals/lookup` returns it. */
export type ReferralDetails = Schemas['ReferralDetails'];
type Attributes = Referral['attributes'];

interface ReferralTableProps {
  readonly rows: readonly Referral[];
  /** They stay in the address when a row opens its referral. */
  readonly filters: Filters;
  readonly isOfOneAdvocate?: boolean;
  /** True if the latest change is the first row. */
  readonly isByChange?: boolean;
}

/** Referrals, in the list, the search and the view of an advocate. */
export function ReferralTable({ rows, filters, isOfOneAdvocate = false, isByChange = false }: ReferralTableProps) {
  return (
    <Table
      name={REFERRALS.title}
      columns={columnsOf(filters, isByChange).filter(({ id }) => !isOfOneAdvocate || id !== 'advocate')}
      rows={rows}
      keyOf={({ id }) => id}
      onOpen={({ id }) => navigate('referrals', id, filters)}
    />
  );
}

const LAST_CHANGE: Column<Referral> = {
  id: 'changed',
  name: REFERRALS.lastChange,
  sort: { direction: 'descending' },
  onPhone: 'below',
  cell: ({ attributes: { state_set_at } }) => formatDate(state_set_at),
};

const columnsOf = (filters: Filters, isByChange: boolean): readonly Column<Referral>[] => [
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
    cell: ({ attributes: { affiliate_slug } }) => <AdvocateLink slug={affiliate_slug} />,
  },
  {
    id: 'signed-up',
    name: REFERRALS.signedUp,
    // On a phone there is room for one date.
    ...(!isByChange && { onPhone: 'below' }),
    cell: ({ attributes: { converted_at } }) => (converted_at ? formatDate(converted_at) : '–'),
  },
  ...(isByChange ? [LAST_CHANGE] : []),
  { id: 'revenue', name: REFERRALS.revenue, isNumber: true, cell: sumsOf('revenue') },
  { id: 'commission', name: REFERRALS.commission, isNumber: true, onPhone: 'key', cell: sumsOf('commission') },
];

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
