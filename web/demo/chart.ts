import { axisOf, byMonth, type Counted, countStates, type Month, sum } from './chart-data.ts';
import { draw } from './dom.ts';
import { STATES } from './states.ts';

const HEIGHT = 148;
const LEFT = 26;
const TOP = 8;
const BOTTOM = 20;
/** Narrowest room of one month, in pixels. */
const MONTH_WIDTH = 15;
const MOST_MONTHS = 24;

const MONTH = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

/** The referrals per state over the months, as bars in a picture of this width in pixels. */
export function chartOf(referrals: readonly Counted[], width: number): SVGSVGElement {
  const room = width - LEFT;
  const months = byMonth(referrals, Math.max(1, Math.min(MOST_MONTHS, Math.floor(room / MONTH_WIDTH))));
  const axis = axisOf(Math.max(0, ...months.map(({ counts }) => sum(counts))));
  const top = axis[axis.length - 1] ?? 1;
  const yOf = (value: number) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * value) / top;
  const step = room / Math.max(months.length, 1);
  return draw(
    'svg',
    { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-labelledby': 'chart-name chart-summary' },
    draw('title', { id: 'chart-name' }, 'Referrals per state, by the month in which they were created'),
    draw('desc', { id: 'chart-summary' }, summaryOf(referrals, months)),
    ...axis.map((value) => lineAt(value, yOf(value), width)),
    ...months.map((month, index) => barOf(month, LEFT + index * step, step, yOf)),
  );
}

function lineAt(value: number, y: number, width: number): SVGGElement {
  return draw(
    'g',
    { class: 'line' },
    draw('line', { x1: LEFT, x2: width, y1: y, y2: y }),
    draw('text', { x: LEFT - 7, y: y + 4, 'text-anchor': 'end' }, String(value)),
  );
}

/** One month: a part for each state, one on top of the other, and a name at the beginning of each quarter. */
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
    draw('title', {}, `${nameOf(month)} ${month.year}: ${countsOf(month.counts)}`),
    // The pointer finds the month above a low bar too.
    draw('rect', { class: 'hover-area', x, width: step, y: TOP, height: HEIGHT - BOTTOM - TOP }),
    ...parts,
    ...(isLabelled ? [draw('text', label, month.month === 1 ? String(month.year) : nameOf(month))] : []),
  );
}

function summaryOf(referrals: readonly Counted[], months: readonly Month[]): string {
  const [first] = months;
  const last = months[months.length - 1];
  if (!first || !last) return 'No referrals yet.';
  const span = `${nameOf(first)} ${first.year} to ${nameOf(last)} ${last.year}`;
  return `${span}. In total: ${countsOf(countStates(referrals))}.`;
}

function countsOf(counts: Month['counts']): string {
  return STATES.map((state) => `${counts[state]} ${state}`).join(', ');
}

function nameOf({ year, month }: Month): string {
  return MONTH.format(new Date(Date.UTC(year, month - 1)));
}
