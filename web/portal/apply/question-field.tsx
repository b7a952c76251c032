import { LongField, SelectField, TextField } from '../../kit/fields.tsx';
import * as WORDS from '../../words/portal/apply.ts';
import { nameOf, type Question } from './form.ts';

/** The longest answer that the API accepts. Most kinds have a lower limit, which it explains. */
const MAX_ANSWER = 2000;

interface QuestionFieldProps {
  readonly question: Question;
  /** Returns the attributes of a field, from its name in errors of the API, its label, and how its errors begin. */
  readonly field: (name: string, label: string, subject: string) => FieldAttributes;
}

interface FieldAttributes {
  readonly label: string;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onInput: (value: string) => void;
}

export function QuestionField({ question, field }: QuestionFieldProps) {
  const { label, kind, required, options } = question;
  const { fault, ...own } = field(nameOf(question), required ? label : WORDS.optional(label), label);
  const text = { ...own, fault, maxLength: MAX_ANSWER, isRequired: required };
  if (kind === 'long') return <LongField {...text} />;
  if (kind !== 'choice') return <TextField {...text} {...(kind === 'url' && { inputMode: 'url' })} />;
  return (
    <SelectField {...own} isRequired={required} options={[['', WORDS.choose], ...options]} onChange={own.onInput} />
  );
}
