// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops the roles of a table whose style changes its display.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { COMMON } from '../words/common.ts';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
}

interface TableProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** True if the rows fit a narrow screen. The rows of other tables become cards there. */
  readonly isNarrow?: boolean;
}

/**
 * A table whose rows are cards on a narrow screen, with explicit roles for browsers that drop a table's own roles then.
 */
export function Table<Row>({ name, columns, rows, keyOf, isNarrow = false }: TableProps<Row>) {
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

/** The cursors of the pages that were opened: `undefined` for the first one. They belong to one set of filters. */
export function useCursors(filters: readonly unknown[]) {
  const key = JSON.stringify(filters);
  const [state, setState] = useState<{ key: string; cursors: (string | undefined)[] }>({ key, cursors: [undefined] });
  const cursors = state.key === key ? state.cursors : [undefined];
  return {
    page: cursors.length,
    cursor: cursors[cursors.length - 1],
    forward: (next: string) => setState({ key, cursors: [...cursors, next] }),
    back: () => setState({ key, cursors: cursors.slice(0, Math.max(1, cursors.length - 1)) }),
  };
}

interface PagerProps {
  readonly cursors: ReturnType<typeof useCursors>;
  readonly next: string | undefined;
  /** True while a page is read: its buttons stay, with the focus, and wait. */
  readonly isReading?: boolean;
}

/** The buttons between the pages of a list. They keep the focus at the first and the last page: none is `disabled`. */
export function Pager({ cursors, next, isReading = false }: PagerProps) {
  if (cursors.page === 1 && next === undefined) return null;
  return (
    <div class="pager">
      <button
        type="button"
        aria-disabled={isReading || cursors.page === 1}
        onClick={() => {
          if (!isReading && cursors.page > 1) cursors.back();
        }}
      >
        {COMMON.previousPage}
      </button>
      <span role="status">{COMMON.pageNumber(cursors.page)}</span>
      <button
        type="button"
        aria-disabled={isReading || next === undefined}
        onClick={() => {
          if (!isReading && next !== undefined) cursors.forward(next);
        }}
      >
        {COMMON.nextPage}
      </button>
    </div>
  );
}
