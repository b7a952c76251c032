import { useState } from 'preact/hooks';
import { type ApiError, toApiError } from './api-error.ts';

/** A write that runs once at a time. Returns its error until the next run, and `submit` for a form that writes. */
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
  return { error, isSending, run, submit: submitting(() => void run()) };
}

/** Handles that a form is sent: the page sends it, and not the browser. */
export const submitting = (send: () => void) => (event: Event) => {
  event.preventDefault();
  send();
};

/** Enter in a text field of a dialog sends nothing. */
export function ignoreEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

/** Returns what the API refuses about a field, with the field's label; `undefined` for any other error. */
export function faultOf(error: ApiError | undefined, field: string, label: string): string | undefined {
  const isOfField = error?.code === 'invalid_field' && error.sentence.startsWith(`${field} `);
  return isOfField ? label + error.sentence.slice(field.length) : undefined;
}

interface CheckFieldProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

/** A labelled checkbox. Its accessible name is the label alone. */
export function CheckField({ label, isChecked, onChange, hint, isRequired = false }: CheckFieldProps) {
  return (
    <div>
      <label class="check">
        <input
          type="checkbox"
          required={isRequired}
          checked={isChecked}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {hint !== undefined && <span class="hint">{hint}</span>}
    </div>
  );
}
