import { useId } from 'preact/hooks';
import type { Schemas } from '../../kit/api-types.ts';
import { formatNumber } from '../../kit/format.ts';
import { useLoaded } from '../../kit/load.ts';
import { dayOf, firstDayOf, type Range } from '../../kit/ranges.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { OVERVIEW } from '../../words/dashboard-overview.ts';
import { useDashboard } from '../context.ts';
import { hrefOf } from '../router.ts';

type Row = Schemas['AdvocateStatistics'];

const ROWS = 8;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: OVERVIEW.advocate,
    cell: ({ id, attributes: { first_name, last_name, active } }) => (
      <>
        <a href={hrefOf('referrals', { advocate: id })}>
          <bdi>{[first_name, last_name].filter(Boolean).join(' ') || id}</bdi>
        </a>{' '}
        {!active && <span class="badge warn">{OVERVIEW.paused}</span>}
      </>
    ),
  },
  { name: COMMON.clicks, cell: ({ attributes: { clicks } }) => formatNumber(clicks), isNumber: true },
  { name: COMMON.signUps, cell: ({ attributes: { conversions } }) => formatNumber(conversions), isNumber: true },
  { name: COMMON.paying, cell: ({ attributes: { paying } }) => formatNumber(paying), isNumber: true },
];

/** The advocates with the most paying customers of the range; left out, with the reason, if the API refuses. */
export function TopAdvocates({ range }: { readonly range: Range }) {
  const id = useId();
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
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{OVERVIEW.topAdvocates}</h2>
        <p class="soft">{OVERVIEW.topAdvocatesAdvice}</p>
      </div>
      {isLeftOut ? (
        <p class="soft">
          {OVERVIEW.leftOut} {list.error.message}
        </p>
      ) : (
        <WhenReady loaded={list} onRetry={reload} skeleton={<Skeleton lines={ROWS} height={2.25} />}>
          {(rows) =>
            rows.length === 0 ? (
              <p class="empty">{OVERVIEW.noTop}</p>
            ) : (
              <Table name={OVERVIEW.topAdvocates} columns={COLUMNS} rows={rows} keyOf={(row) => row.id} isNarrow />
            )
          }
        </WhenReady>
      )}
    </section>
  );
}
