import { ApiError } from './api-error.ts';
import { hasToken, tokenOfFragment } from './responses.ts';
import { Store } from './store.ts';

/** The origin of a token that came in the address, which the browser keeps in its history. */
export const FROM_ADDRESS = 'address';

interface SessionState {
  /** `none`: without a token. `open`: with one. `expired`: the service refused it, and requests wait for another one. */
  readonly kind: 'none' | 'open' | 'expired';
  /** Changes when the page must start afresh. Use it as the key of the view. */
  readonly epoch: number;
  /** A token for something else than the page shows. The page asks whether to use it. */
  readonly offered: string | undefined;
  readonly isRefused: boolean;
  /** Counts the tokens that the page took. Another token of the same owner may have other scopes. */
  readonly arrivals: number;
}

interface SessionOptions {
  readonly key: string;
  /** In a frame, the token stays in memory: even reading the storage may throw. */
  readonly isFramed: boolean;
  /** Returns the id of the program or advocate of a token. Throws an `ApiError` with status 401 if it is refused. */
  readonly ownerOf: (token: string) => Promise<string>;
  /** Asks for a new token after a 401, for example the page around the frame. */
  readonly onExpired?: () => void;
}

/** The token of a page, from the address, a form or the page around the frame. */
export class Session {
  readonly state = new Store<SessionState>({
    kind: 'none',
    epoch: 0,
    offered: undefined,
    isRefused: false,
    arrivals: 0,
  });
  #token = '';
  #owner: string | undefined;
  #origin = '';
  #offeredOrigin = '';
  #waiting = new Set<{ resolve: () => void; reject: (reason: unknown) => void }>();
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
    const linked = takeToken();
    const token = linked ?? this.#stored(options.key);
    if (token) this.#start(token, linked === undefined ? this.#stored(this.#originKey) : FROM_ADDRESS);
    addEventListener('hashchange', () => {
      const next = takeToken();
      if (next !== undefined) void this.accept(next, FROM_ADDRESS);
    });
  }

  get token(): string {
    return this.#token;
  }

  /** Where the token came from: `FROM_ADDRESS`, a word of the page, or `''`. It stays after a reload. */
  get origin(): string {
    return this.#origin;
  }

  set origin(origin: string) {
    this.#origin = origin;
    this.#store(this.#originKey, origin);
  }

  get #originKey(): string {
    return `${this.#options.key}-origin`;
  }

  shows(owner: string): void {
    this.#owner = owner;
  }

  /** Takes a token that arrived. If it belongs to something else than the page shows, the page asks first. */
  async accept(token: string, origin = ''): Promise<void> {
    const isExpired = this.state.value.kind === 'expired';
    if (token === this.#token) return isExpired ? this.#set({ isRefused: true }) : undefined;
    if (this.#token === '' || (this.#owner === undefined && !isExpired)) return this.#start(token, origin);
    try {
      const owner = await this.#options.ownerOf(token);
      if (owner === this.#owner) {
        this.replace(token, origin);
        this.#set({ arrivals: this.state.value.arrivals + 1 });
      } else this.#offer(token, origin);
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0;
      this.#unchecked(status, token, origin);
    }
  }

  /** Keeps the open page if a token is refused, or asks if nobody knows whose it is. */
  #unchecked(status: number, token: string, origin: string): void {
    const isOpen = this.state.value.kind === 'open';
    if (status === 401 || (status === 403 && isOpen)) this.#set({ isRefused: true });
    // In a frame nobody opened a link. The page around it is asked again when the token ends.
    else if (!isOpen || !this.#options.isFramed) this.#offer(token, origin);
  }

  /** Asks whether to use a token that may belong to something else. An expired page has nothing to keep. */
  #offer(token: string, origin: string): void {
    if (this.state.value.kind === 'open') {
      this.#offeredOrigin = origin;
      this.#set({ offered: token, isRefused: false });
    } else this.#start(token, origin);
  }

  /** Replaces the token by another one of the same owner, and repeats the requests that wait for it. */
  replace(token: string, origin = ''): void {
    this.#keep(token, origin);
    this.#set({ kind: 'open', isRefused: false });
    this.#release(({ resolve }) => resolve());
  }

  /** Answers the question whether to use the offered token. `false` also closes the notice of a refused one. */
  decide(isUsed: boolean): void {
    const { offered } = this.state.value;
    if (isUsed && offered !== undefined) this.#start(offered, this.#offeredOrigin);
    else this.#set({ offered: undefined, isRefused: false });
  }

  /** Resolves when another token replaces one that the service refused. */
  renewed(signal?: AbortSignal): Promise<void> {
    if (this.state.value.kind !== 'expired') {
      this.#set({ kind: 'expired', isRefused: false });
      this.#options.onExpired?.();
    }
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject };
      this.#waiting.add(waiter);
      signal?.addEventListener('abort', () => {
        this.#waiting.delete(waiter);
        reject(signal.reason);
      });
    });
  }

  signOut(): void {
    this.#keep('', '');
    this.#restart('none');
  }

  #start(token: string, origin: string): void {
    this.#keep(token, origin);
    this.#restart('open');
  }

  #restart(kind: 'none' | 'open'): void {
    this.#owner = undefined;
    const { epoch, arrivals } = this.state.value;
    this.#set({ kind, epoch: epoch + 1, arrivals: arrivals + 1, offered: undefined, isRefused: false });
    this.#release(({ reject }) => reject(new DOMException('The page started afresh.', 'AbortError')));
  }

  #release(end: (waiter: { resolve: () => void; reject: (reason: unknown) => void }) => void): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    waiting.forEach(end);
  }

  #set(changes: Partial<SessionState>): void {
    this.state.set({ ...this.state.value, ...changes });
  }

  #stored(key: string): string {
    if (this.#options.isFramed) return '';
    try {
      return sessionStorage.getItem(key) ?? '';
    } catch {
      return '';
    }
  }

  #keep(token: string, origin: string): void {
    this.#token = token;
    this.#store(this.#options.key, token);
    this.origin = origin;
  }

  #store(key: string, text: string): void {
    if (this.#options.isFramed) return;
    try {
      if (text === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, text);
    } catch {
      // The browser blocks the storage: the token stays in memory.
    }
  }
}

/** Returns the token of the address, and removes it from there, even if only its beginning is a token. */
function takeToken(): string | undefined {
  const token = tokenOfFragment(location.hash);
  if (hasToken(location.hash)) history.replaceState(null, '', location.pathname + location.search);
  return token;
}
