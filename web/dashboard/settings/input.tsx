import { LongField, SelectField, TextField } from '../../kit/fields.tsx';
import { CheckField } from '../../kit/forms.tsx';
import type { Control } from './fields.ts';

interface InputProps {
  readonly control: Control;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onInput: (value: string) => void;
}

/** The control of one value, in a form or in a row of a list. */
export function Input({ control, value, fault, onInput }: InputProps) {
  const { label, hint, kind, options = [], inputMode, example, isRequired = false } = control;
  switch (kind) {
    case 'choice':
      return <SelectField {...{ label, value, options }} onChange={onInput} />;
    case 'check':
      return (
        <CheckField label={label} isChecked={value !== ''} onChange={(isChecked) => onInput(isChecked ? 'yes' : '')} />
      );
    default: {
      const common = { label, value, fault, isRequired, onInput, ...(hint !== undefined && { hint }) };
      return kind === 'long' ? (
        <LongField {...common} />
      ) : (
        <TextField {...{ ...common, inputMode, placeholder: example }} />
      );
    }
  }
}
