import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import { Button } from './button.tsx';
import { ViewProblem } from './messages.tsx';
import { placeDialog } from './place.ts';
import { useDialogReadings } from './readings.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** `drawer` fills the right side of a wide screen. */
  readonly shape?: 'dialog' | 'drawer';
}

/** A modal dialog. Escape and "Close" close it, and the element that opened it gets the focus again. */
export function Dialog({ title, onClose, children, shape = 'dialog' }: DialogProps) {
  const dialog = useModal();
  const readings = useDialogReadings();
  const id = useId();
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={dialog} class={shape} aria-labelledby={id} onCancel={cancel}>
      <header class="dialog-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <Button label={COMMON.close} kind="quiet" onClick={onClose} />
      </header>
      <ViewProblem readings={readings} />
      {children}
    </dialog>
  );
}

/** Opens a dialog while its component is there. Then the element that had the focus gets it again. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next frame, so that no key is lost between the dialog and its opener.
  useLayoutEffect(() => {
    const [element, opener] = [dialog.current, document.activeElement];
    element?.showModal();
    if (element) placeDialog(element);
    return () => {
      // Nothing outside of an open dialog can get the focus.
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return dialog;
}
