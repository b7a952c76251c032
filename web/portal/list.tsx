import type { ComponentChildren } from 'preact';
import { Skeleton, WhenReady } from '../kit/status.tsx';
import { type Column, Pager, Table, type usePages } from '../kit/table.tsx';

interface ListProps<Row> {
  readonly name: string;
  readonly pages: ReturnType<typeof usePages<Row>>;
  readonly columns: readonly Column<Row>[];
  /** Stands in place of a list without rows. */
  readonly empty: ComponentChildren;
  readonly onOpen?: (row: Row) => void;
}

/** A list that is read page by page, as a table. */
export function List<Row extends { readonly id: string }>({ pages, empty, ...table }: ListProps<Row>) {
  return (
    <WhenReady loaded={pages.list} skeleton={<Skeleton lines={4} height={2.5} />}>
      {({ rows, next }) => (
        <>
          <Table {...table} rows={rows} keyOf={({ id }) => id} empty={<p class="empty">{empty}</p>} />
          <Pager pages={pages} next={next} />
        </>
      )}
    </WhenReady>
  );
}
