import { useId } from 'preact/hooks';
import type { Schemas } from '../kit/api-types.ts';
import { formatNumber, formatRate } from '../kit/format.ts';
import { readyOf, useLoaded } from '../kit/load.ts';
import { beforeFirstDayOf, type Range } from '../kit/ranges.ts';
import { Problem } from '../kit/status.tsx';
import { Table } from '../kit/table.tsx';
import { COMMON } from '../words/common.ts';
import { PORTAL } from '../words/portal.ts';
import { api } from './service.ts';

type Counts = Schemas['Counts']['attributes'];

/**
 * Which of my links works? The sign-ups of the range by sub id, if there are any. It is the last part of the page, because
 * others would move when it appears.
 */
export function SubIds({ range }: { readonly range: Range }) {
  const id = useId();
  const [counts, reload] = useLoaded(
    async (signal) => {
      const query = {
        group_by: 'sub_id',
        clicks: false,
        created_at_gt: beforeFirstDayOf(range, Date.now()),
      } as const;
      return (await api.send('get', '/v2/affiliate/referrals/counts', { query, signal })).body.data.attributes;
    },
    [range],
    // The last rows stay while the rows of another range are read.
    [],
  );
  const isReading = counts.kind === 'ready' && counts.isReloading;
  const error = counts.kind === 'failed' && counts.error.status !== 0 ? counts.error : undefined;
  const ready = readyOf(counts);
  const rows = ready ? rowsOf(ready.value) : [];
  if (!error && rows.length === 0) return null;
  return (
    <section class="card" aria-labelledby={id} aria-busy={isReading}>
      <div class="card-head">
        <h2 id={id}>{PORTAL.subIds}</h2>
        <p class="soft">{PORTAL.subIdsAdvice}</p>
      </div>
      {error?.isRefusal && (
        <p class="soft">
          {PORTAL.subIdsLeftOut} {error.message}
        </p>
      )}
      {error && !error.isRefusal && <Problem error={error} onRetry={reload} />}
      {!error && (
        <Table
          name={PORTAL.subIds}
          rows={rows}
          keyOf={({ name }) => name}
          isNarrow
          columns={[
            { name: PORTAL.subId, cell: ({ name }) => <bdi>{name}</bdi> },
            { name: COMMON.signUps, cell: ({ signUps }) => formatNumber(signUps), isNumber: true },
            { name: COMMON.paying, cell: ({ paying }) => formatNumber(paying), isNumber: true },
            { name: PORTAL.ofThose, cell: ({ signUps, paying }) => formatRate(paying, signUps), isNumber: true },
          ]}
        />
      )}
    </section>
  );
}

/** Most sign-ups first. There are no rows if nobody signed up over a link with a sub id. */
function rowsOf({ groups, other }: Counts) {
  const named = groups.flatMap(({ key, ...states }) => (key === null ? [] : [rowOf(key, states)]));
  const some = named.filter(({ signUps }) => signUps > 0).sort((a, b) => b.signUps - a.signUps);
  if (some.length === 0) return [];
  const without = groups.find(({ key }) => key === null);
  const rest = [
    ...(without ? [rowOf(PORTAL.noSubId, without)] : []),
    ...(other ? [rowOf(PORTAL.otherSubIds, other)] : []),
  ];
  return [...some, ...rest.filter(({ signUps }) => signUps > 0)];
}

function rowOf(name: string, { converted, paid, churned }: Pick<Counts['total'], 'converted' | 'paid' | 'churned'>) {
  return { name, signUps: converted + paid + churned, paying: paid };
}
