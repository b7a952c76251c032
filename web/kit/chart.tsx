import { useState } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import { Lines } from './chart-lines.tsx';
import { type Column, number, text } from './columns.ts';
import { countDays } from './days.ts';
import { Disclosure } from './disclosure.tsx';
import { formatDays, formatMoney, formatNumber } from './format.ts';
import type { ChartProps, Point, Value } from './points.ts';
import { Table } from './table.tsx';

/** A line over the days of a range, with a dashed one for the days of before. A table has the same values. */
export function Chart(props: ChartProps) {
  const { points, currency, legend, children } = props;
  const [shown, setShown] = useState<number>();
  const last = points.length - 1;
  const index = shown === undefined ? undefined : Math.min(shown, last);
  const write = (value: number) => (currency === '' ? formatNumber(value) : formatMoney(value, currency));
  const textOf = ({ days, value }: Value) => `${formatDays(days)}: ${write(value)}`;
  const current = points[index ?? last];
  const move = (event: KeyboardEvent) => {
    const at = index ?? last + 1;
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last, Escape: undefined }[event.key];
    if (next === undefined) return setShown(undefined);
    event.preventDefault();
    setShown(Math.min(last, Math.max(0, next)));
  };
  return (
    <figure class="chart" aria-label={COMMON.chart}>
      <div
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={COMMON.points}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index ?? last}
        aria-valuetext={
          current && [current, current.before].flatMap((value) => (value ? textOf(value) : [])).join('; ')
        }
        onKeyDown={move}
        onBlur={() => setShown(undefined)}
      >
        <Lines {...props} shown={index} onShow={setShown} />
        {index !== undefined && current && (
          <div class={`tip ${index > last / 2 ? 'at-left' : 'at-right'}`} aria-hidden="true">
            {[current, current.before].map(
              (value) =>
                value && (
                  <p key={value.days.from}>
                    <span>{formatDays(value.days)}</span> <b>{write(value.value)}</b>
                  </p>
                ),
            )}
          </div>
        )}
      </div>
      <figcaption class="legend">
        {legend.map((days, line) => (
          <span key={days} class={line === 0 ? 'now' : 'then'}>
            {days}
          </span>
        ))}
        {children}
      </figcaption>
      <Disclosure label={COMMON.showTable}>
        <ChartTable {...props} write={write} />
      </Disclosure>
    </figure>
  );
}

function ChartTable({ name, points, by, write }: ChartProps & { readonly write: (value: number) => string }) {
  const columns: readonly Column<Point>[] = [
    text(
      COMMON.bys[by],
      ({ days }) => `${formatDays(days)}${days.isShort ? ` (${COMMON.days(countDays(days))})` : ''}`,
      'name',
    ),
    number(name, ({ value }) => write(value), 'key'),
    number(COMMON.earlier, ({ before }) => before && `${formatDays(before.days)}: ${write(before.value)}`, 'below'),
  ];
  return <Table name={COMMON.chart} columns={columns} rows={points.toReversed()} keyOf={({ days }) => days.from} />;
}
