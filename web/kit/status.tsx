import type { ComponentChildren } from 'preact';
import { COMMON } from '../words/common.ts';
import type { Api } from './api.ts';
import type { ApiError } from './api-error.ts';
import { Button } from './controls.tsx';
import { type Loaded, refresh } from './load.ts';
import { useStore } from './store.ts';

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

/** Says once for the whole page that the service does not respond. */
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

/** Shows a skeleton, a problem with a retry, or what was read. */
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

/** Gray lines in place of text that is being read. */
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
