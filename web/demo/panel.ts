import { chartOf } from './chart.ts';
import { countStates } from './chart-data.ts';
import { byId, make, TIME_OF_DAY } from './dom.ts';
import type { Referral } from './service.ts';
import { STATES, type State } from './states.ts';

/** Rows of the table: as many as can be seen beside the shop. */
const ROWS = 6;
/** Seconds for which a time of day says more than a date. */
const DAY = 86_400;

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const totals = byId('totals', HTMLElement);
const chart = byId('chart', HTMLElement);
const rows = byId('referrals', HTMLTableSectionElement);
const freshness = byId('freshness', HTMLElement);
const trouble = byId('trouble', HTMLElement);

let shown: readonly Referral[] | undefined;
/** The referral that this visitor is. */
let own: string | undefined;

// The chart's texts keep their size: it is drawn anew for another width.
new ResizeObserver(() => shown && drawChart(shown)).observe(chart);

/** Shows the affiliate's referrals, newest state first. What has not changed is left alone. */
export function showReferrals(referrals: readonly Referral[], ownId: string | undefined): void {
  trouble.hidden = true;
  freshness.classList.add('live');
  freshness.textContent = `Live, ${TIME_OF_DAY.format(new Date())}`;
  if (ownId === own && JSON.stringify(referrals) === JSON.stringify(shown)) return;
  const before = shown;
  shown = referrals;
  own = ownId;
  showTotals(referrals, before);
  drawChart(referrals);
  const known = new Set(before?.map(keyOf));
  rows.replaceChildren(
    ...referrals
      .slice(0, ROWS)
      .map((referral) => rowOf(referral, before !== undefined && !known.has(keyOf(referral)))),
  );
}

/** Says why there is nothing new to see. What was shown stays. */
export function showTrouble(sentence: string): void {
  freshness.classList.remove('live');
  freshness.textContent = 'Not live';
  trouble.textContent = sentence;
  trouble.hidden = false;
}

function showTotals(referrals: readonly Referral[], before: readonly Referral[] | undefined): void {
  const counts = countStates(referrals);
  const old = before && countStates(before);
  totals.replaceChildren(
    ...STATES.map((state) => {
      const isNew = old !== undefined && old[state] !== counts[state];
      const number = make('strong', isNew ? 'fresh' : '', String(counts[state]));
      return make('li', '', make('span', `swatch ${state}`), make('span', '', state), number);
    }),
  );
}

function drawChart(referrals: readonly Referral[]): void {
  const width = chart.clientWidth;
  // It has none before the page is laid out, and is drawn when that is done.
  if (width > 0) chart.replaceChildren(chartOf(referrals, width));
}

function rowOf(referral: Referral, isFresh: boolean): HTMLTableRowElement {
  const { id, email, state, stateSetAt, subId } = referral;
  const who = make('td', 'who', email ?? (state === 'clicked' ? 'A visitor' : 'Known to the merchant alone'));
  if (id === own) who.append(' ', make('span', 'tag', 'you'));
  if (subId !== null) who.append(' ', make('span', 'tag', subId));
  return make(
    'tr',
    isFresh ? 'fresh' : '',
    who,
    make('td', '', badgeOf(state)),
    make('td', '', since(stateSetAt)),
    make('td', '', commissionOf(referral)),
  );
}

function badgeOf(state: State): HTMLElement {
  return make('span', `badge ${state}`, state);
}

function since(second: number): HTMLElement {
  const date = new Date(second * 1000);
  const isToday = Date.now() / 1000 - second < DAY;
  const time = make('time', '', (isToday ? TIME_OF_DAY : DATE).format(date));
  time.dateTime = date.toISOString();
  return time;
}

function commissionOf({ commissionPercentage, commissionEndDate }: Referral): string {
  if (commissionPercentage === null) return '–';
  const end = commissionEndDate === null ? '' : ` to ${MONTH.format(new Date(commissionEndDate * 1000))}`;
  return `${commissionPercentage} %${end}`;
}

function keyOf({ id, state }: Referral): string {
  return `${id} ${state}`;
}
