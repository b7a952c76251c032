import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { decimalsOf } from '../../functions/ledger/rules/units.ts';
import { axisOf, formatAxis, formatShort } from './format.ts';
import type { ChartProps } from './points.ts';

interface LinesProps extends Pick<ChartProps, 'points' | 'by' | 'isOpen' | 'currency'> {
  /** The point whose values are shown. */
  readonly shown: number | undefined;
  readonly onShow: (index: number | undefined) => void;
}

const TOP = 8;
const BOTTOM = 24;
/** The width of a character of an axis label at most, and the room beside the label. */
const CHARACTER = 6.5;
const BESIDE = 12;

/** The lines. The values are said elsewhere, so assistive technology does not need them. */
export function Lines({ points, by, isOpen, currency, shown, onShow }: LinesProps) {
  const [box, { width, height }] = useSize();
  const unit = currency === '' ? 1 : 10 ** decimalsOf(currency);
  const values = points.flatMap(({ value, before }) => (before ? [value, before.value] : [value]));
  const axis = axisOf(Math.max(0, ...values) / unit, Math.min(0, ...values) / unit);
  const [low = 0, high = 1] = [axis[0], axis.at(-1)];
  const labels = axis.map((value) => formatAxis(value, currency));
  const left = BESIDE + CHARACTER * Math.max(3, ...labels.map(({ length }) => length));
  const last = points.length - 1;
  const step = (width - left - 10) / Math.max(1, last);
  const foot = height - BOTTOM;
  const x = (index: number) => (last === 0 ? (left + width) / 2 : left + index * step);
  const y = (value: number) => foot - ((foot - TOP) * (value / unit - low)) / (high - low);
  const line = (all: readonly (number | undefined)[], first = 0) =>
    all.flatMap((value, index) => (value === undefined ? [] : [`${x(first + index)},${y(value)}`])).join(' ');
  const now = points.map(({ value }) => value);
  const closed = isOpen ? now.slice(0, -1) : now;
  const every = Math.max(1, Math.ceil(points.length / Math.max(2, Math.floor(width / 90))));
  const point = ({ clientX, currentTarget }: PointerEvent & { readonly currentTarget: SVGSVGElement }) => {
    const offset = clientX - currentTarget.getBoundingClientRect().left - left;
    onShow(Math.min(last, Math.max(0, Math.round(offset / step))));
  };
  return (
    <div ref={box} class="drawing">
      <svg
        aria-hidden="true"
        width={width}
        height={height}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => onShow(undefined)}
      >
        {axis.map((value, index) => (
          <g key={value}>
            <line class="grid" x1={left} x2={width} y1={y(value * unit)} y2={y(value * unit)} />
            <text x={left - 8} y={y(value * unit) + 4} text-anchor="end">
              {labels[index]}
            </text>
          </g>
        ))}
        {points.map(({ days }, index) =>
          (last - index) % every === 0 ? (
            <text key={days.from} x={x(index)} y={height - 4} text-anchor={index === last ? 'end' : 'middle'}>
              {formatShort(days, by)}
            </text>
          ) : null,
        )}
        {shown !== undefined && <line class="cursor" x1={x(shown)} x2={x(shown)} y1={TOP} y2={foot} />}
        <polyline class="then" points={line(points.map(({ before }) => before?.value))} />
        <polygon points={`${x(0)},${y(0)} ${line(now)} ${x(last)},${y(0)}`} />
        <polyline class="now" points={line(closed)} />
        {isOpen && last > 0 && <polyline class="now open" points={line(now.slice(-2), last - 1)} />}
        {isOpen && <circle class="hollow" cx={x(last)} cy={y(now[last] ?? 0)} r="3.5" />}
        {shown !== undefined && !(isOpen && shown === last) && <circle cx={x(shown)} cy={y(now[shown] ?? 0)} r="3.5" />}
      </svg>
    </div>
  );
}

/** The size of an element, as it is and as it changes. */
function useSize() {
  const element = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 640, height: 200 });
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setSize({ width: Math.max(200, current.clientWidth), height: current.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, size] as const;
}
