import type { ComponentChildren } from 'preact';
import { CopyButton } from '../kit/copy.tsx';
import { COMMON } from '../words/common.ts';

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
}

/** A labelled choice. */
export function SelectField<Value extends string>({ label, value, options, onChange }: SelectFieldProps<Value>) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options[currentTarget.selectedIndex];
          if (chosen) onChange(chosen[0]);
        }}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
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
