// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops the roles of a table whose style changes its display.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import { Button } from './controls.tsx';
import { type Loaded, useLoaded } from './status.tsx';

type Direction = 'ascending' | 'descending' | 'none';

export interface Column<Row> {
  readonly id: string;
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** How the rows are sorted. The heading is a button if that can be changed. */
  readonly sort?: { readonly direction: Direction; readonly onSort?: () => void };
  /** On a phone, `name` and `key` are the two columns, and `below` stands below the name. Others are hidden there. */
  readonly onPhone?: 'name' | 'key' | 'below';
}

interface Selection<Row> {
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (key: string, isSelected: boolean) => void;
  /** The name of a row: its checkbox is "Select {name}". */
  readonly labelOf: (row: Row) => string;
  /** True if a row cannot be selected. A cell says why. */
  readonly cannot?: (row: Row) => boolean;
}

interface TableProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Stands in place of a table without rows. */
  readonly empty?: ComponentChildren;
  /** What a press of a row does, outside of its controls. Its name is a link that does the same. */
  readonly onOpen?: (row: Row) => void;
  readonly selection?: Selection<Row>;
}

/** A table with two columns on a phone. Its roles are explicit for browsers that drop them with the layout. */
export function Table<Row>({ name, columns, rows, keyOf, empty, onOpen, selection }: TableProps<Row>) {
  if (rows.length === 0 && empty) return empty;
  return (
    <div class="table-box">
      <table class="list" role="table" aria-label={name}>
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" scope="col" class="select">
                <span class="hidden">{COMMON.selection}</span>
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.id} column={column} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => {
            const key = keyOf(row);
            const open = onOpen && ((event: MouseEvent) => isOfRow(event) && onOpen(row));
            return (
              <tr key={key} role="row" class={onOpen ? 'opens' : ''} onClick={open}>
                {selection && (
                  <td role="cell" class="select">
                    <input
                      type="checkbox"
                      aria-label={COMMON.select(selection.labelOf(row))}
                      checked={selection.selected.has(key)}
                      disabled={selection.cannot?.(row)}
                      onChange={({ currentTarget }) => selection.onSelect(key, currentTarget.checked)}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.id} role="cell" class={classOf(column)}>
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

function Heading<Row>({ column }: { readonly column: Column<Row> }) {
  const { name, sort } = column;
  return (
    <th role="columnheader" scope="col" class={classOf(column)} aria-sort={sort?.direction}>
      {sort?.onSort ? (
        <button type="button" class="sort" onClick={sort.onSort}>
          {name}
        </button>
      ) : (
        name
      )}
    </th>
  );
}

interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page. */
  readonly next: string | undefined;
}

/** Reads a list page by page, and begins at its first page when an input changes. */
export function usePages<Row>(
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>,
  inputs: readonly unknown[],
) {
  const key = JSON.stringify(inputs);
  const [state, setState] = useState<{ key: string; cursors: (string | undefined)[] }>({ key, cursors: [undefined] });
  const cursors = state.key === key ? state.cursors : [undefined];
  const cursor = cursors.at(-1);
  const [list, reload] = useLoaded((signal) => read(cursor, signal), [...inputs, cursor], inputs);
  return {
    list,
    reload,
    page: cursors.length,
    forward: (next: string) => setState({ key, cursors: [...cursors, next] }),
    back: () => setState({ key, cursors: cursors.slice(0, Math.max(1, cursors.length - 1)) }),
  };
}

interface PagerProps {
  readonly pages: Omit<ReturnType<typeof usePages>, 'list'> & { readonly list: Loaded<unknown> };
  readonly next: string | undefined;
}

/** The buttons between the pages of a list. They keep the focus at the first and the last page: none is `disabled`. */
export function Pager({ pages: { list, page, forward, back }, next }: PagerProps) {
  if (page === 1 && next === undefined) return null;
  const isReading = list.kind !== 'ready' || list.isReloading;
  const isFirst = isReading || page === 1;
  const isLast = isReading || next === undefined;
  return (
    <div class="pager">
      <Button label={COMMON.previousPage} aria-disabled={isFirst} onClick={() => !isFirst && back()} />
      <span role="status">{COMMON.pageNumber(page)}</span>
      <Button label={COMMON.nextPage} aria-disabled={isLast} onClick={() => !isLast && forward(next)} />
    </div>
  );
}
