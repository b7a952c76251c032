import { useRef, useState } from 'preact/hooks';
import { STATEMENT_COLUMNS } from '../../../functions/ledger/rules/statement-file.ts';
import { Button, Card } from '../../kit/controls.tsx';
import { CsvButton } from '../../kit/csv-button.tsx';
import { formatKey, formatMoney, monthsBack } from '../../kit/format.ts';
import { linesOf, type StatementLine, statementCells } from '../../kit/statement-file.ts';
import { Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import * as WORDS from '../../words/portal/earnings.ts';
import { api } from '../service.ts';
import { MonthEntries } from './month-entries.tsx';

/** One currency of a month. */
type Line = StatementLine & { readonly isFirst: boolean };

const sum = (id: 'commissions' | 'adjustments' | 'settlements' | 'closing', name: string): Column<Line> => ({
  id,
  name,
  cell: (line) => formatMoney(line[id], line.currency),
  isNumber: true,
});

/** The statements of the last 12 months. A month opens its entries. */
export function Statements({ isShown }: { readonly isShown: boolean }) {
  const [month, setMonth] = useState<string>();
  const opener = useRef<HTMLElement>(null);
  const [loaded] = useLoaded(async (signal) => {
    const now = Date.now();
    const query = { from: monthsBack(now, 11), to: monthsBack(now, 0) };
    return [(await api.send('get', '/v2/affiliate/statements', { query, signal })).body.data].flat();
  }, []);
  const close = () => {
    opener.current?.focus();
    setMonth(undefined);
  };
  const columns: Column<Line>[] = [
    {
      id: 'month',
      name: WORDS.month,
      // One button for all currencies of the month.
      cell: (line) =>
        !line.isFirst ? (
          formatKey(line.month, 'long')
        ) : (
          <Button
            label={formatKey(line.month, 'long')}
            kind="link"
            aria-expanded={line.month === month}
            onClick={({ currentTarget }) => {
              opener.current = currentTarget;
              setMonth(line.month === month ? undefined : line.month);
            }}
          />
        ),
      onPhone: 'name',
    },
    { ...sum('commissions', WORDS.commissions), onPhone: 'key' },
    sum('adjustments', WORDS.adjustments),
    sum('settlements', WORDS.settlements),
    sum('closing', WORDS.closing),
  ];
  if (!isShown) return null;
  return (
    <Card title={WORDS.statements} advice={WORDS.advice}>
      <WhenReady loaded={loaded} skeleton={<Skeleton lines={4} height={2.5} />}>
        {(statements) => {
          const lines = statements.flatMap((statement) =>
            linesOf(statement).map((line, index) => ({ ...line, isFirst: index === 0 })),
          );
          if (lines.length === 0) return <p class="empty">{WORDS.none}</p>;
          return (
            <>
              <Table
                name={WORDS.statements}
                columns={columns}
                rows={lines}
                keyOf={(line) => `${line.month} ${line.currency}`}
              />
              <div class="list-foot">
                <CsvButton
                  file="statements.csv"
                  columns={STATEMENT_COLUMNS}
                  cells={statementCells}
                  read={async () => ({ rows: lines, next: undefined })}
                  whenCut=""
                />
              </div>
              {month !== undefined && <MonthEntries key={month} month={month} onClose={close} />}
            </>
          );
        }}
      </WhenReady>
    </Card>
  );
}
