import { chartOf } from './chart.ts';
import { countStates } from './chart-data.ts';
import { byId, make, TIME_OF_DAY } from './dom.ts';
import { showTable } from './referral-table.ts';
import type { Referral } from './service.ts';
import { STATES } from './states.ts';

const totals = byId('totals', HTMLElement);
const chart = byId('chart', HTMLElement);
const freshness = byId('freshness', HTMLElement);
const trouble = byId('trouble', HTMLElement);

let shown: readonly Referral[] | undefined;
/** Id of the visitor's own referral. */
let own: string | undefined;

// The chart's texts keep their size: it is drawn anew for another width.
new ResizeObserver(() => shown && drawChart(shown)).observe(chart);

/** Shows the advocate's referrals, the latest change first. What has not changed is left alone. */
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
  showTable(referrals, ownId, before);
}

/** Shows that the service has not responded yet. What was shown stays. */
export function showWaiting(): void {
  freshness.classList.remove('live');
  freshness.textContent = 'Waiting for the service …';
}

/** Shows why there is nothing new. What was shown stays. */
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
