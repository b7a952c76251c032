import * as COMMON from '../words/common.ts';
import type { Column } from './columns.ts';

interface Selection<Row> {
  /** The selected rows by their ids, also rows of other pages. */
  readonly selected: ReadonlyMap<string, Row>;
  readonly onSelect: (row: Row, isSelected: boolean) => void;
  /** The name of a row: its checkbox is "Select {name}". */
  readonly labelOf: (row: Row) => string;
  /** True if a row cannot be selected. A cell says why. */
  readonly cannot: (row: Row) => boolean;
}

/** The column of the checkboxes that select rows. */
export const selectColumn = <Row extends { readonly id: string }>({
  selected,
  onSelect,
  labelOf,
  cannot,
}: Selection<Row>): Column<Row> => ({
  name: COMMON.selection,
  heading: <span class="hidden">{COMMON.selection}</span>,
  onPhone: 'select',
  cell: (row) => (
    <input
      type="checkbox"
      aria-label={COMMON.select(labelOf(row))}
      checked={selected.has(row.id)}
      disabled={cannot(row)}
      onChange={({ currentTarget }) => onSelect(row, currentTarget.checked)}
    />
  ),
});
