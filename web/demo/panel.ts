import { chartOf } from './chart.ts';
import { sum } from './chart-data.ts';
import { byId, make } from './dom.ts';
import { commissionOf, emailOf, TIME_OF_DAY, timeOf } from './format.ts';
import { type Counts, type CountsByMonth, type Referral, STATES } from './referral.ts';

/** Rows shown before the visitor expands the table: they fit next to the shop. */
const FEW = 5;

const chart = byId('chart', HTMLElement);
const freshness = byId('freshness', HTMLElement);
const trouble = byId('trouble', HTMLElement);
const showAll = byId('show-all', HTMLButtonElement);

let shown: readonly Referral[] | undefined;
let counted: CountsByMonth | undefined;
/** Id of the visitor's own referral. */
let own: string | undefined;
let isExpanded = false;

// Redrawn for each width, so that the text of the chart keeps its size.
new ResizeObserver(drawChart).observe(chart);
showAll.addEventListener('click', () => {
  isExpanded = !isExpanded;
  drawRows(new Set());
});

/** Shows an advocate's counts and referrals, latest change first, and highlights what has changed. */
export function showReferrals(referrals: readonly Referral[], counts: CountsByMonth, ownId: string | undefined): void {
  trouble.hidden = true;
  showFreshness(`Live, ${TIME_OF_DAY.format(new Date())}`, true);
  if (JSON.stringify([referrals, counts, ownId]) === JSON.stringify([shown, counted, own])) return;
  const [before, countedBefore] = [shown ?? referrals, counted ?? counts];
  shown = referrals;
  counted = counts;
  own = ownId;
  drawTotals(counts.total, countedBefore.total);
  drawChart();
  const known = new Set(before.map(keyOf));
  drawRows(new Set(referrals.filter((referral) => !known.has(keyOf(referral)))));
}

/** Removes everything from the dashboard, before it shows another advocate. */
export function emptyDashboard(): void {
  shown = undefined;
  counted = undefined;
  own = undefined;
  isExpanded = false;
  showFreshness('Loading', false);
  byId('totals', HTMLElement).replaceChildren();
  chart.replaceChildren();
  drawRows(new Set());
  byId('count', HTMLElement).textContent = 'Loading the referrals …';
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
  byId('figure', HTMLElement).hidden = counted !== undefined && sum(counted.total) === 0;
  const width = chart.clientWidth;
  // Without a width the page has no layout yet: the observer draws the chart once it has.
  if (counted && width > 0) chart.replaceChildren(chartOf(counted, width));
}

function drawRows(fresh: ReadonlySet<Referral>): void {
  const total = shown?.length ?? 0;
  const visible = (shown ?? []).slice(0, isExpanded ? total : FEW);
  const rows = visible.map((referral) => rowOf(referral, fresh.has(referral)));
  byId('referrals', HTMLTableSectionElement).replaceChildren(...rows);
  const all = total === 0 ? 'No referrals yet' : total === 1 ? '1 referral' : `${total} referrals`;
  const order = isExpanded ? 'latest change first' : `the ${visible.length} latest changes`;
  byId('count', HTMLElement).textContent = total > FEW ? `${all}, ${order}` : all;
  showAll.hidden = total <= FEW;
  showAll.textContent = isExpanded ? `Show the latest ${FEW} only` : `Show all ${total} referrals`;
  showAll.setAttribute('aria-expanded', String(isExpanded));
}

function rowOf(referral: Referral, isFresh: boolean): HTMLTableRowElement {
  const { id, email, state, stateSetAt, subId } = referral;
  const nobody = state === 'clicked' ? 'A visitor' : 'Without an email';
  const person = make('td', 'person', ...(email === null ? [nobody] : emailOf(email)));
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

function keyOf({ id, state }: Referral): string {
  return `${id} ${state}`;
}
