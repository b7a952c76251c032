import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { COMMON } from '../words/common.ts';
import type { Schemas } from './api.ts';
import { Chart, type Series } from './chart.tsx';
import { formatChange, formatNumber, formatRate, type Range, splitGroups } from './format.ts';

interface GroupsProps {
  readonly range: Range;
  readonly groups: readonly Day[];
}

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
      <Chart name={COMMON.chart} keys={shown.map(({ key }) => key)} series={series} />
    </>
  );
}

interface FunnelNumberProps {
  readonly name: string;
  readonly value: number;
  /** The value of the period before; `undefined` if there is none to compare with. */
  readonly before: number | undefined;
  readonly range: string;
  /** The step before this one, with the words for the share, such as "of clicks". */
  readonly of?: { readonly value: number; readonly words: string };
}

/** One step of a funnel: its number in full, its share of the step before, and its change against the period before. */
function FunnelNumber({ name, value, before, range, of }: FunnelNumberProps) {
  const change = before === undefined ? undefined : formatChange(value, before);
  const note = (
    <>
      {of && (
        <span>
          {formatRate(value, of.value)} {of.words}
        </span>
      )}
      {change !== undefined && (
        <span class={value < (before ?? 0) ? 'change down' : 'change up'}>
          {change} <span class="hidden">{COMMON.before(range)}</span>
        </span>
      )}
    </>
  );
  return <Stat name={name} values={[formatNumber(value)]} note={note} />;
}

interface StatProps {
  readonly name: string;
  readonly values: readonly string[];
  readonly note: ComponentChildren;
}

export function Stat({ name, values, note }: StatProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div class="stat" role="group" aria-labelledby={id}>
      <p class="stat-name" id={id}>
        {name}
      </p>
      {values.map((value) => (
        <p key={value} class="stat-value">
          {value}
        </p>
      ))}
      <p class="stat-note">{note}</p>
    </div>
  );
}

export type Day = Schemas['Statistics']['attributes']['groups'][number];

function sumOf(days: readonly Day[]): { clicks: number; conversions: number; paying: number } {
  const sum = { clicks: 0, conversions: 0, paying: 0 };
  for (const { clicks, conversions, paying } of days) {
    sum.clicks += clicks;
    sum.conversions += conversions;
    sum.paying += paying;
  }
  return sum;
}
