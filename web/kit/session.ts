import { ApiError } from './api-error.ts';
import { hasToken, tokenOfFragment } from './responses.ts';
import { Store } from './store.ts';

/** The origin of a token that came in the address, which the browser keeps in its history. */
export const FROM_ADDRESS = 'address';
/** The origins of a token from a sign-in by email: for the tab, or kept on the device. */
const SIGN_IN = 'sign-in';
const KEPT = 'kept';

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
  /** True if people sign in on the page, and may keep the token on the device. */
  readonly canSignIn: boolean;
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
  #waiting = new Set<PromiseWithResolvers<void>>();
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
    const linked = takeToken();
    const [token, origin] = linked === undefined ? this.#stored() : [linked, FROM_ADDRESS];
    if (token) this.#start(token, origin);
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
    this.#keep(this.#token, origin);
  }

  /** True if the token comes from a sign-in by email. Then it belongs to this page alone. */
  get isSignIn(): boolean {
    return this.#origin === SIGN_IN || this.#origin === KEPT;
  }

  /** True if the page shows something that was read with the token. */
  get hasShown(): boolean {
    return this.#owner !== undefined;
  }

  shows(owner: string): void {
    this.#owner = owner;
  }

  /** Takes the token of a sign-in, which a person has just confirmed. */
  async signIn(token: string, isKept: boolean): Promise<void> {
    await this.accept(token, isKept ? KEPT : SIGN_IN);
    this.decide(true);
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
      // Another tab may have kept a newer token.
      if (this.#origin === KEPT && this.#read('localStorage')[0] === this.#token) this.#write('localStorage', '', '');
      this.#set({ kind: 'expired', isRefused: false });
      this.#options.onExpired?.();
    }
    const waiter = Promise.withResolvers<void>();
    this.#waiting.add(waiter);
    signal?.addEventListener('abort', () => {
      this.#waiting.delete(waiter);
      waiter.reject(signal.reason);
    });
    return waiter.promise;
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
    // What waits ends as if it were aborted.
    this.#release(({ reject }) => reject(AbortSignal.abort().reason));
  }

  #release(end: (waiter: PromiseWithResolvers<void>) => void): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    waiting.forEach(end);
  }

  #set(changes: Partial<SessionState>): void {
    this.state.set({ ...this.state.value, ...changes });
  }

  /** The token that the tab or the device has, with its origin. */
  #stored(): Stored {
    const [token, origin] = this.#read('sessionStorage');
    return token === '' ? this.#read('localStorage') : [token, origin];
  }

  #keep(token: string, origin: string): void {
    this.#token = token;
    this.#origin = origin;
    const isKept = origin === KEPT;
    // Other ways in leave alone what the device keeps.
    if (this.isSignIn || token === '') this.#write('localStorage', isKept ? token : '', isKept ? origin : '');
    this.#write('sessionStorage', isKept ? '' : token, isKept ? '' : origin);
  }

  #read(name: StorageName): Stored {
    if (!this.#uses(name)) return ['', ''];
    try {
      const { key } = this.#options;
      return [window[name].getItem(key) ?? '', window[name].getItem(originKey(key)) ?? ''];
    } catch {
      return ['', ''];
    }
  }

  #write(name: StorageName, token: string, origin: string): void {
    if (!this.#uses(name)) return;
    const { key } = this.#options;
    try {
      store(window[name], key, token);
      store(window[name], originKey(key), origin);
    } catch {
      // The browser blocks the storage: the token stays in memory.
    }
  }

  #uses(name: StorageName): boolean {
    return !this.#options.isFramed && (name === 'sessionStorage' || this.#options.canSignIn);
  }
}

type StorageName = 'sessionStorage' | 'localStorage';
type Stored = readonly [token: string, origin: string];

const originKey = (key: string) => `${key}-origin`;

function store(storage: Storage, key: string, text: string): void {
  if (text === '') storage.removeItem(key);
  else storage.setItem(key, text);
}

/** Returns the token of the address, and removes it from there, even if only its beginning is a token. */
function takeToken(): string | undefined {
  const token = tokenOfFragment(location.hash);
  if (hasToken(location.hash)) history.replaceState(null, '', location.pathname + location.search);
  return token;
}
