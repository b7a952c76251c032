import { prepareLink } from './hand-over.ts';
import { viewed, viewPage } from './page-view.ts';
import { post } from './post.ts';
import { safely } from './safely.ts';
import { publicKey } from './settings.ts';
import { currentGrId, setConsent } from './visitor.ts';

/** `gr` as pages call it: a name, what belongs to it, and where an answer is wanted a callback at the end. */
function gr(...call: unknown[]): void {
  const [name, subject, fields] = call;
  const callback = call.pop();
  const answer = (value?: unknown) => safely(() => typeof callback === 'function' && callback(value));
  const action = name === 'track' ? subject : name;
  safely(() => {
    if (action === 'pageview') viewPage();
    if (action === 'conversion') convert(fields).then(answer, () => answer(false));
    if (action === 'consent' && setConsent(subject === true)) viewPage();
    if (action === 'id') answer(currentGrId() || null);
    if (action === 'ready') answer();
  });
}
/** A page may hold on to the function that only queued: from now on its calls are made at once. */
gr.q = { push: (call: Iterable<unknown>) => safely(() => gr(...call)) };

/** Sends a conversion. Resolves to true where the service has taken it; rejects with what the fields of the page throw. */
async function convert(fields: unknown): Promise<boolean> {
  const { email, uid } = Object(fields);
  const headers = { 'content-type': 'application/json' };
  return (await post('conversion', { gr_id: currentGrId(), email, uid }, headers)) === 204;
}

/** Sees navigation that loads no page. What the page gets from `history` stays as it is. */
function watchHistory(): void {
  const look = () => location.href !== viewed && safely(viewPage);
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    history[name] = function (...state) {
      original.apply(this, state);
      look();
    };
  }
  addEventListener('popstate', look);
}

/** Before the page's own listeners, and not by click alone: the middle button and the menu open links without one. */
function watchLinks(): void {
  for (const type of ['pointerdown', 'contextmenu', 'click']) {
    addEventListener(type, (event) => safely(() => prepareLink(event)), true);
  }
}

/** Takes what is no call too: other code may have put anything into the queue. */
function isRefusal(call: unknown): boolean {
  const { 0: name, 1: given } = Object(call);
  return name === 'consent' && given !== true;
}

function start(): void {
  const { q: queue = [] }: Partial<Gr> = window.gr || {};
  // Only the queue of a page is an array: otherwise the script is there already.
  if (!Array.isArray(queue)) return;
  window.gr = gr;
  if (!publicKey) console.warn('gr.js: no data-pk');
  // A refusal comes before the first page view, though its turn in the queue is after it.
  if (queue.some(isRefusal)) gr('consent', false);
  safely(viewPage);
  queue.forEach(gr.q.push);
  watchHistory();
  watchLinks();
}

if (document.prerendering) document.addEventListener('prerenderingchange', () => safely(start));
else safely(start);
