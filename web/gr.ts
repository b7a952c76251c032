import { followSlug, viewedAddress, viewPage } from './arrival.ts';
import { decorateLink } from './cross-domain.ts';
import { post } from './post.ts';
import { safely } from './safely.ts';
import { publicKey } from './settings.ts';
import { currentGrId, mayTrack, setConsent } from './visitor.ts';

/** The global `gr`: called with a command, its arguments and an optional callback. */
function gr(...call: unknown[]): void {
  const [command, argument, fields] = Object(call);
  const callback = call.pop();
  const respond = (value?: unknown) => safely(() => typeof callback === 'function' && callback(value));
  const action = command === 'track' ? argument : command;
  safely(() => {
    if (action === 'pageview') viewPage();
    if (action === 'follow') followSlug(argument, fields);
    if (action === 'conversion') convert(fields).then(respond, () => respond(false));
    if (action === 'consent' && setConsent(argument === true)) viewPage();
    if (action === 'id') respond(currentGrId() || null);
    if (action === 'ready') respond();
  });
}
/** Code that kept a reference to the snippet's `gr` still pushes its calls here. From now on they run immediately. */
gr.q = { push: (call: Iterable<unknown>) => safely(() => gr(...call)) };

/**
 * Resolves to true if the service accepted the conversion. Without a `gr_id`, only a promotion code is sent. Rejects if a
 * getter of the page's fields throws.
 */
async function convert(fields: unknown): Promise<boolean> {
  const { email, uid, code } = Object(fields);
  const gr_id = currentGrId() || undefined;
  return mayTrack() && publicKey && (gr_id || code)
    ? (await post('conversion', { gr_id, email, uid, code }, { 'content-type': 'application/json' })).status === 204
    : false;
}

/** Views the page again after navigation without a page load. The results and errors of `history` do not change. */
function watchHistory(): void {
  const viewIfChanged = () => location.href !== viewedAddress && safely(viewPage);
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    history[name] = function (...state) {
      original.apply(this, state);
      viewIfChanged();
    };
  }
  addEventListener('popstate', viewIfChanged);
}

/** Accepts any value, because other code may put anything into the queue. */
function isRefusal(call: unknown): boolean {
  const { 0: command, 1: given } = Object(call);
  return command === 'consent' && given !== true;
}

function start(): void {
  const { q: queue = [] }: Partial<Gr> = Object(window.gr);
  // Only the snippet's queue is an array: otherwise the script already runs.
  if (!queue.some) return;
  window.gr = gr;
  if (!publicKey) console.warn('gr.js: no data-pk');
  // A queued refusal applies before the first page view, although the queue runs after it.
  if (queue.some(isRefusal)) gr('consent', false);
  safely(viewPage);
  queue.forEach(gr.q.push);
  watchHistory();
  // Runs before the page's own listeners. The middle button and the context menu open links without a click.
  for (const type of ['pointerdown', 'contextmenu', 'click']) {
    addEventListener(type, (event) => safely(() => decorateLink(event)), true);
  }
}

if (document.prerendering) document.addEventListener('prerenderingchange', () => safely(start));
else safely(start);
