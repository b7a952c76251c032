import { COMMON } from '../words/common.ts';
import { Chart, type Series } from './chart.tsx';
import { FunnelNumber } from './number.tsx';
import { type Range, splitGroups } from './ranges.ts';
import { type Day, sumOf } from './totals.ts';

interface GroupsProps {
  readonly range: Range;
  readonly groups: readonly Day[];
}

/** Clicks, sign-ups and paying customers of a range, with their change against the period before. */
export function Funnel({ range, groups }: GroupsProps) {
  const [shown, before] = splitGroups(range, groups);
  const [now, then] = [sumOf(shown), before && sumOf(before)];
  const period = COMMON.ranges[range];
  return (
    <>
      <div class="stats">
        <FunnelNumber name={COMMON.clicks} value={now.clicks} before={then?.clicks} range={period} />
        <FunnelNumber
          name={COMMON.signUps}
          value={now.conversions}
          before={then?.conversions}
          range={period}
          of={{ value: now.clicks, words: COMMON.ofClicks }}
        />
        <FunnelNumber
          name={COMMON.paying}
          value={now.paying}
          before={then?.paying}
          range={period}
          of={{ value: now.conversions, words: COMMON.ofSignUps }}
        />
      </div>
      {then && then.clicks + then.conversions + then.paying > 0 && <p class="soft changes">{COMMON.changes(period)}</p>}
    </>
  );
}

interface DevelopmentProps extends GroupsProps {
  /** Said above a chart without a number. */
  readonly nothingYet: string;
}

/** The numbers of the range by day or month. Clicks would flatten the other two, so one is drawn at a time. */
export function Development({ range, groups, nothingYet }: DevelopmentProps) {
  const shown = splitGroups(range, groups)[0].toReversed();
  const series: Series[] = [
    { name: COMMON.clicks, color: 2, values: shown.map(({ clicks }) => clicks) },
    { name: COMMON.signUps, color: 2, values: shown.map(({ conversions }) => conversions) },
    { name: COMMON.paying, color: 3, values: shown.map(({ paying }) => paying) },
  ];
  const isEmpty = series.every(({ values }) => values.every((value) => value === 0));
  return (
    <>
      {isEmpty && <p class="empty">{nothingYet}</p>}
      <Chart name={COMMON.chart} keys={shown.map(({ key }) => key)} series={series} isPicked />
    </>
  );
}
