import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../kit/api-error.ts';
import { CopyButton, Dialog } from '../kit/controls.tsx';
import { useWrite } from '../kit/forms.tsx';
import { Problem, toApiError, Waiting } from '../kit/status.tsx';
import * as COMMON from '../words/common.ts';
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

/** A dialog with a form. Its component makes the id of the write when it opens, so that a retry writes once. */
export function FormDialog({ title, onClose, children, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} isInDialog>
        {children}
      </Form>
    </Dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
  readonly children: ComponentChildren;
}

export function Confirm({ title, onClose, onConfirm, children }: ConfirmProps) {
  return (
    <FormDialog title={title} save={title} isDanger onClose={onClose} onSave={onConfirm}>
      {children}
    </FormDialog>
  );
}

/** A form that sends once at a time, and shows what the API refuses. In a dialog, Enter in a field sends nothing. */
export function Form({ onSave, save = COMMON.save, isDanger = false, isInDialog = false, children }: FormProps) {
  const { error, isSending, run } = useWrite(onSave);
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
      onKeyDown={(event) => {
        if (isInDialog && event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
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

interface Outcome {
  readonly error?: ApiError;
  readonly done?: string;
  /** True if the button that had the focus disappears with what it did. */
  readonly takesFocus?: boolean;
}

/**
 * Runs what the buttons of a table do, one at a time. `report` shows the sentence that the last action returned, or why it
 * failed. `finish` shows the sentence of a dialog that has done its work, and gives it the focus.
 */
export function useActions() {
  const [outcome, setOutcome] = useState<Outcome>({});
  const isRunning = useRef(false);
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (outcome.takesFocus) sentence.current?.focus();
  }, [outcome]);
  async function run(action: () => Promise<string>): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    setOutcome({});
    try {
      setOutcome({ done: await action() });
    } catch (error) {
      setOutcome({ error: toApiError(error) });
    } finally {
      isRunning.current = false;
    }
  }
  const finish = (done: string) => setOutcome({ done, takesFocus: true });
  const report = (
    <>
      <p ref={sentence} role="status" class="soft" tabIndex={-1}>
        {outcome.done}
      </p>
      {outcome.error && <Problem error={outcome.error} />}
    </>
  );
  return { run, finish, report, clear: () => setOutcome({}) };
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
