import type { Schemas } from '../../kit/api.ts';
import { Card, RangePicker } from '../../kit/controls.tsx';
import {
  dayOf,
  firstDayOf,
  formatDateAndTime,
  formatNumber,
  formatTime,
  isRange,
  queryOf,
  type Range,
} from '../../kit/format.ts';
import { Development, Funnel } from '../../kit/funnel.tsx';
import { type Loaded, Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { type Column, numberColumn, Table } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { OVERVIEW } from '../../words/dashboard.ts';
import { Person, StateBadge } from '../referrals/list.tsx';
import { hrefOf, useDashboard } from '../router.ts';
import { Attention, Checklist } from './attention.tsx';

/** How does the program do, and what is there to do? Everything is read in parallel. */
export function Overview() {
  const { api, filters, navigate } = useDashboard();
  const range = isRange(filters['range']) ? filters['range'] : '30d';
  const [statistics, reload] = useLoaded(
    async (signal) => {
      const query = queryOf(range, Date.now());
      return (await api.send('get', '/v2/statistics', { query, signal })).body.data.attributes.groups;
    },
    [range],
  );
  const latest = useLatest();
  return (
    <>
      <Checklist statistics={statistics} latest={latest[0]} />
      <Attention />
      <Card
        title={OVERVIEW.numbers}
        beside={<RangePicker range={range} onChange={(next) => navigate('overview', { range: next })} />}
        kind="overview"
      >
        <WhenReady loaded={statistics} onRetry={reload} skeleton={<Skeleton lines={1} height={21} />}>
          {(groups) => (
            <>
              <Funnel range={range} groups={groups} />
              <Development range={range} groups={groups} nothingYet={OVERVIEW.nothingYet} />
            </>
          )}
        </WhenReady>
        <p class="soft">{statistics.kind === 'ready' && COMMON.readAt(formatTime(statistics.at))}</p>
      </Card>
      <div class="columns">
        <TopAdvocates range={range} />
        <Latest latest={latest} />
      </div>
    </>
  );
}

type Row = Schemas['AdvocateStatistics'];

const ROWS = 8;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: COMMON.advocate,
    cell: ({ id, attributes: { first_name, last_name, active } }) => (
      <>
        <a href={hrefOf('referrals', { advocate: id })}>
          <bdi>{[first_name, last_name].filter(Boolean).join(' ') || id}</bdi>
        </a>{' '}
        {!active && <span class="badge warn">{COMMON.paused}</span>}
      </>
    ),
  },
  numberColumn(COMMON.clicks, ({ attributes: { clicks } }) => formatNumber(clicks)),
  numberColumn(COMMON.signUps, ({ attributes: { conversions } }) => formatNumber(conversions)),
  numberColumn(COMMON.paying, ({ attributes: { paying } }) => formatNumber(paying)),
];

/** The advocates with the most paying customers of the range; left out, with the reason, if the API refuses. */
function TopAdvocates({ range }: { readonly range: Range }) {
  const { api } = useDashboard();
  const [list, reload] = useLoaded(
    async (signal) => {
      const query = { from: firstDayOf(range, Date.now()), to: dayOf(Date.now()) };
      return (await api.send('get', '/v2/statistics/advocates', { query, signal })).body.data.slice(0, ROWS);
    },
    [range],
  );
  const isLeftOut = list.kind === 'failed' && list.error.status === 400;
  return (
    <Card title={OVERVIEW.topAdvocates} advice={OVERVIEW.topAdvocatesAdvice}>
      {isLeftOut ? (
        <p class="soft">
          {OVERVIEW.leftOut} {list.error.message}
        </p>
      ) : (
        <WhenReady loaded={list} onRetry={reload} skeleton={<Skeleton lines={ROWS} height={2.25} />}>
          {(rows) => (
            <Table
              name={OVERVIEW.topAdvocates}
              columns={COLUMNS}
              rows={rows}
              keyOf={(row) => row.id}
              isNarrow
              empty={<p class="empty">{OVERVIEW.noTop}</p>}
            />
          )}
        </WhenReady>
      )}
    </Card>
  );
}

type Referral = Schemas['Referral'];

/** The referrals that changed last. The checklist looks at them as well. */
function useLatest(): [Loaded<readonly Referral[]>, () => void] {
  const { api } = useDashboard();
  return useLoaded(
    async (signal) => (await api.send('get', '/v2/referrals', { query: { per_page: 8 }, signal })).body.data,
    [],
  );
}

function Latest({ latest: [loaded, reload] }: { readonly latest: ReturnType<typeof useLatest> }) {
  return (
    <Card title={OVERVIEW.latest} beside={<a href={hrefOf('referrals')}>{OVERVIEW.allReferrals}</a>}>
      <WhenReady loaded={loaded} onRetry={reload} skeleton={<Skeleton lines={8} height={2.25} />}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="empty">{OVERVIEW.noLatest}</p>
          ) : (
            <ul class="changes-list">
              {rows.map(({ id: referral, attributes }) => (
                <li key={referral}>
                  <a href={hrefOf('referrals', { id: referral })}>
                    <Person {...attributes} />
                  </a>
                  <StateBadge state={attributes.state} />
                  <span class="soft">
                    <bdi>{attributes.affiliate_slug}</bdi> · {formatDateAndTime(attributes.state_set_at)}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </WhenReady>
    </Card>
  );
}
