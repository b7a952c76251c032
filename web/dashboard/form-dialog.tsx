import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiError } from '../kit/api-error.ts';
import { CopyButton } from '../kit/copy.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { toApiError } from '../kit/load.ts';
import { Problem, Waiting } from '../kit/status.tsx';
import { COMMON } from '../words/common.ts';
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
      <Form {...form}>{children}</Form>
    </Dialog>
  );
}

interface ConfirmProps {
  /** Name of the dialog and of its button. */
  readonly title: string;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
  /** What the button does. */
  readonly children: ComponentChildren;
}

/** Asks before a change that cannot be undone. */
export function Confirm({ title, onClose, onConfirm, children }: ConfirmProps) {
  return (
    <FormDialog title={title} save={title} isDanger onClose={onClose} onSave={onConfirm}>
      {children}
    </FormDialog>
  );
}

/** A form that sends once at a time, and shows what the API refuses. */
export function Form({ onSave, save = COMMON.save, isDanger = false, children }: FormProps) {
  const { error, isSending, run } = useWrite(onSave);
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
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

type FormProps = Pick<FormDialogProps, 'onSave' | 'save' | 'isDanger' | 'children'>;

/** A write that runs once at a time. Returns its error until the next run. */
export function useWrite(write: () => Promise<void>) {
  const [error, setError] = useState<ApiError>();
  const [isSending, setSending] = useState(false);
  async function run(): Promise<void> {
    if (isSending) return;
    setSending(true);
    setError(undefined);
    try {
      await write();
    } catch (failure) {
      setError(toApiError(failure));
    } finally {
      setSending(false);
    }
  }
  return { error, isSending, run };
}

interface CheckFieldProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly hint?: string;
}

/** A labelled checkbox. Its accessible name is the label alone. */
export function CheckField({ label, isChecked, onChange, hint }: CheckFieldProps) {
  return (
    <div>
      <label class="check">
        <input type="checkbox" checked={isChecked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
        <span>{label}</span>
      </label>
      {hint !== undefined && <span class="hint">{hint}</span>}
    </div>
  );
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
