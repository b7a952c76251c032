import type { ComponentChildren } from 'preact';
import * as COMMON from '../words/common.ts';
import { type Loaded, readyOf } from './loaded.ts';

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
