import { safely } from '../safely.ts';
import { byId, fieldOf, textOf } from './dom.ts';

const STATES = ['converted', 'paid', 'churned'] as const;
export type CustomerState = (typeof STATES)[number];

export interface Customer {
  readonly email: string;
  readonly plan: string;
  /** The state of the subscription, with or without a referral. */
  readonly state: CustomerState;
}

interface Advocate {
  readonly slug: string;
  readonly firstName: string;
  readonly lastName: string;
  /** True if the visitor is this advocate; false for the advocate of the demo. */
  readonly isOwn: boolean;
}

interface State {
  readonly advocate: Advocate;
  /** The visitor that the tracking script reported: undefined until then, null for a visitor who was not referred. */
  readonly visitor: Visitor | null | undefined;
  readonly customer: Customer | undefined;
  /** True while the shop waits for the response to a form or a button. */
  readonly isBusy: boolean;
}

/** Where the page keeps the customer over a reload. A real shop has a session on its server. */
const STORED = 'customer';

const { slug = '', firstName = '', lastName = '', own } = byId('advocate', HTMLElement).dataset;
const listeners = new Set<() => void>();

export let state: State = {
  advocate: { slug, firstName, lastName, isOwn: own === 'true' },
  visitor: undefined,
  customer: storedCustomer(),
  isBusy: false,
};

export function update(changes: Partial<State>): void {
  state = { ...state, ...changes };
  if (changes.customer) safely(() => sessionStorage.setItem(STORED, JSON.stringify(changes.customer)));
  for (const listener of listeners) listener();
}

/** Calls `show` now and after each change of the state. */
export function whenever(show: () => void): void {
  listeners.add(show);
  show();
}

/** Runs `work` unless the shop waits for a response: a double click counts once. */
export async function once(work: () => Promise<void>): Promise<void> {
  if (state.isBusy) return;
  update({ isBusy: true });
  try {
    await work();
  } finally {
    update({ isBusy: false });
  }
}

export function readVisitor(then: () => void = () => undefined): void {
  getVisitor((visitor) => {
    update({ visitor });
    then();
  });
}

export const isReferredHere = () => state.visitor?.slug === state.advocate.slug;

export const fullName = ({ firstName, lastName }: Advocate) => `${firstName} ${lastName}`.trim();

/** The address with which the advocate refers a visitor to this page. */
export const linkOf = ({ slug }: Advocate) => new URL(`/demo?via=${slug}`, location.href).href;

function storedCustomer(): Customer | undefined {
  let stored: unknown;
  safely(() => {
    stored = JSON.parse(sessionStorage.getItem(STORED) ?? 'null');
  });
  const text = (name: string) => textOf(fieldOf(stored, name));
  const [email, plan, known] = [text('email'), text('plan'), STATES.find((each) => each === text('state'))];
  return email !== null && plan !== null && known ? { email, plan, state: known } : undefined;
}

interface Visitor {
  /** Value of the cookie, which the form sends to the merchant's server. */
  readonly grId: string;
  readonly slug: string;
}

export type ClickResult = 'recorded' | 'ignored' | 'unknown' | 'failed';

const queue: unknown[][] = [];
const { promise, resolve } = Promise.withResolvers<void>();
/** Resolves when the tracking script has run or has failed to load. */
export const scriptEnd = promise;
/** The result of the last click that this page sent; undefined if it sent none. */
export let sentClick: Promise<ClickResult> | undefined;

/**
 * Watches the tracking script. It wraps `fetch`, because resource timing shows neither pending requests nor the header
 * `x-click`.
 */
export function watchTracking(): void {
  // Like the first line of the snippet: calls wait for the script, which may load late or never.
  window.gr ||= Object.assign((...call: unknown[]) => void queue.push(call), { q: queue });
  const original = window.fetch;
  window.fetch = (input, init) => {
    const response = original(input, init);
    const address = input instanceof Request ? input.url : String(input);
    if (pathOf(address) === '/v2/tracking/click') sentClick = resultOf(response);
    return response;
  };
  const onEnd = ({ target }: Event) => {
    if (target instanceof HTMLScriptElement && pathOf(target.src) === '/gr.js') resolve();
  };
  // Events of the script element reach the document in the capturing phase only.
  document.addEventListener('load', onEnd, true);
  document.addEventListener('error', onEnd, true);
}

/** Calls `callback` with the visitor that the tracking script knows, or with null if the visitor was not referred. */
function getVisitor(callback: (visitor: Visitor | null) => void): void {
  window.gr?.('id', (grId: unknown) => {
    const [slug = ''] = String(grId).split('.');
    callback(typeof grId === 'string' ? { grId, slug } : null);
  });
}

/** Makes the tracking script and the shop forget the visitor: whoever follows a link next is a new visitor. */
export function forgetVisitor(): void {
  safely(() => sessionStorage.clear());
  window.gr?.('consent', false);
}

async function resultOf(sent: Promise<Response>): Promise<ClickResult> {
  try {
    const { ok, headers } = await sent;
    if (headers.get('x-error-code') === 'invalid_affiliate_slug') {
      // The script reads the same response. One task later, it has restored the visitor whom it knew before.
      await new Promise((resolve) => setTimeout(resolve));
      return 'unknown';
    }
    if (!ok) return 'failed';
    return ['recorded', 'known'].includes(headers.get('x-click') ?? '') ? 'recorded' : 'ignored';
  } catch {
    return 'failed';
  }
}

function pathOf(address: string): string {
  return new URL(address, location.href).pathname;
}
