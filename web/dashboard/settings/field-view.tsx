import { CheckField } from '../../kit/forms.tsx';
import { type Draft, type Field, type faultIn, rowsIn, textIn } from './fields.ts';
import { Input } from './input.tsx';
import { ListField } from './list-field.tsx';

interface FieldViewProps {
  readonly field: Field;
  readonly draft: Draft;
  readonly refusal: ReturnType<typeof faultIn>;
  readonly onChange: (changes: Draft) => void;
}

/** A field of a form with what is wrong with it. */
export function FieldView({ field, draft, refusal, onChange }: FieldViewProps) {
  const { name, label, isShown } = field;
  if (isShown?.(draft) === false) return null;
  const change = (value: Draft[string]) => onChange({ [name]: value });
  const value = textIn(draft, name);
  const fault = refusal?.place === name ? `${label} ${refusal.says}` : undefined;
  switch (field.kind) {
    case 'checks': {
      const chosen = value.split(' ').filter(Boolean);
      const others = (each: string) => chosen.filter((other) => other !== each);
      return (
        <fieldset class="form plain checks">
          <legend>{label}</legend>
          {field.options.map(([each, text]) => {
            const hint = field.hints?.[each];
            return (
              <CheckField
                key={each}
                label={text}
                {...(hint !== undefined && { hint })}
                isChecked={chosen.includes(each)}
                onChange={(isChecked) => change([...others(each), ...(isChecked ? [each] : [])].join(' '))}
              />
            );
          })}
          <p class="fault" role="alert">
            {fault}
          </p>
        </fieldset>
      );
    }
    case 'list':
      return (
        <ListField
          field={field}
          rows={rowsIn(draft, name)}
          draft={draft}
          refusal={refusal?.place.startsWith(name) ? refusal : undefined}
          onChange={change}
        />
      );
    default:
      return <Input control={field} value={value} fault={fault} onInput={change} />;
  }
}

/** True if the error is shown at a field in sight. A choice shows none. */
export const isAtField = (fields: readonly Field[], draft: Draft, place: string): boolean =>
  fields.some(
    ({ name, kind, inside, isShown }) =>
      inside === undefined &&
      kind !== 'choice' &&
      kind !== 'check' &&
      isShown?.(draft) !== false &&
      (place === name || (kind === 'list' && place.startsWith(`${name}.`))),
  );
