// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops the roles of a table whose style changes its display.

import type { ComponentChildren } from 'preact';
import type { Column } from './columns.ts';

export interface TableProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Stands in place of a table without rows. */
  readonly empty?: ComponentChildren;
  /** What a press of a row does, outside of its controls. Its name is a link that does the same. */
  readonly onOpen?: (row: Row) => void;
}

/** A table with two columns on a phone. Its roles are explicit for browsers that drop them with the layout. */
export function Table<Row>({ name, columns, rows, keyOf, empty, onOpen }: TableProps<Row>) {
  if (rows.length === 0 && empty) return <p class="empty">{empty}</p>;
  return (
    <div class="table-box">
      <table class="list" role="table" aria-label={name}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.name} role="columnheader" scope="col" class={classOf(column)} aria-sort={column.sorted}>
                {column.heading ?? column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => {
            const open = onOpen && ((event: MouseEvent) => isOfRow(event) && onOpen(row));
            return (
              <tr key={keyOf(row)} role="row" class={onOpen ? 'opens' : ''} onClick={open}>
                {columns.map((column) => (
                  <td key={column.name} role="cell" class={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const classOf = <Row,>({ isNumber, onPhone }: Column<Row>) => `${isNumber ? 'number' : ''} phone-${onPhone ?? 'no'}`;

/** True for a press of the row itself: not of a control in it, and not at the end of a selection of text. */
function isOfRow({ target }: MouseEvent): boolean {
  const isControl = target instanceof Element && target.closest('a, button, input, label, select, [popover]') !== null;
  return !isControl && String(getSelection()) === '';
}
