import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, toApiError } from './api-error.ts';
import { beginReading, endReading, failReading, isOffline, retries } from './readings.ts';
import { Store, useStore } from './store.ts';

/** What was read from the API. While it is read again with the same inputs, and if that fails, the value stays. */
export type Loaded<Value> =
  | { readonly kind: 'loading' }
  | Ready<Value>
  | { readonly kind: 'failed'; readonly error: ApiError; readonly last: Ready<Value> | undefined };

interface Ready<Value> {
  readonly kind: 'ready';
  readonly value: Value;
  readonly isReloading: boolean;
  /** When it was read, in Unix milliseconds. */
  readonly at: number;
}

/** Counts the refreshes of the page: its button, and the return to a tab that was hidden for 5 minutes. */
const refreshes = new Store(0);
const STALE = 5 * 60_000;

export function refresh(): void {
  refreshes.set(refreshes.value + 1);
}

/** Counts the returns of the connection: the browser says so, or the service responds again. */
const connections = new Store(0);
/** How often something is read again by itself: if it is always lost, while other requests succeed, that ends. */
const REPEATS = 3;

let hiddenAt: number | undefined;
/**
 * Refreshes the page when its tab becomes visible after 5 minutes. When the connection returns, reads again what failed
 * without it. Nothing polls.
 */
export function keepFresh(): void {
  isOffline.subscribe((isNow) => isNow || connections.set(connections.value + 1));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') hiddenAt = Date.now();
    else if (hiddenAt !== undefined && Date.now() - hiddenAt >= STALE) refresh();
  });
}

/**
 * Reads something from the API, and again when an input changes, the page is refreshed, or, after a failure, when the
 * connection returns or "Try again" is pressed. Returns it with a function that reads it again. While only inputs change
 * that are not in `kept`, such as the cursor of a page, the last value stays.
 */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
  kept = inputs,
): [Loaded<Value>, () => void] {
  const [key, group] = [JSON.stringify(inputs), JSON.stringify(kept)];
  const version = useStore(refreshes);
  const [reloads, setReloads] = useState(0);
  const connection = useStore(connections);
  const retry = useStore(retries);
  const begin = { key, group, connection, retry };
  const [state, setState] = useState<LoadState<Value>>({ ...begin, loaded: { kind: 'loading' } });
  const latest = useRef(load);
  latest.current = load;
  const repeats = useRef(0);
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const begun = { key, group, connection: connections.value, retry: retries.value };
    beginReading(latest);
    setState((last) => ({ ...begun, loaded: reloading(last.group === group ? last.loaded : undefined) }));
    latest.current(signal).then(
      (value) => {
        const loaded: Loaded<Value> = { kind: 'ready', value, isReloading: false, at: Date.now() };
        if (signal.aborted) return;
        endReading(latest);
        repeats.current = 0;
        setState({ ...begun, loaded });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        const failure = toApiError(error);
        failReading(latest, failure);
        setState((last) => ({ ...begun, loaded: { kind: 'failed', error: failure, last: readyOf(last.loaded) } }));
      },
    );
    return () => abort.abort();
  }, [key, group, version, reloads]);
  useEffect(() => () => endReading(latest), []);
  const reload = () => setReloads((count) => count + 1);
  // A request that began without a connection may fail only after the connection has returned.
  const isLost = state.loaded.kind === 'failed' && state.loaded.error.status === 0 && repeats.current < REPEATS;
  const isAgain =
    (isLost && state.connection !== connection) || (state.loaded.kind === 'failed' && state.retry !== retry);
  useEffect(() => {
    if (!isAgain) return;
    repeats.current += 1;
    reload();
  }, [isAgain]);
  // The value of other inputs is never shown as the value of these, not even for one frame.
  if (state.key === key) return [state.loaded, reload];
  return [reloading(state.group === group ? state.loaded : undefined), reload];
}

interface LoadState<Value> {
  readonly key: string;
  readonly group: string;
  /** How often the connection had returned, and "Try again" was pressed, when the reading began. */
  readonly connection: number;
  readonly retry: number;
  readonly loaded: Loaded<Value>;
}

function reloading<Value>(last: Loaded<Value> | undefined): Loaded<Value> {
  const ready = last && readyOf(last);
  return ready ? { ...ready, isReloading: true } : { kind: 'loading' };
}

export function readyOf<Value>(loaded: Loaded<Value>): Ready<Value> | undefined {
  return loaded.kind === 'failed' ? loaded.last : loaded.kind === 'ready' ? loaded : undefined;
}
