import vm from 'node:vm';
import { type FakeBrowser, settled, type Visit } from './fake-browser.ts';

/** The first line of the documented snippet. */
const SNIPPET = 'window.gr=window.gr||function(){(gr.q=gr.q||[]).push(arguments)}';

export type FakePage = ReturnType<typeof openPage>;

/** A link on a page. */
export class FakeLink {
  readonly #url: URL;

  constructor(href: string) {
    this.#url = new URL(href);
  }

  get href() {
    return this.#url.href;
  }

  get hostname() {
    return this.#url.hostname;
  }

  get search() {
    return this.#url.search;
  }

  set search(query: string) {
    this.#url.search = query;
  }
}

/** Opens a page in a fake browser and makes the calls of `visit`, which are queued until the script loads. */
export function openPage(browser: FakeBrowser, url: URL, visit: Visit) {
  const logged: unknown[][] = [];
  const events = new EventTarget();
  const addEventListener = events.addEventListener.bind(events);
  const history = new FakeHistory(url);
  const timers = new FakeTimers();
  const document = {
    currentScript: {
      dataset: datasetOf(visit),
      src: 'https://api.service.test/referrals/gr.js?v=1#now',
    } as unknown,
    prerendering: visit.isPrerendered ?? false,
    addEventListener,
    get cookie() {
      return browser.cookies.read(history.url);
    },
    set cookie(text: string) {
      browser.cookies.write(history.url, text);
    },
  };
  const context = vm.createContext({
    document,
    history,
    location: locationOf(history),
    navigator: { globalPrivacyControl: visit.globalPrivacyControl },
    addEventListener,
    setTimeout: (work: () => void, milliseconds: number) => timers.add(work, milliseconds),
    fetch: (address: URL, options: Record<string, unknown>) => browser.fetch(address, options),
    console: {
      warn: (...args: unknown[]) => logged.push(args),
      error: (...args: unknown[]) => logged.push(args),
    },
    URL,
    URLSearchParams,
    Response,
    crypto,
  });
  const run = (code: string): unknown => vm.runInContext(code, context);
  const window = run('window = globalThis') as Record<string, unknown>;
  window['top'] = topOf(visit, window);
  if (visit.calls) run(SNIPPET);
  const gr = (...call: readonly unknown[]) => Reflect.apply(window['gr'] as () => void, undefined, call);
  for (const call of visit.calls ?? []) gr(...call);
  return {
    window,
    document,
    history,
    /** The arguments of each call to `console.warn` and `console.error`. */
    logged,
    /** Runs code in the page. */
    run,
    /** Calls `gr` in the page. */
    gr,
    /** Returns what `gr('id')` passes to its callback, once for each call of it. */
    id: () => {
      const ids: unknown[] = [];
      gr('id', (id: unknown) => ids.push(id));
      return ids;
    },
    /** Lets time pass: runs the timers that are due, and waits for every immediate response. */
    pass: async (milliseconds: number): Promise<void> => {
      timers.pass(milliseconds);
      await settled();
    },
    /** Activates a prerendered page. */
    activate: () => {
      document.prerendering = false;
      events.dispatchEvent(new Event('prerenderingchange'));
    },
    /** Goes back to the previous entry of the history. */
    back: () => {
      history.back();
      events.dispatchEvent(new Event('popstate'));
    },
    /** Dispatches an event on a link. Returns the address of the link afterwards. */
    dispatch: (type: string, link: FakeLink): string => {
      const event = new Event(type);
      Object.defineProperty(event, 'composedPath', { value: () => [{}, link, document, window] });
      events.dispatchEvent(event);
      return link.href;
    },
  };
}

function datasetOf({ attributes }: Visit): Record<string, string> {
  const given = Object.entries({ pk: 'pk_1', ...attributes });
  return Object.fromEntries(given.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function topOf({ frameOf }: Visit, window: unknown): unknown {
  if (frameOf === undefined) return window;
  if (frameOf === 'the same origin') return { document: { cookie: '' } };
  return {
    get document() {
      throw new Error('Blocked a frame from accessing a cross-origin frame.');
    },
  };
}

function locationOf(history: FakeHistory): Readonly<Record<string, string>> {
  const part = (key: 'href' | 'search' | 'hostname' | 'protocol') => ({ get: () => history.url[key] });
  return Object.defineProperties(
    {},
    { href: part('href'), search: part('search'), hostname: part('hostname'), protocol: part('protocol') },
  );
}

/** The timers of a page, whose time passes only in `pass`. */
class FakeTimers {
  #now = 0;
  #timers: { work: () => void; at: number }[] = [];

  add(work: () => void, milliseconds: number): void {
    this.#timers.push({ work, at: this.#now + milliseconds });
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { work } of due) work();
  }
}

/** The history of a tab. As in browsers, its methods throw if they are called on another object. */
class FakeHistory {
  readonly #entries: { state: unknown; url: URL }[];

  constructor(url: URL) {
    this.#entries = [{ state: { of: 'the page' }, url }];
  }

  get #entry() {
    const entry = this.#entries.at(-1);
    if (!entry) throw new Error('The history has no entries.');
    return entry;
  }

  get url(): URL {
    return this.#entry.url;
  }

  get state(): unknown {
    return this.#entry.state;
  }

  get length(): number {
    return this.#entries.length;
  }

  pushState(state: unknown, _title: string, url?: string): void {
    this.#entries.push({ state, url: new URL(url ?? '', this.url) });
  }

  replaceState(state: unknown, _title: string, url?: string): void {
    this.#entries.splice(-1, 1, { state, url: new URL(url ?? this.url.href, this.url) });
  }

  back(): void {
    this.#entries.pop();
  }
}
