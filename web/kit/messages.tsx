import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import type { Api } from './api.ts';
import type { ApiError } from './api-error.ts';
import { Button } from './button.tsx';
import { refresh } from './loaded.ts';
import { placeInFrame } from './place.ts';
import { isOffline, pageReadings, retries } from './readings.ts';
import { readable } from './responses.ts';
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

/** A bar in sight until the connection returns. */
export function Offline() {
  if (!useStore(isOffline)) return null;
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
