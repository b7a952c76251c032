import { byId, make } from './dom.ts';
import { fieldOf, listOf, numberOf, textOf } from './fields.ts';
import { timeOf } from './format.ts';
import { parseState } from './referral.ts';
import { send } from './service.ts';

/** A delivery that the shop's webhook endpoint has received and verified. Times are Unix seconds, UTC. */
interface Delivery {
  /** Different for each delivery, also of one event. */
  readonly key: string;
  readonly eventId: string;
  readonly sentAt: number;
  readonly receivedAt: number;
  /** The parsed body. */
  readonly event: unknown;
}

/** Milliseconds between two reads. */
const INTERVAL = 1000;
/** Deliveries shown before the visitor expands the list. */
const FEW = 3;

const list = byId('deliveries', HTMLOListElement);
const showAll = byId('all-deliveries', HTMLButtonElement);

/** The items of the list by key. They stay the same elements, so that an open one stays open and keeps the focus. */
let items: ReadonlyMap<string, HTMLLIElement> | undefined;
let isExpanded = false;
let reading: Promise<void> | undefined;

/** Keeps the list up to date while the page is visible. */
export function openDeliveries(): void {
  showAll.addEventListener('click', () => {
    isExpanded = !isExpanded;
    for (const item of list.children) item.classList.remove('fresh');
    showFew();
  });
  // An item that was kept visible because it was open can disappear once it is closed. `toggle` does not bubble.
  list.addEventListener('toggle', showFew, true);
  const poll = () => {
    if (document.visibilityState === 'visible') void readDeliveries();
  };
  document.addEventListener('visibilitychange', poll);
  setInterval(poll, INTERVAL);
  poll();
}

/** Reads the deliveries, and highlights new ones. If that fails, the list stays as it is. */
export function readDeliveries(): Promise<void> {
  reading ??= read().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function read(): Promise<void> {
  const { json, problem } = await send('/demo/deliveries');
  if (problem !== null) return;
  const deliveries = listOf(fieldOf(json, 'data')).map(parseDelivery);
  const known = items;
  if (known && deliveries.length === known.size && deliveries.every(({ key }) => known.has(key))) return;
  items = new Map(deliveries.map((delivery) => [delivery.key, known?.get(delivery.key) ?? itemOf(delivery)]));
  for (const [key, item] of known ?? []) if (!items.has(key)) item.remove();
  for (const [key, item] of [...items].reverse()) {
    item.classList.toggle('fresh', known !== undefined && !known.has(key));
    if (!known?.has(key)) list.prepend(item);
  }
  showFew();
}

/** Shows the newest items, open items and the item with the focus. Hides the others. */
function showFew(): void {
  for (const [index, item] of [...list.children].entries()) {
    const isInUse = item.querySelector('details')?.open || item.contains(document.activeElement);
    item.toggleAttribute('hidden', !isExpanded && index >= FEW && !isInUse);
  }
  const total = list.children.length;
  byId('no-deliveries', HTMLElement).hidden = total > 0;
  showAll.hidden = total <= FEW;
  showAll.textContent = isExpanded ? `Show the last ${FEW}` : `Show all ${total}`;
  showAll.setAttribute('aria-expanded', String(isExpanded));
}

function itemOf({ eventId, sentAt, receivedAt, event }: Delivery): HTMLLIElement {
  const data = fieldOf(event, 'data');
  const type = textOf(fieldOf(event, 'type')) ?? '';
  const state = parseState(fieldOf(data, 'state'));
  const id = state === 'clicked' ? 'A visitor' : (textOf(fieldOf(data, 'id')) ?? '');
  const customer = textOf(fieldOf(data, 'email')) ?? id;
  const changedAt = Date.parse(textOf(fieldOf(event, 'timestamp')) ?? '') / 1000;
  return make(
    'li',
    '',
    make(
      'details',
      '',
      make(
        'summary',
        '',
        make('span', `badge ${state ?? 'done'}`, type),
        ' ',
        make('span', 'customer', customer),
        ' ',
        make('span', 'verified', 'verified'),
        ' ',
        timeOf(receivedAt),
      ),
      make('p', '', 'Changed ', timeOf(changedAt), ', sent ', timeOf(sentAt), ', arrived ', timeOf(receivedAt), '.'),
      make('p', '', make('code', '', `webhook-id: ${eventId}`)),
      make('pre', '', make('code', '', JSON.stringify(event, null, 2))),
    ),
  );
}

function parseDelivery(delivery: unknown): Delivery {
  const number = (name: string) => numberOf(fieldOf(delivery, name)) ?? 0;
  const receivedAt = number('received_at');
  return {
    key: `${receivedAt} ${number('number')}`,
    eventId: textOf(fieldOf(delivery, 'id')) ?? '',
    sentAt: number('sent_at'),
    receivedAt: receivedAt / 1000,
    event: JSON.parse(textOf(fieldOf(delivery, 'body')) ?? 'null'),
  };
}
