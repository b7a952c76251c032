import type { Schemas } from '../kit/api.ts';
import { Card, RangePicker } from '../kit/controls.tsx';
import {
  beforeFirstDayOf,
  formatDate,
  formatMoney,
  formatNumber,
  formatRate,
  queryOf,
  type Range,
} from '../kit/format.ts';
import { Development, Funnel, Stat } from '../kit/funnel.tsx';
import { Problem, readyOf, Skeleton, useLoaded, WhenReady } from '../kit/status.tsx';
import { numberColumn, Table } from '../kit/table.tsx';
import { COMMON } from '../words/common.ts';
import { PORTAL } from '../words/portal.ts';
import { api } from './service.ts';
import { type LoadedStatements, moneyTotals } from './statements.tsx';

interface OverviewProps {
  readonly range: Range;
  readonly onRange: (range: Range) => void;
  readonly statements: LoadedStatements;
  /** Until when nobody pays the advocate, in Unix seconds. */
  readonly pending: number | undefined;
}

/** How am I doing? The funnel of the range, the money, and the chart. */
export function Overview({ range, onRange, statements, pending }: OverviewProps) {
  const [statistics, reload] = useLoaded(
    async (signal) => {
      const query = queryOf(range, Date.now());
      return (await api.send('get', '/v2/affiliate/statistics', { query, signal })).body.data.attributes.groups;
    },
    [range],
  );
  // The funnel says what failed.
  const charted = statistics.kind === 'failed' ? statistics.last : statistics;
  return (
    <Card title={PORTAL.overview} beside={<RangePicker range={range} onChange={onRange} />} kind="overview">
      <div class="funnel">
        <WhenReady loaded={statistics} onRetry={reload} skeleton={<Skeleton lines={1} height={4.25} />}>
          {(groups) => <Funnel range={range} groups={groups} />}
        </WhenReady>
      </div>
      <Money statements={statements} pending={pending} />
      {charted && (
        <WhenReady loaded={charted} onRetry={reload} skeleton={<Skeleton lines={1} height={17} />}>
          {(groups) => <Development range={range} groups={groups} nothingYet={PORTAL.nothingYet} />}
        </WhenReady>
      )}
    </Card>
  );
}

/** Money of each currency that the statements name; nothing if there is none. */
function Money({ statements: [loaded, reload], pending }: Pick<OverviewProps, 'statements' | 'pending'>) {
  // The list of statements says what failed.
  if (loaded.kind === 'failed' && !readyOf(loaded)) return null;
  return (
    <WhenReady loaded={loaded} onRetry={reload} skeleton={<Skeleton lines={1} height={5.5} />}>
      {(statements) => {
        const totals = moneyTotals(statements);
        if (totals.length === 0) return null;
        const of = (key: 'earned' | 'balance' | 'payable') =>
          totals.map(({ currency, [key]: amount }) => formatMoney(amount, currency));
        return (
          <div class="stats money">
            <Stat name={PORTAL.earned} values={of('earned')} note={PORTAL.thisMonth} />
            <Stat
              name={PORTAL.balance}
              values={of('balance')}
              note={noteOf(
                totals.map(({ balance }) => balance),
                PORTAL.notPaidOut,
              )}
            />
            <Stat
              name={PORTAL.payable}
              values={of('payable')}
              note={noteOf(
                totals.map(({ payable }) => payable),
                pending === undefined ? PORTAL.nextPayout : PORTAL.afterDate(formatDate(pending)),
              )}
            />
          </div>
        );
      }}
    </WhenReady>
  );
}

/** After a refund or a payout of more than was payable, an amount can be negative: nobody pays it out. */
const noteOf = (amounts: readonly number[], note: string) =>
  amounts.some((amount) => amount < 0) ? PORTAL.setOff : note;

type Counts = Schemas['Counts']['attributes'];

/**
 * Which of my links works? The sign-ups of the range by sub id, if there are any. It is the last part of the page, because
 * others would move when it appears.
 */
export function SubIds({ range }: { readonly range: Range }) {
  const [counts, reload] = useLoaded(
    async (signal) => {
      const created_at_gt = beforeFirstDayOf(range, Date.now());
      const query = { group_by: 'sub_id', clicks: false, created_at_gt } as const;
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
    <Card title={PORTAL.subIds} advice={PORTAL.subIdsAdvice} isBusy={isReading}>
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
            { name: COMMON.subId, cell: ({ name }) => <bdi>{name}</bdi> },
            numberColumn<Row>(COMMON.signUps, ({ signUps }) => formatNumber(signUps)),
            numberColumn<Row>(COMMON.paying, ({ paying }) => formatNumber(paying)),
            numberColumn<Row>(PORTAL.ofThose, ({ signUps, paying }) => formatRate(paying, signUps)),
          ]}
        />
      )}
    </Card>
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

type Row = ReturnType<typeof rowOf>;

function rowOf(name: string, { converted, paid, churned }: Pick<Counts['total'], 'converted' | 'paid' | 'churned'>) {
  return { name, signUps: converted + paid + churned, paying: paid };
}
