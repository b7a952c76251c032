import type { Schemas } from '../../kit/api.ts';
import { formatDate, formatDateAndTime, formatPercentage } from '../../kit/format.ts';
import type { Column } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';

type Referral = Schemas['Referral'];
type Attributes = Referral['attributes'];

export function columnsOf(onOpen: (id: string) => void): readonly Column<Referral>[] {
  return [
    {
      name: REFERRALS.customer,
      cell: ({ id, attributes }) => (
        <button type="button" class="link" onClick={() => onOpen(id)}>
          <Person {...attributes} />
        </button>
      ),
    },
    {
      name: COMMON.state,
      cell: ({ attributes: { state, flags } }) => (
        <span class="badges">
          <StateBadge state={state} />
          {flags.includes('self_referral') && <span class="badge warn">{REFERRALS.flagged}</span>}
        </span>
      ),
    },
    { name: COMMON.advocate, cell: ({ attributes: { affiliate_slug } }) => <bdi>{affiliate_slug}</bdi> },
    { name: COMMON.yourId, cell: ({ attributes: { uid } }) => <bdi>{uid ?? '–'}</bdi> },
    { name: COMMON.subId, cell: ({ attributes: { sub_id } }) => <bdi>{sub_id ?? '–'}</bdi> },
    { name: REFERRALS.changed, cell: ({ attributes: { state_set_at } }) => formatDateAndTime(state_set_at) },
  ];
}

export function endOf({ state, commission_end_date: end }: Pick<Attributes, 'state' | 'commission_end_date'>): string {
  if (end !== null) return formatDate(end);
  return state === 'clicked' ? '–' : COMMON.always;
}

export const rateOf = (rate: number | null) => (rate === null ? '–' : formatPercentage(rate));

/** The attributes of the API in the columns of the file. */
export const FILE = [
  'id',
  'affiliate_slug',
  'email',
  'uid',
  'state',
  'state_set_at',
  'created_at',
  'updated_at',
  'sub_id',
  'commission_percentage',
  'commission_end_date',
  'flags',
] as const;

/** The customer of a referral: its email, or else the merchant's id. */
export function Person({ email, uid, state }: Pick<Attributes, 'email' | 'uid' | 'state'>) {
  const name = email ?? uid;
  if (name !== null) return <bdi>{name}</bdi>;
  return <span>{state === 'clicked' ? REFERRALS.visitor : COMMON.erased}</span>;
}

export function StateBadge({ state }: Pick<Attributes, 'state'>) {
  return <span class={`badge state-${state}`}>{state}</span>;
}

/** A referral with its history, as `POST /v2/referrals/lookup` returns it. */
export type ReferralDetails = Schemas['ReferralDetails'];
