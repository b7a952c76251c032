import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../kit/api-error.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { ignoreEnter, useWrite } from '../kit/forms.tsx';
import { Problem, Waiting } from '../kit/messages.tsx';
import * as COMMON from '../words/common.ts';
import * as SHELL from '../words/dashboard/shell.ts';
import { api } from './service.ts';

interface FormDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Writes. What it throws is shown, and what was typed stays. */
  readonly onSave: () => Promise<void>;
  /** Name of the button, "Save" by default. */
  readonly save?: string;
  readonly isDanger?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A dialog with a form, which asks before it loses what was typed. Its component makes the id of the write when it opens,
 * so that a retry writes once.
 */
export function FormDialog({ title, onClose, children, ...form }: FormDialogProps) {
  const isTyped = useRef(false);
  const close = () => {
    if (!isTyped.current || confirm(SHELL.unsaved)) onClose();
  };
  return (
    <Dialog title={title} onClose={close}>
      <Form
        {...form}
        isInDialog
        onInput={(event) => {
          // Not of a checkbox.
          isTyped.current ||= event instanceof InputEvent;
        }}
      >
        {children}
      </Form>
    </Dialog>
  );
}

/** The browser closes a dialog that refuses Escape several times. While its content is there, it stays. */
export function keepOpen(content: HTMLElement | null): void {
  const dialog = content?.closest('dialog');
  if (dialog) dialog.onclose = () => dialog.isConnected && dialog.showModal();
}

interface ConfirmProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
  readonly children: ComponentChildren;
}

/** Asks before something that cannot be undone. Its title is the name of the button. */
export function Confirm({ title, onClose, onConfirm, children }: ConfirmProps) {
  return (
    <FormDialog title={title} save={title} isDanger onClose={onClose} onSave={onConfirm}>
      {children}
    </FormDialog>
  );
}

/** A form that sends once at a time, and shows what the API refuses. In a dialog, Enter in a field sends nothing. */
export function Form({ onSave, save = COMMON.save, isDanger = false, isInDialog = false, ...others }: FormProps) {
  const { onInput, children } = others;
  const { error, isSending, submit } = useWrite(onSave);
  return (
    <form
      ref={keepOpen}
      class="form"
      onInput={onInput}
      onSubmit={submit}
      onKeyDown={isInDialog ? ignoreEnter : undefined}
    >
      {children}
      {error && <Problem error={error} />}
      <Waiting api={api} />
      <div class="buttons">
        <button type="submit" class={isDanger ? 'danger' : 'primary'} aria-disabled={isSending}>
          {save}
        </button>
      </div>
    </form>
  );
}

interface FormProps extends Pick<FormDialogProps, 'onSave' | 'save' | 'isDanger' | 'children'> {
  readonly isInDialog?: boolean;
  readonly onInput?: (event: Event) => void;
}

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** What the copy button does, "Copy" by default. */
  readonly copy?: string;
}

/** A text to copy, such as a secret that is shown once. */
export function CopyField({ label, value, copy = COMMON.copy }: CopyFieldProps) {
  return (
    <div class="copy-field">
      <label class="field">
        <span>{label}</span>
        <input type="text" readOnly value={value} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <CopyButton text={value} label={copy} />
    </div>
  );
}

/** Fields that cannot be changed while the outcome of their request is unknown. */
export function Fields({ isLocked, children }: { readonly isLocked: boolean; readonly children: ComponentChildren }) {
  return (
    <fieldset class="form plain" disabled={isLocked}>
      {children}
    </fieldset>
  );
}

/** Throws a sentence to show, unless the word was typed that confirms an erasure. */
export function confirmErasure(typed: string): void {
  if (typed.trim().toLowerCase() !== 'erase') throw new ApiError(SHELL.notTyped, -1);
}

/** True if the service may have carried out a request that failed. */
export const isUnanswered = (error: unknown) => error instanceof ApiError && error.isUnanswered;

/**
 * A write with an id of its own. After a response that was lost, the next attempt sends exactly the same body again, so
 * that the service recognizes the id and writes once.
 */
export function useOnceWritten<Body>(send: (body: Body) => Promise<unknown>) {
  const [unanswered, setUnanswered] = useState<Body>();
  async function write(body: Body): Promise<void> {
    const sent = unanswered ?? body;
    try {
      await send(sent);
      setUnanswered(undefined);
    } catch (error) {
      setUnanswered(() => (isUnanswered(error) ? sent : undefined));
      throw error;
    }
  }
  return { write, isUnanswered: unanswered !== undefined };
}
