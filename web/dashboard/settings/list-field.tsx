import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import type { Column, Draft, faultIn, List, Row } from './fields.ts';
import { Input } from './input.tsx';

interface ListFieldProps {
  readonly field: List;
  readonly rows: readonly Row[];
  readonly draft: Draft;
  readonly refusal: ReturnType<typeof faultIn>;
  readonly onChange: (rows: readonly Row[]) => void;
}

/** An editor of an ordered list. A new row gets the focus, and after a removal the button that adds one. */
export function ListField({ field, rows, draft, refusal, onChange }: ListFieldProps) {
  const { label, hint, item, add, max, columns, addTo } = field;
  const box = useRef<HTMLFieldSetElement>(null);
  const [focus, setFocus] = useState<string>();
  useEffect(() => {
    if (focus === undefined) return;
    box.current?.querySelector<HTMLElement>(focus)?.focus();
    setFocus(undefined);
  }, [focus]);
  const [position, part] = refusal?.place.slice(field.name.length + 1).split('.') ?? [];
  const isIn = (column: Column) => column.name === part || column.parts?.includes(part ?? '') === true;
  const isAtCell = rows[Number(position)] !== undefined && columns.some(isIn);
  const addRow = () => {
    const added = addTo?.(draft) ?? [...rows, {}];
    onChange(added);
    setFocus(`.list-row:nth-of-type(${added.findIndex((row) => !rows.includes(row)) + 1}) :is(input, select)`);
  };
  return (
    <fieldset class="form plain list-field" ref={box}>
      <legend>{label}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {rows.map((row, index) => (
        <fieldset key={index} class="list-row" aria-label={SETTINGS.row(item, index + 1)}>
          {columns.map(
            (column) =>
              column.isShown?.(row) !== false && (
                <Input
                  key={column.name}
                  control={column}
                  value={row[column.name] ?? ''}
                  fault={Number(position) === index && isIn(column) ? `${column.label} ${refusal?.says}` : undefined}
                  onInput={(value) =>
                    onChange(rows.map((other) => (other === row ? { ...row, [column.name]: value } : other)))
                  }
                />
              ),
          )}
          <div class="buttons">
            {index > 0 && (
              <Button
                label={SETTINGS.moveUp}
                kind="quiet"
                onClick={() => {
                  onChange(rows.with(index, rows[index - 1] ?? row).with(index - 1, row));
                  setFocus(`.list-row:nth-of-type(${index}) :is(input, select)`);
                }}
              />
            )}
            <Button
              label={SETTINGS.remove}
              kind="quiet"
              onClick={() => {
                onChange(rows.toSpliced(index, 1));
                setFocus('.list-add button');
              }}
            />
          </div>
        </fieldset>
      ))}
      {refusal && !isAtCell && (
        <p class="fault" role="alert">
          {position ? SETTINGS.row(item, Number(position) + 1) : label} {refusal.says}
        </p>
      )}
      <div class="buttons list-add">{rows.length < max && <Button label={add} onClick={addRow} />}</div>
    </fieldset>
  );
}
