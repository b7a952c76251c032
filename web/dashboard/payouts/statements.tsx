import { useState } from 'preact/hooks';
import { STATEMENT_COLUMNS } from '../../../functions/ledger/rules/statement-file.ts';
import { Card, SelectField } from '../../kit/controls.tsx';
import { CsvButton } from '../../kit/csv-button.tsx';
import { formatKey, formatMoney, monthsBack } from '../../kit/format.ts';
import { linesOf, type StatementLine, statementCells } from '../../kit/statement-file.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, Pager, Table, usePages } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { hrefOf, useDashboard } from '../router.ts';

/** The months of the combobox: this one and the 23 before. */
const MONTHS = 24;

/** The statements of a month for all advocates. */
export function Statements() {
  const { api } = useDashboard();
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
      <WhenReady loaded={pages.list} skeleton={<Skeleton lines={3} height={2.5} />}>
        {({ rows, next }) => (
          <>
            <Table
              name={COMMON.statements}
              columns={COLUMNS}
              rows={rows}
              keyOf={(row) => row.affiliate_slug + row.currency}
            />
            {rows.length === 0 && <p class="empty">{PAYOUTS.noStatements}</p>}
            <Pager pages={pages} next={next} />
          </>
        )}
      </WhenReady>
    </Card>
  );
}

const SUMS = ['opening', 'commissions', 'adjustments', 'settlements', 'closing'] as const;

const COLUMNS: readonly Column<StatementLine>[] = [
  {
    id: 'advocate',
    name: COMMON.advocate,
    onPhone: 'name',
    cell: ({ affiliate_slug: slug }) => <a href={hrefOf('advocates', slug)}>{slug}</a>,
  },
  ...SUMS.map(
    (id): Column<StatementLine> => ({
      id,
      name: PAYOUTS.SUMS[id],
      isNumber: true,
      ...(id === 'closing' && { onPhone: 'key' }),
      cell: (line) => formatMoney(line[id], line.currency),
    }),
  ),
];
