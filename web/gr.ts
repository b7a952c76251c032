import { prepareLink } from './hand-over.ts';
import { viewPage } from './page-view.ts';
import { post } from './post.ts';
import { safely } from './safely.ts';
import { publicKey } from './settings.ts';
import { currentGrId, setConsent } from './visitor.ts';

/** The address of the last page view. */
let viewed = '';

/** `gr` as pages call it: a name, what belongs to it, and where an answer is wanted a callback at the end. */
function gr(...call: unknown[]): void {
  const [name, subject, fields] = call;
  const callback = call.pop();
  const answer = (value?: unknown) => safely(() => typeof callback === 'function' && callback(value));
  const action = name === 'track' ? subject : name;
  safely(() => {
    if (action === 'pageview') view();
    if (action === 'conversion') convert(fields, answer);
    if (action === 'consent' && setConsent(subject === true)) view();
    if (action === 'id') answer(currentGrId() || null);
    if (action === 'ready') answer();
  });
}
/** A page may hold on to the function that only queued: from now on its calls are made at once. */
gr.q = { push: (call: Iterable<unknown>) => gr(...call) };

function view(): void {
  viewPage();
  viewed = location.href;
}

function convert(fields: unknown, answer: (isSent: boolean) => void): void {
  const grId = currentGrId();
  const { email, uid } = Object(fields);
  const headers = { 'content-type': 'application/json' };
  if (grId)
    void post('conversion', { gr_id: grId, email, uid }, headers).then((status) => answer(status === 204));
  else answer(false);
}

/** Sees navigation that loads no page. What the page gets from `history` stays as it is. */
function watchHistory(): void {
  const look = () => safely(() => location.href !== viewed && view());
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    history[name] = function (...state) {
      original.apply(this, state);
      look();
    };
  }
  addEventListener('popstate', look);
}

/** Before the page's own listeners, and by pointer as well: the menu and the middle button open links without a click. */
function watchLinks(): void {
  for (const type of ['pointerdown', 'click']) {
    addEventListener(type, (event) => safely(() => prepareLink(event)), true);
  }
}

function start(): void {
  const { q: queue = [] }: Partial<Gr> = window.gr || {};
  // Only the queue of a page is an array: otherwise the script is there already.
  if (!Array.isArray(queue)) return;
  window.gr = gr;
  if (!publicKey) console.warn('gr.js: no data-pk');
  // A refusal comes before the first page view, though its turn in the queue is after it.
  if (queue.some(([name, given]) => name === 'consent' && !given)) gr('consent', false);
  safely(view);
  queue.forEach(gr.q.push);
  watchHistory();
  watchLinks();
}

if (document.prerendering) document.addEventListener('prerenderingchange', () => safely(start));
else safely(start);
