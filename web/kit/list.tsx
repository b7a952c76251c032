import type { ComponentChildren } from 'preact';
import * as COMMON from '../words/common.ts';
import { Button } from './button.tsx';
import type { Pages } from './pages.ts';
import { Table, type TableProps } from './table.tsx';
import { Skeleton, WhenReady } from './when-ready.tsx';

/** The buttons between the pages of a list. They keep the focus at the first and the last page: none is `disabled`. */
export function Pager({ pages: { list, next, page, forward, back } }: { readonly pages: Pages<unknown> }) {
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

interface PagedProps {
  readonly pages: Pages<unknown>;
  /** How many rows the skeleton has, and their height in rem. */
  readonly lines: number;
  readonly height?: number;
  readonly children: ComponentChildren;
}

/** A page of a list, once it is read. */
export function Paged({ pages, lines, height = 3, children }: PagedProps) {
  return (
    <WhenReady loaded={pages.list} skeleton={<Skeleton lines={lines} height={height} />}>
      {() => children}
    </WhenReady>
  );
}

interface ListProps<Row> extends Omit<PagedProps, 'pages' | 'children'>, Omit<TableProps<Row>, 'rows' | 'keyOf'> {
  readonly pages: Pages<Row>;
}

/** A list that is read page by page, as a table with the buttons between its pages. */
export function List<Row extends { readonly id: string }>({ pages, lines, height = 3, ...table }: ListProps<Row>) {
  return (
    <Paged pages={pages} lines={lines} height={height}>
      <Table {...table} rows={pages.rows} keyOf={({ id }) => id} />
      <Pager pages={pages} />
    </Paged>
  );
}

interface EmptyProps {
  readonly children: ComponentChildren;
  /** What undoes the search or the filters that found nothing. */
  readonly undo?: string;
  readonly onUndo?: () => void;
}

/** Stands in place of a list that has no rows now, perhaps because of a search or filters. */
export function Empty({ children, undo = '', onUndo }: EmptyProps) {
  return (
    <p class="empty">
      {children} {onUndo && <Button label={undo} kind="link" onClick={onUndo} />}
    </p>
  );
}
