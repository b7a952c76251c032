import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { COMMON } from '../words/common.ts';
import type { Api } from './api.ts';
import { ApiError } from './api-error.ts';
import { Button } from './controls.tsx';
import { Store, useStore } from './store.ts';

/** A message that assistive technology reads out immediately. */
export function Alert({ title, children, tone = 'problem' }: AlertProps) {
  return (
    <div class={`alert ${tone}`} role="alert">
      <p class="alert-title">{title}</p>
      {children}
    </div>
  );
}

interface AlertProps {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly tone?: 'problem' | 'notice';
}

export function Offline({ api }: { readonly api: Api }) {
  if (!useStore(api.isOffline)) return null;
  return (
    <Alert title={COMMON.noConnection}>
      <p>{COMMON.noConnectionAdvice}</p>
      <Button label={COMMON.retry} onClick={refresh} />
    </Alert>
  );
}

/** Says what failed: of something that was read, with a button that tries again; of a form, whose button does that. */
export function Problem({ error, onRetry }: { readonly error: ApiError; readonly onRetry?: () => void }) {
  const title = onRetry ? COMMON.failed : COMMON.refusedChange;
  return (
    <Alert title={error.status === 0 ? COMMON.noConnection : title}>
      <p>{error.message}</p>
      {onRetry && <Button label={COMMON.retry} onClick={onRetry} />}
    </Alert>
  );
}

/** Says that a request waits, because the service is busy: to assistive technology once, not every second. */
export function Waiting({ api }: { readonly api: Api }) {
  const seconds = useStore(api.waiting);
  return (
    <>
      <p class="waiting" aria-hidden="true">
        {seconds > 0 && <span>{COMMON.waiting(seconds)}</span>}
      </p>
      <p class="hidden" role="status">
        {seconds > 0 && COMMON.busy}
      </p>
    </>
  );
}

interface WhenReadyProps<Value> {
  readonly loaded: Loaded<Value>;
  readonly onRetry: () => void;
  /** Of the size of the content, so that nothing jumps. */
  readonly skeleton: ComponentChildren;
  readonly children: (value: Value) => ComponentChildren;
}

export function WhenReady<Value>({ loaded, onRetry, skeleton, children }: WhenReadyProps<Value>) {
  switch (loaded.kind) {
    case 'loading':
      return <div aria-busy="true">{skeleton}</div>;
    case 'failed':
      return (
        <div>
          {/* Without a connection, `Offline` says so once for the whole page. */}
          {loaded.error.status === 0 ? (
            !loaded.last && <p class="soft">{COMMON.notLoaded}</p>
          ) : (
            <Problem error={loaded.error} onRetry={onRetry} />
          )}
          {loaded.last && children(loaded.last.value)}
        </div>
      );
    case 'ready':
      return <div aria-busy={loaded.isReloading}>{children(loaded.value)}</div>;
  }
}

export function Skeleton({ lines = 3, height = 1.25 }: { readonly lines?: number; readonly height?: number }) {
  return (
    <div class="skeleton">
      <span class="hidden">{COMMON.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} class="bone" style={{ height: `${height}rem` }} />
      ))}
    </div>
  );
}

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

interface Reading {
  readonly isReading: boolean;
  readonly error: ApiError | undefined;
}

export const reading = new Store<Reading>({ isReading: false, error: undefined });
/** The state of each part of the page that is being read, or could not be read. */
const unread = new Map<object, 'reading' | ApiError>();

function setUnread(part: object, state?: 'reading' | ApiError): void {
  if (state) unread.set(part, state);
  else unread.delete(part);
  const states = [...unread.values()];
  reading.set({ isReading: states.includes('reading'), error: states.find((each) => each !== 'reading') });
}

const connections = new Store(0);

let hiddenAt: number | undefined;
/**
 * Refreshes the page when its tab becomes visible after 5 minutes. When the connection returns, reads again what failed
 * without it. Nothing polls.
 */
export function keepFresh(): void {
  addEventListener('online', () => connections.set(connections.value + 1));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') hiddenAt = Date.now();
    else if (hiddenAt !== undefined && Date.now() - hiddenAt >= STALE) refresh();
  });
}

/**
 * Reads something from the API, and again when an input changes, the page is refreshed, or the connection returns after a
 * failure. Returns it with a function that reads it again. While only inputs change that are not in `kept`, such as the
 * cursor of a page, the last value stays.
 */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
  kept = inputs,
): [Loaded<Value>, () => void] {
  const [key, group] = [JSON.stringify(inputs), JSON.stringify(kept)];
  const version = useStore(refreshes);
  const [retries, setRetries] = useState(0);
  const connection = useStore(connections);
  const [state, setState] = useState<LoadState<Value>>({ key, group, connection, loaded: { kind: 'loading' } });
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const begun = { key, group, connection: connections.value };
    setUnread(latest, 'reading');
    setState((last) => ({ ...begun, loaded: reloading(last.group === group ? last.loaded : undefined) }));
    latest.current(signal).then(
      (value) => {
        const loaded: Loaded<Value> = { kind: 'ready', value, isReloading: false, at: Date.now() };
        if (signal.aborted) return;
        setUnread(latest);
        setState({ ...begun, loaded });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        const failure = toApiError(error);
        setUnread(latest, failure);
        setState((last) => ({ ...begun, loaded: { kind: 'failed', error: failure, last: readyOf(last.loaded) } }));
      },
    );
    return () => {
      setUnread(latest);
      abort.abort(new DOMException('No longer needed.', 'AbortError'));
    };
  }, [key, group, version, retries]);
  const reload = () => setRetries((count) => count + 1);
  // A request that began without a connection may fail only after the connection has returned.
  const isOffline = state.loaded.kind === 'failed' && state.loaded.error.status === 0;
  const hasReturned = isOffline && state.connection !== connection;
  useEffect(() => {
    if (hasReturned) reload();
  }, [hasReturned]);
  // The value of other inputs is never shown as the value of these, not even for one frame.
  if (state.key === key) return [state.loaded, reload];
  return [reloading(state.group === group ? state.loaded : undefined), reload];
}

interface LoadState<Value> {
  readonly key: string;
  readonly group: string;
  /** How often the connection had returned when the reading began. */
  readonly connection: number;
  readonly loaded: Loaded<Value>;
}

function reloading<Value>(last: Loaded<Value> | undefined): Loaded<Value> {
  const ready = last && readyOf(last);
  return ready ? { ...ready, isReloading: true } : { kind: 'loading' };
}

export function readyOf<Value>(loaded: Loaded<Value>): Ready<Value> | undefined {
  return loaded.kind === 'failed' ? loaded.last : loaded.kind === 'ready' ? loaded : undefined;
}

/** Any error as an `ApiError`. An error of the page itself is logged, because no response explains it. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  console.error(error);
  return new ApiError(String(error instanceof Error ? error.message : error), -1);
}
