import { byId, make, TIME_OF_DAY } from './dom.ts';
import type { Referral } from './service.ts';
import type { State } from './states.ts';

/** Rows that show before the visitor asks for all: as many as fit beside the shop. */
const FEW = 6;
/** Seconds for which a time of day says more than a date. */
const DAY = 86_400;

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const rows = byId('referrals', HTMLTableSectionElement);
const count = byId('count', HTMLElement);
const showAll = byId('show-all', HTMLButtonElement);

let shown: readonly Referral[] = [];
let own: string | undefined;
let isWhole = false;

showAll.addEventListener('click', () => {
  isWhole = !isWhole;
  drawRows(new Set());
});

/** Shows the referrals in the table, as they are sorted. What is not in `before` is highlighted. */
export function showTable(
  referrals: readonly Referral[],
  ownId: string | undefined,
  before: readonly Referral[] = referrals,
): void {
  shown = referrals;
  own = ownId;
  const known = new Set(before.map(keyOf));
  drawRows(new Set(referrals.filter((referral) => !known.has(keyOf(referral)))));
}

function drawRows(fresh: ReadonlySet<Referral>): void {
  const visible = isWhole ? shown : shown.slice(0, FEW);
  rows.replaceChildren(...visible.map((referral) => rowOf(referral, fresh.has(referral))));
  const all = shown.length === 1 ? '1 referral' : `${shown.length} referrals`;
  const order = isWhole ? 'latest change first' : `the ${visible.length} latest changes`;
  count.textContent = shown.length > FEW ? `${all}, ${order}` : all;
  showAll.hidden = shown.length <= FEW;
  showAll.textContent = isWhole ? `Show the latest ${FEW} only` : `Show all ${shown.length} referrals`;
  showAll.setAttribute('aria-expanded', String(isWhole));
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
