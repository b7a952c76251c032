/** Returns the page's element with this id. Throws `TypeError` if the page lacks it or it has another type. */
export function byId<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new TypeError(`The page has no ${kind.name} #${id}.`);
}

/** Creates an HTML element. String children become text nodes, never markup. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children);
  return element;
}

/** Shows a message to the visitor and scrolls to it if necessary. */
export function showMessage(element: HTMLElement, text: string, isProblem = false): void {
  element.classList.toggle('problem', isProblem);
  element.textContent = text;
  if (text !== '') element.scrollIntoView({ block: 'nearest' });
}

/** Reads a field of parsed JSON; `undefined` if the value is not an object or lacks the field. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A response of the merchant's backend, which passes on the response of the service. */
interface Reply {
  /** 0 if there was no response. */
  readonly status: number;
  /** A sentence for the visitor if the request failed, else null. */
  readonly problem: string | null;
  readonly json: unknown;
}

const UNREACHABLE = 'The service does not respond. Check that npm start is still running.';
const BUSY = 'The service receives more requests than it allows. Wait a moment.';

/** Timeout of a request in milliseconds. */
const TIMEOUT = 30_000;

/** Sends a form to the merchant's backend. Never rejects: a request without a response has the status 0. */
export async function report(action: string, form: Readonly<Record<string, string>> = {}): Promise<Reply> {
  try {
    const response = await fetch(`/demo/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(form),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const { ok, status } = response;
    // 202 and 204 have no body.
    const json: unknown = JSON.parse((await response.text()) || 'null');
    const error = textOf(fieldOf(json, 'error'));
    const problem = ok ? null : error === null ? (status === 429 ? BUSY : UNREACHABLE) : sentenceOf(error);
    return { status, problem, json };
  } catch {
    return { status: 0, problem: UNREACHABLE, json: null };
  }
}

/** An error of the API often starts with the name of a field, and ends without a period. */
function sentenceOf(error: string): string {
  return `${error.charAt(0).toUpperCase()}${error.slice(1).replace(/\.$/, '')}.`;
}

/** Milliseconds until the service has counted a change in its statistics. */
const COUNTED = 2000;

const portal = byId('portal', HTMLIFrameElement);
const dashboard = byId('dashboard', HTMLIFrameElement);
// Not by `src`: "Back" would restore the addresses that the pages have left, which are without tokens.
for (const { contentWindow, dataset } of [portal, dashboard]) contentWindow?.location.replace(dataset['address'] ?? '');

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Shows a change in both pages: presses their button "Refresh", as a person would, so that neither loses its view. The
 * statistics follow a moment later.
 */
export function refreshFrames(): void {
  clearTimeout(timer);
  pressRefresh();
  timer = setTimeout(pressRefresh, COUNTED);
}

function pressRefresh(): void {
  for (const { contentDocument } of [portal, dashboard]) {
    const buttons = [...(contentDocument?.querySelectorAll('button') ?? [])];
    buttons.find(({ textContent }) => textContent === 'Refresh')?.click();
  }
}

/** Opens the page of another advocate. The query makes the frame load the page: it would ask about a token alone. */
export function openPortal(slug: string, token: string): void {
  portal.contentWindow?.location.replace(`/portal?advocate=${slug}#token=${token}`);
}
