import type { ComponentChildren, InputHTMLAttributes, Ref } from 'preact';

interface ButtonProps {
  readonly label: string;
  readonly kind?: string;
  readonly onClick: (event: { readonly currentTarget: HTMLButtonElement }) => void;
  readonly 'aria-disabled'?: boolean;
  readonly 'aria-expanded'?: boolean;
  readonly 'aria-pressed'?: boolean;
}

/** A button that submits no form. `kind` is its class. */
export function Button({ label, kind = '', ...attributes }: ButtonProps) {
  return (
    <button type="button" class={kind} {...attributes}>
      {label}
    </button>
  );
}

type InputAttributes = 'inputMode' | 'maxLength' | 'pattern' | 'placeholder' | 'aria-invalid' | 'aria-describedby';

interface TextFieldProps extends Pick<InputHTMLAttributes, InputAttributes> {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

/** A labelled text field. Its accessible name is the label alone. */
export function TextField({ label, onInput, hint, isRequired = false, ...attributes }: TextFieldProps) {
  return (
    <div class="field">
      <label class="field">
        <span>{label}</span>
        <input
          type="text"
          autocomplete="off"
          required={isRequired}
          {...attributes}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      </label>
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
  readonly selectRef?: Ref<HTMLSelectElement>;
}

/** A labelled choice. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, value, options, onChange, isInline = false, selectRef = null } = props;
  const pairs = options.map((option) => (typeof option === 'string' ? ([option, option] as const) : option));
  return (
    <label class={isInline ? 'field inline' : 'field'}>
      <span>{label}</span>
      <select
        ref={selectRef}
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

/** Stands in place of a list without rows. */
export function Empty({ children, undo = '', onUndo }: EmptyProps) {
  return (
    <p class="empty">
      {children} {onUndo && <Button label={undo} kind="link" onClick={onUndo} />}
    </p>
  );
}
