// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops the roles of a table whose style changes its display.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { COMMON } from '../words/common.ts';
import { Button } from './controls.tsx';
import { type Loaded, useLoaded } from './status.tsx';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
}

export const numberColumn = <Row,>(name: string, cell: Column<Row>['cell']): Column<Row> => ({
  name,
  cell,
  isNumber: true,
});

interface TableProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** True if the rows fit a narrow screen. The rows of other tables become cards there. */
  readonly isNarrow?: boolean;
  /** Stands in place of a table without rows. */
  readonly empty?: ComponentChildren;
}

/**
 * A table whose rows are cards on a narrow screen, with explicit roles for browsers that drop a table's own roles then.
 */
export function Table<Row>({ name, columns, rows, keyOf, isNarrow = false, empty }: TableProps<Row>) {
  if (rows.length === 0 && empty) return empty;
  return (
    <div class="table-box">
      <table class={isNarrow ? '' : 'cards'} role="table" aria-label={name}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.name} role="columnheader" scope="col" class={column.isNumber ? 'number' : ''}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column) => (
                <td key={column.name} role="cell" data-label={column.name} class={column.isNumber ? 'number' : ''}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
