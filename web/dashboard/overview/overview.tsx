import { useId } from 'preact/hooks';
import { formatTime } from '../../kit/format.ts';
import { Development, Funnel } from '../../kit/funnel.tsx';
import { useLoaded } from '../../kit/load.ts';
import { RangePicker } from '../../kit/range.tsx';
import { isRange, queryOf } from '../../kit/ranges.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { COMMON } from '../../words/common.ts';
import { OVERVIEW } from '../../words/dashboard-overview.ts';
import { useDashboard } from '../context.ts';
import { Attention } from './attention.tsx';
import { Checklist } from './checklist.tsx';
import { Latest, useLatest } from './latest.tsx';
import { TopAdvocates } from './top-advocates.tsx';

/** How does the program do, and what is there to do? Everything is read in parallel. */
export function Overview() {
  const id = useId();
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
      <section class="card overview" aria-labelledby={id}>
        <div class="card-head">
          <h2 id={id}>{OVERVIEW.numbers}</h2>
          <RangePicker range={range} onChange={(next) => navigate('overview', { range: next })} />
        </div>
        <WhenReady loaded={statistics} onRetry={reload} skeleton={<Skeleton lines={1} height={21} />}>
          {(groups) => (
            <>
              <Funnel range={range} groups={groups} />
              <Development range={range} groups={groups} nothingYet={OVERVIEW.nothingYet} />
            </>
          )}
        </WhenReady>
        <p class="soft">{statistics.kind === 'ready' && COMMON.readAt(formatTime(statistics.at))}</p>
      </section>
      <div class="columns">
        <TopAdvocates range={range} />
        <Latest latest={latest} />
      </div>
    </>
  );
}
