import type { ComponentChildren } from 'preact';
import * as COMMON from '../words/common.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { Chart } from './chart.tsx';
import { dayOf } from './days.ts';
import { CurrencyField } from './fields.tsx';
import { formatDays, formatMoney, formatNumber, formatShare, formatTime } from './format.ts';
import { readyOf, useLoaded } from './loaded.ts';
import { changeOf, currenciesOf, type Group, groupsIn, isMoney, type Measure, sumOf } from './measures.ts';
import { beforeOf, bucketsOf, byOf, comparedDays, type Period, periodOf, requestsOf } from './period.ts';
import { type Filters, RangeFields } from './range-fields.tsx';
import { Tabs } from './tabs.tsx';

interface Query {
  readonly from: string;
  readonly to: string;
  readonly group_by: 'day' | 'month';
}

export interface NumbersProps {
  /** The tabs, of which the first one is selected unless the filters contain another one. */
  readonly measures: readonly Measure[];
  /** `range`, `from`, `to`, `by`, `currency` and `measure`, which live in the address. */
  readonly filters: Filters;
  readonly onFilters: (changes: Filters) => void;
  readonly read: (query: Query, signal: AbortSignal) => Promise<{ readonly groups: readonly Group[] }>;
  /** One sentence and one action, for a range without any number. */
  readonly nothingYet: ComponentChildren;
}

/** The numbers of a range, which are the tabs of their chart. Give it a `key` if `read` reads of another advocate. */
export function Numbers({ measures, filters, onFilters, read, nothingYet }: NumbersProps) {
  const { period, groups, at, isReading } = useGroups(filters, read);
  const currencies = groups ? currenciesOf(groupsIn(groups, period)) : [];
  const chosen = currencies.find((each) => each === filters['currency']) ?? currencies[0];
  const selected = measures.find((each) => each === filters['measure']) ?? measures[0] ?? 'clicks';
  const compared = comparedDays(period, dayOf(Date.now()));
  const currency = chosen ?? (groups && currenciesOf(groups)[0]) ?? '';
  const shared = { period, groups, isReading, compared, currency };
  const tabs = measures.map((measure) => ({
    id: measure,
    label: COMMON.measures[measure],
    summary: <Summary measure={measure} {...shared} />,
    content: () => <Drawing measure={measure} {...shared} filters={filters} onFilters={onFilters} />,
  }));
  const choices = (
    <div class="choices">
      <CurrencyField value={chosen} codes={currencies} onChange={(code) => onFilters({ currency: code })} />
      <RangeFields filters={filters} onFilters={onFilters} withBy />
    </div>
  );
  return (
    <Card title={COMMON.numbers} kind="numbers" beside={choices} isBusy={isReading}>
      {groups?.every((group) => hasNothing(measures, group)) ? (
        <div class="empty">{nothingYet}</div>
      ) : (
        <Tabs
          label={COMMON.numbers}
          kind={groups && isReading ? 'measures reloading' : 'measures'}
          tabs={tabs}
          selected={selected}
          onSelect={(measure) => onFilters({ measure })}
        />
      )}
      {/* Until the time is known, it keeps its place: nothing moves. */}
      <p class="hint" style={{ visibility: groups ? 'visible' : 'hidden' }}>
        {compared && COMMON.comparedWith(formatDays(compared.before), compared.now !== period)}{' '}
        {COMMON.readAt(formatTime(at ?? Date.now()))}
      </p>
    </Card>
  );
}

/** Reads the days of the range and of before. The numbers of the last range stay while another one is read. */
function useGroups(filters: Filters, read: NumbersProps['read']) {
  const chosen = periodOf(filters, Date.now());
  const requests = requestsOf(chosen);
  const [loaded] = useLoaded(
    async (signal) => {
      const answers = await Promise.all(requests.map(({ from, to }) => read({ from, to, group_by: 'day' }, signal)));
      return { period: chosen, groups: answers.flatMap(({ groups }) => groups) };
    },
    [requests],
    [],
  );
  const last = readyOf(loaded);
  const [ready, at] = [last?.value, last?.at];
  const isReading = loaded.kind === 'loading' || (loaded.kind === 'ready' && loaded.isReloading);
  // After a failure, the numbers of another range would look like the numbers of this one.
  const isOfOther = loaded.kind === 'failed' && JSON.stringify(ready?.period) !== JSON.stringify(chosen);
  return { ...(ready && !isOfOther ? ready : { period: chosen, groups: undefined }), at, isReading };
}

/** True for a day without any of the numbers, in any currency. */
function hasNothing(measures: readonly Measure[], group: Group): boolean {
  const codes = ['', ...group.money.map(({ currency }) => currency)];
  return measures.every((measure) => codes.every((currency) => sumOf(measure, [group], currency) === 0));
}

interface MeasureProps {
  readonly measure: Measure;
  readonly period: Period;
  /** The days of the period and of before; `undefined` until they are read. */
  readonly groups: readonly Group[] | undefined;
  /** Both sides of a change. */
  readonly compared: ReturnType<typeof comparedDays>;
  /** `''` before any money. */
  readonly currency: string;
  readonly isReading: boolean;
}

/** Returns how a value of a measure is written. Before any money, its currency is not known. */
const writerOf = (measure: Measure, currency: string) => (value: number) => {
  if (!isMoney(measure)) return formatNumber(value);
  return currency === '' ? COMMON.noAmount : formatMoney(value, currency);
};

/** The number of a tab in full, and its change. */
function Summary({ measure, period, groups, compared, currency }: MeasureProps) {
  if (!groups) return <span class="tab-value">{COMMON.unknown}</span>;
  const write = writerOf(measure, currency);
  const sum = (days: Parameters<typeof groupsIn>[1]) => sumOf(measure, groupsIn(groups, days), currency);
  const isKnown = !isMoney(measure) || currency !== '';
  const change = isKnown && compared && changeOf(sum(compared.now), sum(compared.before), isMoney(measure));
  return (
    <>
      <span class="tab-value">{write(sum(period))}</span>{' '}
      {change && 'share' in change && (
        <span class={`change ${change.share < 0 ? 'down' : change.share > 0 ? 'up' : ''}`}>
          {formatShare(change.share)}
        </span>
      )}
      {change && 'was' in change && <span class="change">{COMMON.was(write(change.was))}</span>}
    </>
  );
}

/** The chart of a measure, or why there is none. */
function Drawing({ measure, period, groups, currency, isReading, filters, onFilters }: DrawingProps) {
  if (!groups) return <p class="plot empty bone">{!isReading && COMMON.notLoaded}</p>;
  const by = byOf(period, filters['by']);
  const points = bucketsOf(period, by).map((bucket) => ({
    days: bucket,
    value: sumOf(measure, groupsIn(groups, bucket), currency),
    before: bucket.before && {
      days: bucket.before,
      value: sumOf(measure, groupsIn(groups, bucket.before), currency),
    },
  }));
  if (points.every(({ value, before }) => value === 0 && (before?.value ?? 0) === 0)) {
    const isYear = period.range === '12m';
    return (
      <p class="plot empty">
        {COMMON.noneOf(COMMON.measures[measure])}{' '}
        <Button
          label={isYear ? COMMON.showDays : COMMON.showYear}
          kind="link"
          onClick={() => onFilters({ ...NO_DAYS, range: isYear ? '30d' : '12m' })}
        />
      </p>
    );
  }
  const shown = groupsIn(groups, period);
  const others = isMoney(measure) ? currenciesOf(shown).filter((each) => each !== currency) : [];
  const also = others.map((each) => writerOf(measure, each)(sumOf(measure, shown, each)));
  return (
    <Chart
      name={COMMON.measures[measure]}
      points={points}
      by={by}
      isOpen={period.to === dayOf(Date.now())}
      currency={isMoney(measure) ? currency : ''}
      legend={[COMMON.ranges[period.range], formatDays(beforeOf(period))]}
    >
      {also.length > 0 && <p class="soft">{COMMON.otherCurrencies(also.join(', '))}</p>}
    </Chart>
  );
}

const NO_DAYS = { from: undefined, to: undefined, by: undefined };

interface DrawingProps extends MeasureProps, Pick<NumbersProps, 'filters' | 'onFilters'> {}
