import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import { toApiError } from './api-error.ts';
import { Button } from './button.tsx';
import { placeInFrame } from './place.ts';
import { readable } from './responses.ts';
import { Store, useStore } from './store.ts';

type Undo = () => Promise<void> | void;

interface Toast {
  readonly id: number;
  readonly sentence: string;
  readonly undo: Undo | undefined;
  readonly isProblem: boolean;
  readonly opener: Element | null;
}

/** Milliseconds for which a sentence is shown, and one with "Undo" or about a failure. */
const SHORT = 5000;
const LONG = 10_000;

const toasts = new Store<readonly Toast[]>([]);
let last = 0;

function add(sentence: string, isProblem: boolean, undo?: Undo): void {
  last += 1;
  const toast = { id: last, sentence, undo, isProblem, opener: document.activeElement };
  toasts.set([...withRoom(toasts.value), toast]);
}

/** Leaves out the oldest of three sentences, unless it can still be taken back. */
function withRoom(shown: readonly Toast[]): readonly Toast[] {
  const oldest = shown.length < 3 ? undefined : shown.find(({ undo }) => !undo);
  return shown.filter((toast) => toast !== oldest);
}

const remove = (id: number) => toasts.set(toasts.value.filter((toast) => toast.id !== id));

/** Says what a button did, in sight. With `undo`, a button takes it back for 10 seconds. */
export function tell(sentence: string, { undo }: { readonly undo?: Undo } = {}): void {
  add(sentence, false, undo);
}

/** Runs what a button does, then says the sentence it returns, or what failed. */
export async function tried(action: () => Promise<unknown>): Promise<void> {
  try {
    const sentence = await action();
    if (typeof sentence === 'string') tell(sentence);
  } catch (error) {
    add(readable(toApiError(error).message), true);
  }
}

/** The place of what `tell` says, above dialogs. Each page has one. */
export function Toasts() {
  const shown = useStore(toasts);
  const box = useRef<HTMLDivElement>(null);
  const newest = shown.at(-1)?.id;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    // What is shown last stands above an open dialog. Otherwise it stays, so that it is read out.
    const isBelow = newest !== undefined && document.querySelector('dialog[open]') !== null;
    if (isBelow && element.matches(':popover-open')) element.hidePopover();
    if (!element.matches(':popover-open')) element.showPopover();
  }, [newest]);
  return (
    <div ref={box} popover="manual" class="toasts" role="status" style={placeInFrame()}>
      {shown.map((toast) => (
        <Line key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function Line({ toast: { id, sentence, undo, isProblem, opener } }: { readonly toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => remove(id), undo || isProblem ? LONG : SHORT);
    return () => clearTimeout(timer);
  }, [isHeld]);
  const takeBack = () => {
    remove(id);
    if (opener instanceof HTMLElement) opener.focus();
    void tried(async () => {
      await undo?.();
      return COMMON.undone;
    });
  };
  const [hold, release] = [() => setHeld(true), () => setHeld(false)];
  return (
    <p
      class={isProblem ? 'toast bad' : 'toast'}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocusCapture={hold}
      onBlurCapture={release}
    >
      <span>{sentence}</span>
      {undo && <Button label={COMMON.undo} kind="link" onClick={takeBack} />}
    </p>
  );
}
