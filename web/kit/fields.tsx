import type { InputHTMLAttributes, Ref } from 'preact';
import { useId } from 'preact/hooks';
import * as COMMON from '../words/common.ts';

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
  /** The names of values that stand alone. */
  readonly names?: Readonly<Partial<Record<Value, string>>>;
  readonly onChange: (value: Value) => void;
  readonly isInline?: boolean;
  readonly isRequired?: boolean;
  readonly selectRef?: Ref<HTMLSelectElement>;
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, value, options, names, onChange, isInline = false, isRequired = false, selectRef = null } = props;
  const pairs = options.map((option) =>
    typeof option === 'string' ? ([option, names?.[option] ?? option] as const) : option,
  );
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

interface CurrencyFieldProps {
  readonly value: string | undefined;
  readonly codes: readonly string[];
  readonly onChange: (code: string) => void;
}

/** A choice of the currencies, if there are several. */
export function CurrencyField({ value = '', codes, onChange }: CurrencyFieldProps) {
  if (codes.length < 2) return null;
  const options = codes.map((code) => [code, code.toUpperCase()] as const);
  return <SelectField label={COMMON.currency} isInline value={value} options={options} onChange={onChange} />;
}
