import { useState } from 'preact/hooks';
import { STATEMENT_COLUMNS } from '../../../functions/ledger/rules/statement-file.ts';
import { Card } from '../../kit/card.tsx';
import { type Column, number, text } from '../../kit/columns.ts';
import { CsvButton } from '../../kit/csv-button.tsx';
import { SelectField } from '../../kit/fields.tsx';
import { formatKey, formatMoney, monthsBack } from '../../kit/format.ts';
import { Paged, Pager } from '../../kit/list.tsx';
import { usePages } from '../../kit/pages.ts';
import { linesOf, type StatementLine, statementCells } from '../../kit/statement-file.ts';
import { Table } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { hrefOf } from '../router.ts';
import { api } from '../service.ts';

/** The months of the combobox: this one and the 23 before. */
const MONTHS = 24;

/** The statements of a month for all advocates. */
export function Statements() {
  const [month, setMonth] = useState(monthsBack(Date.now(), 0));
  const months = Array.from({ length: MONTHS }, (_, back) => monthsBack(Date.now(), back));
  const read = async (cursor: string | undefined, signal: AbortSignal) => {
    const { body, next } = await api.send('get', '/v2/statements', { query: { month, cursor }, signal });
    return { rows: [body.data].flat().flatMap(linesOf), next };
  };
  const pages = usePages(read, [month]);
  return (
    <Card title={COMMON.statements} advice={PAYOUTS.monthly}>
      <div class="filters">
        <SelectField
          label={COMMON.month}
          isInline
          value={month}
          options={months.map((each) => [each, formatKey(each, 'long')] as const)}
          onChange={setMonth}
        />
        <CsvButton
          key={month}
          file={`statements-${month}.csv`}
          columns={STATEMENT_COLUMNS}
          cells={statementCells}
          read={read}
          whenCut={PAYOUTS.cut}
        />
      </div>
      <Paged pages={pages} lines={3} height={2.5}>
        <Table
          name={COMMON.statements}
          columns={COLUMNS}
          rows={pages.rows}
          keyOf={(row) => row.affiliate_slug + row.currency}
        />
        {pages.rows.length === 0 && <p class="empty">{PAYOUTS.noStatements}</p>}
        <Pager pages={pages} />
      </Paged>
    </Card>
  );
}

const SUMS = ['opening', 'commissions', 'adjustments', 'settlements', 'closing'] as const;

const COLUMNS: readonly Column<StatementLine>[] = [
  text(COMMON.advocate, ({ affiliate_slug: slug }) => <a href={hrefOf('advocates', slug)}>{slug}</a>, 'name'),
  ...SUMS.map((id) =>
    number<StatementLine>(
      PAYOUTS.SUMS[id],
      (line) => formatMoney(line[id], line.currency),
      id === 'closing' ? 'key' : undefined,
    ),
  ),
];
