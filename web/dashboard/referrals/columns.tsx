import type { Schemas } from '../../kit/api.ts';
import { type Column, number, text } from '../../kit/columns.ts';
import { formatDate, formatMoney } from '../../kit/format.ts';
import { Table } from '../../kit/table.tsx';
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
      columns={columnsOf(filters, isByChange).filter(({ name }) => !isOfOneAdvocate || name !== COMMON.advocate)}
      rows={rows}
      keyOf={({ id }) => id}
      onOpen={({ id }) => navigate('referrals', id, filters)}
    />
  );
}

const LAST_CHANGE: Column<Referral> = {
  ...text(REFERRALS.lastChange, ({ attributes: { state_set_at } }) => formatDate(state_set_at), 'below'),
  sorted: 'descending',
};

const columnsOf = (filters: Filters, isByChange: boolean): readonly Column<Referral>[] => [
  text(
    REFERRALS.customer,
    ({ id, attributes }) => (
      <a href={hrefOf('referrals', id, filters)}>
        <Customer {...attributes} />
      </a>
    ),
    'name',
  ),
  text(
    COMMON.state,
    ({ attributes: { state, flags } }) => (
      <span class="badges">
        <StateBadge state={state} />
        {flags.includes('self_referral') && <span class="badge warn">{REFERRALS.selfReferral}</span>}
      </span>
    ),
    'below',
  ),
  text(COMMON.advocate, ({ attributes: { affiliate_slug } }) => <AdvocateLink slug={affiliate_slug} />, 'below'),
  text(
    REFERRALS.signedUp,
    ({ attributes: { converted_at } }) => (converted_at ? formatDate(converted_at) : '–'),
    // On a phone there is room for one date.
    isByChange ? undefined : 'below',
  ),
  ...(isByChange ? [LAST_CHANGE] : []),
  number(REFERRALS.revenue, sumsOf('revenue')),
  number(REFERRALS.commission, sumsOf('commission'), 'key'),
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
  return <span class={`badge state-${state}`}>{COMMON.states[state]}</span>;
}
