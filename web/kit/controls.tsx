import type { ComponentChildren, InputHTMLAttributes, Ref } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import { Button } from './button.tsx';
import { placeDialog } from './place.ts';
import { useDialogReadings } from './readings.ts';
import { ViewProblem } from './status.tsx';

export { Button };

type InputAttributes = 'autocomplete' | 'inputMode' | 'maxLength' | 'pattern' | 'placeholder';

interface TextFieldProps extends Pick<InputHTMLAttributes, InputAttributes> {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** What is wrong with the value. A field with this property keeps a place for it. */
  readonly fault?: string | undefined;
}

/** A labelled text field. Its accessible name is the label alone. */
export function TextField({ label, onInput, hint, isRequired = false, ...others }: TextFieldProps) {
  const { fault, ...attributes } = others;
  const hasFault = 'fault' in others;
  const id = useId();
  return (
    <div class="field">
      <label class="field">
        <span>{label}</span>
        <input
          type="text"
          autocomplete="off"
          required={isRequired}
          {...(hasFault && { 'aria-invalid': fault !== undefined, 'aria-describedby': id })}
          {...attributes}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      </label>
      {hasFault && (
        <p id={id} class="fault" aria-live="polite">
          {fault}
        </p>
      )}
      {hint !== undefined && <span class="hint">{hint}</span>}
    </div>
  );
}

type LongFieldProps = Pick<
  TextFieldProps,
  'label' | 'maxLength' | 'value' | 'onInput' | 'isRequired' | 'hint' | 'fault'
>;

/** A labelled field for a text of several lines. */
export function LongField({ label, onInput, isRequired = false, hint, fault, ...attributes }: LongFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label class="field">
        <span>{label}</span>
        <textarea
          required={isRequired}
          aria-invalid={fault !== undefined}
          aria-describedby={id}
          {...attributes}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      </label>
      <p id={id} class="fault" aria-live="polite">
        {fault}
      </p>
      {hint !== undefined && <span class="hint">{hint}</span>}
    </div>
  );
}

interface SearchProps {
  readonly label: string;
  readonly example: string;
  readonly maxLength?: number;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

export function Search({ label, example, maxLength = 254, value, onInput }: SearchProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={example}
      maxLength={maxLength}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** The values, or pairs of a value and its name. */
  readonly options: readonly (Value | readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
  readonly isInline?: boolean;
  readonly isRequired?: boolean;
  readonly selectRef?: Ref<HTMLSelectElement>;
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, value, options, onChange, isInline = false, isRequired = false, selectRef = null } = props;
  const pairs = options.map((option) => (typeof option === 'string' ? ([option, option] as const) : option));
  return (
    <label class={isInline ? 'field inline' : 'field'}>
      <span>{label}</span>
      <select
        ref={selectRef}
        required={isRequired}
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = pairs[currentTarget.selectedIndex];
          if (chosen) onChange(chosen[0]);
        }}
      >
        {pairs.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface EmptyProps {
  readonly children: ComponentChildren;
  /** What undoes the search or the filters that found nothing. */
  readonly undo?: string;
  readonly onUndo?: () => void;
}

export function Empty({ children, undo = '', onUndo }: EmptyProps) {
  return (
    <p class="empty">
      {children} {onUndo && <Button label={undo} kind="link" onClick={onUndo} />}
    </p>
  );
}

interface CardProps {
  readonly title: string;
  readonly advice?: string | false | undefined;
  /** Stands at the end of the head, such as a button. */
  readonly beside?: ComponentChildren;
  readonly kind?: string;
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}

export function Card({ title, advice, beside, kind = '', isBusy = false, children }: CardProps) {
  const id = useId();
  const head = (
    <>
      <h2 id={id}>{title}</h2>
      {advice && <p class="soft">{advice}</p>}
    </>
  );
  return (
    <section class={`card ${kind}`} aria-labelledby={id} aria-busy={isBusy}>
      <div class="card-head">
        {beside ? <div>{head}</div> : head}
        {beside}
      </div>
      {children}
    </section>
  );
}

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** The name for assistive technology, where the label stands in a row that says what is copied. */
  readonly name?: string;
  readonly class?: string;
}

export function CopyButton({ text, label, name, class: className = '' }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (result !== 'copied') return;
    const timer = setTimeout(() => setResult(undefined), 2500);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => setResult((await copyText(text)) ? 'copied' : 'failed');
  return (
    <span class="copy">
      <Button label={label} aria-label={name} kind={className} onClick={() => void copy()} />
      <span role="status" class="copy-result">
        {result === 'copied' && COMMON.copied}
        {result === 'failed' && COMMON.copyFailed}
      </span>
    </span>
  );
}

/** Copies a text. Frames may lack the permission for the clipboard's API. The older way works there after a click. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    const focused = document.activeElement;
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}

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
