import { useState } from 'preact/hooks';
import { STATEMENT_COLUMNS } from '../../../functions/ledger/rules/statement-file.ts';
import type { Schemas } from '../../kit/api.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { number, text } from '../../kit/columns.ts';
import { CsvButton } from '../../kit/csv-button.tsx';
import { formatKey, formatMoney } from '../../kit/format.ts';
import type { Loaded } from '../../kit/loaded.ts';
import { linesOf, type StatementLine, statementCells } from '../../kit/statement-file.ts';
import { Table } from '../../kit/table.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/earnings.ts';
import { MonthDialog } from './month-dialog.tsx';

/** One currency of a month. */
type Line = StatementLine & { readonly isFirst: boolean };

const sumOf = (name: 'opening' | 'commissions' | 'adjustments' | 'settlements' | 'closing') => (line: Line) =>
  formatMoney(line[name], line.currency);

/** The statements of the last 12 months. A month opens its entries. */
export function Statements({ loaded }: { readonly loaded: Loaded<readonly Schemas['Statement'][]> }) {
  const [month, setMonth] = useState<string>();
  const open = (line: Line) => setMonth(line.month);
  /** One button for all currencies of the month. */
  const nameOf = (line: Line) => {
    const name = formatKey(line.month, 'long');
    return line.isFirst ? <Button label={name} kind="link" onClick={() => open(line)} /> : name;
  };
  const columns = [
    text(COMMON.month, nameOf, 'name'),
    number(WORDS.opening, sumOf('opening')),
    number(COMMON.measures.commissions, sumOf('commissions'), 'key'),
    number(WORDS.adjustments, sumOf('adjustments')),
    number(WORDS.settlements, sumOf('settlements')),
    number(WORDS.closing, sumOf('closing')),
  ];
  return (
    <Card title={COMMON.statements} advice={WORDS.advice}>
      <WhenReady loaded={loaded} skeleton={<Skeleton lines={4} height={2.5} />}>
        {(statements) => {
          const lines = statements.flatMap((statement) =>
            linesOf(statement).map((line, index) => ({ ...line, isFirst: index === 0 })),
          );
          if (lines.length === 0) return <p class="empty">{WORDS.none}</p>;
          return (
            <>
              <Table
                name={COMMON.statements}
                columns={columns}
                rows={lines}
                keyOf={(line) => `${line.month} ${line.currency}`}
                onOpen={open}
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
            </>
          );
        }}
      </WhenReady>
      {month !== undefined && <MonthDialog month={month} onClose={() => setMonth(undefined)} />}
    </Card>
  );
}
