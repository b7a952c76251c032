import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import type { Api } from './api.ts';
import { ApiError } from './api-error.ts';
import { Button } from './button.tsx';
import { placeInFrame } from './place.ts';
import { beginReading, endReading, failReading, isOffline, pageReadings, retries } from './readings.ts';
import { readable } from './responses.ts';
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

/** A bar in sight until the connection returns. */
export function Offline({ api }: { readonly api: Api }) {
  if (!useStore(api.isOffline)) return null;
  return (
    <div class="offline" role="alert" style={placeInFrame()}>
      <p>
        <strong>{COMMON.noConnection}</strong> {COMMON.noConnectionAdvice}
      </p>
      <Button label={COMMON.retry} onClick={refresh} />
    </div>
  );
}

/** Says what failed: of a form, whose button tries again; of something else, with a button that does. */
export function Problem({ error, onRetry }: { readonly error: ApiError; readonly onRetry?: () => void }) {
  const title = onRetry ? COMMON.failed : COMMON.refusedChange;
  return (
    <Alert title={error.status === 0 ? COMMON.noConnection : title}>
      <p>{readable(error.message)}</p>
      {onRetry && <Button label={COMMON.retry} onClick={onRetry} />}
    </Alert>
  );
}

/**
 * The one error of a view or a dialog, whose button repeats all requests that failed. A part that can do without an
 * answer catches its error where it is read. While `Offline` is in sight, it says for the whole page that requests are lost.
 */
export function ViewProblem({ readings = pageReadings }: { readonly readings?: typeof pageReadings }) {
  const { errors } = useStore(readings);
  const isBarInSight = useStore(isOffline);
  const place = useRef<HTMLDivElement>(null);
  const sentences = [
    ...new Set(errors.filter(({ status }) => status !== 0 || !isBarInSight).map(({ message }) => readable(message))),
  ];
  const isGone = sentences.length === 0;
  const wasPressed = useRef(false);
  useEffect(() => {
    // The button that had the focus is gone.
    const isLost = isGone && wasPressed.current && document.activeElement === document.body;
    if (isLost) place.current?.closest('dialog, main')?.querySelector<HTMLElement>('h1, h2')?.focus();
    wasPressed.current = false;
  }, [isGone]);
  const retry = () => {
    wasPressed.current = true;
    retries.set(retries.value + 1);
  };
  return (
    <div ref={place} class="view-problem">
      {!isGone && (
        <Alert title={COMMON.failed}>
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <Button label={COMMON.retry} onClick={retry} />
        </Alert>
      )}
    </div>
  );
}

/** Says that a request waits, or takes long: to assistive technology once, not every second. */
export function Waiting({ api }: { readonly api: Api }) {
  const seconds = useStore(api.waiting);
  const isSlow = useStore(api.isSlow);
  return (
    <>
      <p class="waiting" aria-hidden="true">
        {(seconds > 0 || isSlow) && (
          <span style={placeInFrame()}>{seconds > 0 ? COMMON.waiting(seconds) : COMMON.slow}</span>
        )}
      </p>
      <p class="hidden" role="status">
        {seconds > 0 ? COMMON.busy : isSlow && COMMON.slow}
      </p>
    </>
  );
}

interface WhenReadyProps<Value> {
  readonly loaded: Loaded<Value>;
  /** Of the size of the content, so that nothing jumps. */
  readonly skeleton: ComponentChildren;
  readonly children: (value: Value) => ComponentChildren;
}

/** What was read, or its place until then. `ViewProblem` says what failed. */
export function WhenReady<Value>({ loaded, skeleton, children }: WhenReadyProps<Value>) {
  const ready = readyOf(loaded);
  if (ready) {
    const isReloading = loaded.kind === 'ready' && loaded.isReloading;
    return (
      <div class={isReloading ? 'reloading' : ''} aria-busy={isReloading}>
        {children(ready.value)}
      </div>
    );
  }
  if (loaded.kind === 'loading') return <div aria-busy="true">{skeleton}</div>;
  return (
    <div class="not-loaded">
      <p class="soft">{COMMON.notLoaded}</p>
      <div aria-hidden="true">{skeleton}</div>
    </div>
  );
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

/** What the page reads outside of dialogs. */
export const reading = pageReadings;

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
    return () => abort.abort(new DOMException('No longer needed.', 'AbortError'));
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

/** Any error as an `ApiError`. An error of the page itself is logged: its message is not for people. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // A session that starts afresh ends the requests of the last one.
  if (!(error instanceof DOMException && error.name === 'AbortError')) console.error(error);
  return new ApiError(COMMON.ownFault, -1);
}
