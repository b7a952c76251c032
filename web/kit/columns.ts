import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** Unlike the names of the other columns. */
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Stands in place of the name. */
  readonly heading?: ComponentChildren;
  /** How the rows are sorted by it, if they are or can be. */
  readonly sorted?: 'descending' | 'none' | undefined;
  /**
   * On a phone, `name` and `key` are the two columns, `below` stands below the name, and `select` before it. Others are
   * hidden there.
   */
  readonly onPhone?: 'name' | 'key' | 'below' | 'select';
}

/** A column of texts. */
export const text = <Row>(
  name: string,
  cell: Column<Row>['cell'],
  onPhone?: NonNullable<Column<Row>['onPhone']>,
): Column<Row> => ({ name, cell, ...(onPhone && { onPhone }) });

/** A column of numbers or amounts. */
export const number: typeof text = (...column) => ({ ...text(...column), isNumber: true });
