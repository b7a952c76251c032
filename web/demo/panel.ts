import { chartOf } from './chart.ts';
import { type Counts, countStates } from './chart-data.ts';
import { byId, make, TIME_OF_DAY } from './dom.ts';
import { type Referral, STATES } from './service.ts';

/** Rows shown before the visitor expands the table: they fit next to the shop. */
const FEW = 6;

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const chart = byId('chart', HTMLElement);
const freshness = byId('freshness', HTMLElement);
const trouble = byId('trouble', HTMLElement);
const showAll = byId('show-all', HTMLButtonElement);

let shown: readonly Referral[] | undefined;
/** Id of the visitor's own referral. */
let own: string | undefined;
let isExpanded = false;

// Redrawn for each width, so that the text of the chart keeps its size.
new ResizeObserver(drawChart).observe(chart);
showAll.addEventListener('click', () => {
  isExpanded = !isExpanded;
  drawRows(new Set());
});

/** Shows the advocate's referrals, latest change first, and highlights what has changed. */
export function showReferrals(referrals: readonly Referral[], ownId: string | undefined): void {
  trouble.hidden = true;
  showFreshness(`Live, ${TIME_OF_DAY.format(new Date())}`, true);
  if (ownId === own && JSON.stringify(referrals) === JSON.stringify(shown)) return;
  const before = shown ?? referrals;
  shown = referrals;
  own = ownId;
  drawTotals(countStates(referrals), countStates(before));
  drawChart();
  const known = new Set(before.map(keyOf));
  drawRows(new Set(referrals.filter((referral) => !known.has(keyOf(referral)))));
}

/** Shows why the list cannot be read. The referrals shown so far stay. */
export function showTrouble(sentence: string): void {
  showFreshness('Not live', false);
  trouble.textContent = sentence;
  trouble.hidden = false;
}

/** Shows whether the panel is up to date. */
export function showFreshness(text: string, isLive: boolean): void {
  freshness.classList.toggle('live', isLive);
  freshness.textContent = text;
}

function drawTotals(counts: Counts, before: Counts): void {
  byId('totals', HTMLElement).replaceChildren(
    ...STATES.map((state) => {
      const number = make('strong', before[state] === counts[state] ? '' : 'fresh', String(counts[state]));
      return make('li', '', make('span', `swatch ${state}`), make('span', '', state), number);
    }),
  );
}

function drawChart(): void {
  const width = chart.clientWidth;
  // Without a width the page has no layout yet: the observer draws the chart once it has.
  if (shown && width > 0) chart.replaceChildren(chartOf(shown, width));
}

function drawRows(fresh: ReadonlySet<Referral>): void {
  const total = shown?.length ?? 0;
  const visible = (shown ?? []).slice(0, isExpanded ? total : FEW);
  const rows = visible.map((referral) => rowOf(referral, fresh.has(referral)));
  byId('referrals', HTMLTableSectionElement).replaceChildren(...rows);
  const all = total === 1 ? '1 referral' : `${total} referrals`;
  const order = isExpanded ? 'latest change first' : `the ${visible.length} latest changes`;
  byId('count', HTMLElement).textContent = total > FEW ? `${all}, ${order}` : all;
  showAll.hidden = total <= FEW;
  showAll.textContent = isExpanded ? `Show the latest ${FEW} only` : `Show all ${total} referrals`;
  showAll.setAttribute('aria-expanded', String(isExpanded));
}

function rowOf(referral: Referral, isFresh: boolean): HTMLTableRowElement {
  const { id, email, state, stateSetAt, subId } = referral;
  const person = make('td', 'person', email ?? (state === 'clicked' ? 'A visitor' : 'Without an email'));
  if (id === own) person.append(' ', make('span', 'tag', 'you'));
  if (subId !== null) person.append(' ', make('span', 'tag', subId));
  return make(
    'tr',
    isFresh ? 'fresh' : '',
    person,
    make('td', '', make('span', `badge ${state}`, state)),
    make('td', '', timeOf(stateSetAt)),
    make('td', '', commissionOf(referral)),
  );
}

function timeOf(second: number): HTMLElement {
  const date = new Date(second * 1000);
  const isLastDay = Date.now() / 1000 - second < 86_400;
  const time = make('time', '', (isLastDay ? TIME_OF_DAY : DATE).format(date));
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
