import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { decimalsOf } from '../../functions/ledger/rules/units.ts';
import { ApiError } from '../kit/api-error.ts';
import { CopyButton, Dialog, TextField } from '../kit/controls.tsx';
import { parseMoney } from '../kit/format.ts';
import { useWrite } from '../kit/forms.tsx';
import { Problem, toApiError, Waiting } from '../kit/status.tsx';
import { COMMON } from '../words/common.ts';
import { DASHBOARD } from '../words/dashboard.ts';
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

interface TypedMoney {
  readonly amount: string;
  readonly currency: string;
}

interface MoneyFieldsProps {
  readonly typed: TypedMoney;
  readonly onInput: (typed: TypedMoney) => void;
  readonly amountHint: string;
  /** `text` where an amount may be negative: the decimal keyboard of a phone has no minus. */
  readonly inputMode: 'decimal' | 'text';
}

export function MoneyFields({ typed, onInput, amountHint, inputMode }: MoneyFieldsProps) {
  return (
    <>
      <TextField
        label={COMMON.amount}
        hint={amountHint}
        inputMode={inputMode}
        isRequired
        value={typed.amount}
        onInput={(amount) => onInput({ ...typed, amount })}
      />
      <TextField
        label={DASHBOARD.currency}
        hint={DASHBOARD.currencyHint}
        isRequired
        value={typed.currency}
        onInput={(currency) => onInput({ ...typed, currency })}
      />
    </>
  );
}

/** Reads typed money in the smallest unit. Throws a sentence to show. */
export function readMoney(typed: TypedMoney): { amount: number; currency: string } {
  const currency = typed.currency.trim().toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) throw new ApiError(DASHBOARD.wrongCurrency, -1);
  return { amount: readAmount(typed.amount, currency), currency };
}

/** Reads a typed amount in the smallest unit. Throws a sentence to show. */
export function readAmount(typed: string, currency: string): number {
  const amount = parseMoney(typed, currency);
  if (amount === undefined) throw new ApiError(DASHBOARD.wrongAmount(currency, decimalsOf(currency)), -1);
  return amount;
}
