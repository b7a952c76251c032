import type { Column } from '../kit/table.tsx';

/** A column of texts. Its name is its id. */
export const text = <Row>(
  name: string,
  cell: Column<Row>['cell'],
  onPhone?: NonNullable<Column<Row>['onPhone']>,
): Column<Row> => ({ id: name, name, cell, ...(onPhone && { onPhone }) });

/** A column of numbers or amounts. */
export const number: typeof text = (...column) => ({ ...text(...column), isNumber: true });
