import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { COMMON } from '../words/common.ts';
import { Button } from './controls.tsx';
import { axisOf, formatKey, formatNumber } from './format.ts';
import { numberColumn, Table } from './table.tsx';

export interface Series {
  readonly name: string;
  /** The color: `--series-1` and so on. */
  readonly color: 2 | 3;
  readonly values: readonly number[];
}

interface ChartProps {
  readonly name: string;
  /** Days (`YYYY-MM-DD`) or months (`YYYY-MM`), oldest first. */
  readonly keys: readonly string[];
  readonly series: readonly Series[];
}

const HEIGHT = 180;
const TOP = 8;
const BOTTOM = 24;
/** The width of a character of an axis label at most, and the room beside the label. */
const CHARACTER = 7;
const BESIDE = 12;

/** A line over days or months. A person picks its series: the others would be flat beside it. The table has all. */
export function Chart({ name, keys, series }: ChartProps) {
  const [picked, setPicked] = useState(0);
  const [width, setWidth] = useState(640);
  const figure = useRef<HTMLElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = figure.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(240, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <figure ref={figure} class="chart" aria-labelledby={id}>
      <figcaption>
        <span id={id} class="hidden">
          {name}
        </span>
        <Picker series={series} picked={picked} onPick={setPicked} />
      </figcaption>
      <Lines keys={keys} series={series.slice(picked, picked + 1)} width={width} />
      <details>
        <summary>{COMMON.showTable}</summary>
        <ChartTable name={name} keys={keys} series={series} />
      </details>
    </figure>
  );
}

interface PickerProps extends Pick<ChartProps, 'series'> {
  readonly picked: number;
  readonly onPick: (index: number) => void;
}

function Picker({ series, picked, onPick }: PickerProps) {
  return (
    <div class="picker">
      {series.map(({ name }, index) => (
        <Button key={name} label={name} aria-pressed={index === picked} onClick={() => onPick(index)} />
      ))}
    </div>
  );
}

/** The lines. The table below says the same, so assistive technology does not need them. */
function Lines({ keys, series, width }: Pick<ChartProps, 'keys' | 'series'> & { readonly width: number }) {
  const [shown, setShown] = useState<number>();
  const axis = axisOf(Math.max(0, ...series.flatMap(({ values }) => values)));
  const top = axis[axis.length - 1] ?? 1;
  const left = BESIDE + CHARACTER * Math.max(3, ...axis.map((value) => formatNumber(value).length));
  const step = (width - left - 8) / Math.max(1, keys.length - 1);
  const x = (index: number) => left + index * step;
  const y = (value: number) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * value) / top;
  const pointsOf = (values: readonly number[]) => values.map((value, index) => `${x(index)},${y(value)}`).join(' ');
  const every = Math.max(1, Math.ceil(keys.length / Math.max(2, Math.floor(width / 90))));
  const point = (event: PointerEvent & { readonly currentTarget: SVGSVGElement }) => {
    const offset = event.clientX - event.currentTarget.getBoundingClientRect().left - left;
    setShown(Math.min(keys.length - 1, Math.max(0, Math.round(offset / step))));
  };
  return (
    <div class="plot">
      <svg
        aria-hidden="true"
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setShown(undefined)}
      >
        {axis.map((value) => (
          <g key={value}>
            <line class="grid" x1={left} x2={width} y1={y(value)} y2={y(value)} />
            <text x={left - 8} y={y(value) + 4} text-anchor="end">
              {formatNumber(value)}
            </text>
          </g>
        ))}
        {keys.map((key, index) =>
          (keys.length - 1 - index) % every === 0 ? (
            <text key={key} x={x(index)} y={HEIGHT - 4} text-anchor={index === keys.length - 1 ? 'end' : 'middle'}>
              {formatKey(key, 'short')}
            </text>
          ) : null,
        )}
        {shown !== undefined && <line class="cursor" x1={x(shown)} x2={x(shown)} y1={TOP} y2={HEIGHT - BOTTOM} />}
        {series.toReversed().map(({ name, color, values }) => (
          <g key={name} class={`series-${color}`}>
            {series.length === 1 && (
              <polygon points={`${x(0)},${y(0)} ${pointsOf(values)} ${x(values.length - 1)},${y(0)}`} />
            )}
            <polyline points={pointsOf(values)} />
            {shown !== undefined && <circle cx={x(shown)} cy={y(values[shown] ?? 0)} r="3.5" />}
          </g>
        ))}
      </svg>
      {shown !== undefined && <Tip keys={keys} series={series} index={shown} isRight={x(shown) > width / 2} />}
    </div>
  );
}

interface TipProps extends Pick<ChartProps, 'keys' | 'series'> {
  readonly index: number;
  readonly isRight: boolean;
}

function Tip({ keys, series, index, isRight }: TipProps) {
  return (
    <div class={`tip ${isRight ? 'at-left' : 'at-right'}`} aria-hidden="true">
      <strong>{formatKey(keys[index] ?? '', 'long')}</strong>
      {series.map(({ name, values }) => (
        <span key={name}>
          {name} <b>{formatNumber(values[index] ?? 0)}</b>
        </span>
      ))}
    </div>
  );
}

function ChartTable({ name, keys, series }: ChartProps) {
  const columns = [
    {
      name: keys[0]?.length === 7 ? COMMON.month : COMMON.day,
      cell: (index: number) => formatKey(keys[index] ?? '', 'long'),
    },
    ...series.map((each) => numberColumn<number>(each.name, (index) => formatNumber(each.values[index] ?? 0))),
  ];
  return <Table name={name} columns={columns} rows={[...keys.keys()].toReversed()} keyOf={String} isNarrow />;
}
