import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { STATEMENT_COLUMNS } from '../../functions/domain/ledger/statement-file.ts';
import { CsvButton } from '../kit/csv-button.tsx';
import { formatKey } from '../kit/format.ts';
import { formatMoney } from '../kit/money.ts';
import { linesOf, type StatementLine, statementCells } from '../kit/statement-file.ts';
import { Skeleton, WhenReady } from '../kit/status.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { COMMON } from '../words/common.ts';
import { PORTAL } from '../words/portal.ts';
import { Entries } from './entries.tsx';
import type { LoadedStatements } from './statement-list.ts';

/** One currency of a month. */
type Line = StatementLine & { readonly isFirst: boolean };

const SUMS = ['opening', 'commissions', 'adjustments', 'settlements', 'closing'] as const;

/** The statements of the last 12 months. A month opens its entries. */
export function Statements({ statements: [loaded, reload] }: { readonly statements: LoadedStatements }) {
  const id = useId();
  const [month, setMonth] = useState<string>();
  const opener = useRef<HTMLElement>(null);
  const close = () => {
    opener.current?.focus();
    setMonth(undefined);
  };
  const columns: Column<Line>[] = [
    {
      name: PORTAL.month,
      // One button for all currencies of the month.
      cell: (line) =>
        !line.isFirst ? (
          formatKey(line.month, 'long')
        ) : (
          <button
            type="button"
            class="link"
            aria-expanded={line.month === month}
            onClick={({ currentTarget }) => {
              opener.current = currentTarget;
              setMonth(line.month === month ? undefined : line.month);
            }}
          >
            {formatKey(line.month, 'long')}
          </button>
        ),
    },
    ...SUMS.map((name) => ({
      name: PORTAL[name],
      cell: (line: Line) => formatMoney(line[name], line.currency),
      isNumber: true,
    })),
  ];
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{PORTAL.statements}</h2>
        <p class="soft">{PORTAL.statementsAdvice}</p>
      </div>
      <WhenReady loaded={loaded} onRetry={reload} skeleton={<Skeleton lines={3} height={1.75} />}>
        {(statements) => {
          const lines = statements.flatMap((statement) =>
            linesOf(statement).map((line, index) => ({ ...line, isFirst: index === 0 })),
          );
          if (lines.length === 0) return <p class="empty">{PORTAL.noStatements}</p>;
          return (
            <>
              <Table
                name={PORTAL.statements}
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
              {month !== undefined && <Month key={month} month={month} onClose={close} />}
            </>
          );
        }}
      </WhenReady>
    </section>
  );
}

/** The entries of a month, below the table: a dialog would be out of sight in a tall frame. */
function Month({ month, onClose }: { readonly month: string; readonly onClose: () => void }) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const title = PORTAL.entriesOf(formatKey(month, 'long'));
  return (
    <section class="month" aria-labelledby={id}>
      <div class="card-head">
        <h3 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h3>
        <button type="button" class="quiet" onClick={onClose}>
          {COMMON.close}
        </button>
      </div>
      <Entries month={month} title={title} />
    </section>
  );
}
