import { axisOf, lastMonths, type Month, sum } from './chart-data.ts';
import { type Counts, type CountsByMonth, STATES } from './referral.ts';

const HEIGHT = 148;
const LEFT = 26;
const TOP = 8;
const BOTTOM = 20;
/** Minimum width of a month in pixels. */
const MONTH_WIDTH = 15;
const MAX_MONTHS = 24;

const MONTH = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

/** Draws a bar chart of the referrals per month and state, for this width in pixels. */
export function chartOf({ total, groups }: CountsByMonth, width: number): SVGSVGElement {
  const available = width - LEFT;
  const months = lastMonths(groups, Math.max(1, Math.min(MAX_MONTHS, Math.floor(available / MONTH_WIDTH))));
  const axis = axisOf(Math.max(0, ...months.map(({ counts }) => sum(counts))));
  const top = axis[axis.length - 1] ?? 1;
  const yOf = (value: number) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * value) / top;
  const step = available / Math.max(months.length, 1);
  return draw(
    'svg',
    { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-labelledby': 'chart-name chart-summary' },
    draw('title', { id: 'chart-name' }, 'Referrals per state, by the month in which they were created'),
    draw('desc', { id: 'chart-summary' }, summaryOf(total, months)),
    ...axis.flatMap((value) => [
      draw('line', { x1: LEFT, x2: width, y1: yOf(value), y2: yOf(value) }),
      draw('text', { x: LEFT - 7, y: yOf(value) + 4, 'text-anchor': 'end' }, String(value)),
    ]),
    ...months.map((month, index) => barOf(month, LEFT + index * step, step, yOf)),
  );
}

/** Draws one month as stacked states. Only the first month of each quarter has a label. */
function barOf(month: Month, x: number, step: number, yOf: (value: number) => number): SVGGElement {
  let below = 0;
  const parts = STATES.map((state) => {
    const base = below;
    below += month.counts[state];
    const [y, height] = [yOf(below), yOf(base) - yOf(below)];
    return draw('rect', { class: state, x: x + step * 0.14, width: step * 0.72, y, height });
  });
  const isLabelled = month.month % 3 === 1;
  const label = { x: x + step / 2, y: HEIGHT - 4, 'text-anchor': 'middle' };
  return draw(
    'g',
    { class: 'month' },
    draw('title', {}, `${nameOf(month)} ${month.year}: ${textOf(month.counts)}`),
    // Also shows the title of the month above a low bar.
    draw('rect', { class: 'hover-area', x, width: step, y: TOP, height: HEIGHT - BOTTOM - TOP }),
    ...parts,
    ...(isLabelled ? [draw('text', label, month.month === 1 ? String(month.year) : nameOf(month))] : []),
  );
}

function summaryOf(total: Counts, months: readonly Month[]): string {
  const [first] = months;
  const last = months[months.length - 1];
  if (!first || !last) return 'No referrals yet.';
  const span = `${nameOf(first)} ${first.year} to ${nameOf(last)} ${last.year}`;
  return `${span}. In total: ${textOf(total)}.`;
}

function textOf(counts: Counts): string {
  return STATES.map((state) => `${counts[state]} ${state}`).join(', ');
}

function nameOf({ year, month }: Month): string {
  return MONTH.format(new Date(Date.UTC(year, month - 1)));
}

/** Creates an SVG element. */
function draw<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
  ...children: (Node | string)[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}
