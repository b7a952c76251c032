import type { Schemas } from '../../kit/api.ts';
import { Card } from '../../kit/card.tsx';
import { type Column, number, text } from '../../kit/columns.ts';
import { formatDateAndTime, formatMoney, formatNumber } from '../../kit/format.ts';
import type { Loaded } from '../../kit/loaded.ts';
import { Table } from '../../kit/table.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import * as OVERVIEW from '../../words/dashboard/overview.ts';
import { nameOf, Person } from '../person.tsx';
import { hrefOf } from '../router.ts';

type Row = Schemas['AdvocateStatistics'];

const ROWS = 10;
/** How many of the latest changes are shown. */
export const CHANGES = 6;

const moneyOf = (money: readonly { readonly currency: string; readonly amount: number }[]) =>
  money.map(({ currency, amount }) => formatMoney(amount, currency)).join(', ') || '–';

const COLUMNS: readonly Column<Row>[] = [
  text(
    COMMON.advocate,
    ({ id, attributes }) => (
      <>
        <Person {...attributes} slug={id} href={hrefOf('advocates', id)} />{' '}
        {!attributes.active && <span class="badge warn">{COMMON.paused}</span>}
      </>
    ),
    'name',
  ),
  number(COMMON.clicks, ({ attributes: { clicks } }) => formatNumber(clicks)),
  number(COMMON.signUps, ({ attributes: { conversions } }) => formatNumber(conversions)),
  number(
    COMMON.measures.revenue,
    ({ attributes: { money } }) => moneyOf(money.map(({ currency, revenue }) => ({ currency, amount: revenue }))),
    'key',
  ),
];

/** The advocates who brought most in the range; left out if the API refuses. */
export function TopAdvocates({ list }: { readonly list: Loaded<readonly Row[] | undefined> }) {
  return (
    <Card title={OVERVIEW.topAdvocates} kind="leaders" beside={<a href={hrefOf('advocates')}>{ADVOCATES.all}</a>}>
      <WhenReady loaded={list} skeleton={<Skeleton lines={ROWS} height={2.25} />}>
        {(rows) =>
          rows ? (
            <Table
              name={OVERVIEW.topAdvocates}
              columns={COLUMNS}
              rows={rows.slice(0, ROWS)}
              keyOf={(row) => row.id}
              empty={OVERVIEW.noTop}
            />
          ) : (
            <p class="empty">{OVERVIEW.leftOut}</p>
          )
        }
      </WhenReady>
    </Card>
  );
}

type Referral = Schemas['ReferralWithMoney'];

interface LatestProps {
  readonly latest: Loaded<readonly Referral[]>;
  /** The advocates whose names are known. */
  readonly advocates: readonly Row[];
}

/** The referrals that changed last, as sentences. */
export function Latest({ latest, advocates }: LatestProps) {
  const names = new Map(advocates.map(({ id, attributes }) => [id, nameOf({ ...attributes, slug: id })]));
  return (
    <Card title={OVERVIEW.latest} kind="latest" beside={<a href={hrefOf('referrals')}>{OVERVIEW.allReferrals}</a>}>
      <WhenReady loaded={latest} skeleton={<Skeleton lines={CHANGES} height={4} />}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="empty">{OVERVIEW.noLatest}</p>
          ) : (
            <ul class="changes-list">
              {rows.map((referral) => (
                <Change key={referral.id} referral={referral} names={names} />
              ))}
            </ul>
          )
        }
      </WhenReady>
    </Card>
  );
}

function Change({ referral: { id, attributes }, names }: { referral: Referral; names: ReadonlyMap<string, string> }) {
  const { affiliate_slug: slug, email, uid, state, state_set_at, money } = attributes;
  const revenue = moneyOf(money.map(({ currency, revenue }) => ({ currency, amount: revenue })));
  return (
    <li>
      <bdi>{OVERVIEW.referralOf(names.get(slug) ?? slug)}</bdi>{' '}
      <a href={hrefOf('referrals', id)}>
        <bdi>{email ?? uid ?? COMMON.erased}</bdi>
      </a>{' '}
      {OVERVIEW.CHANGES[state]}
      {state === 'paid' && money.length > 0 && `: ${revenue}`}
      <p class="hint">{formatDateAndTime(state_set_at)}</p>
    </li>
  );
}
