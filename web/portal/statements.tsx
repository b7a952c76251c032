import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { STATEMENT_COLUMNS } from '../../functions/ledger/rules/statement-file.ts';
import type { Schemas } from '../kit/api.ts';
import { Button, Card } from '../kit/controls.tsx';
import { CsvButton } from '../kit/csv-button.tsx';
import { boundsOfMonth, formatKey, formatMoney, formatUtcDate, monthsBack, noteOf } from '../kit/format.ts';
import { linesOf, type StatementLine, statementCells } from '../kit/statement-file.ts';
import { type Loaded, Skeleton, useLoaded, WhenReady } from '../kit/status.tsx';
import { type Column, numberColumn, Pager, Table, usePages } from '../kit/table.tsx';
import { COMMON } from '../words/common.ts';
import { PORTAL } from '../words/portal.ts';
import { api } from './service.ts';

/** One currency of a month. */
type Line = StatementLine & { readonly isFirst: boolean };

const SUMS = ['opening', 'commissions', 'adjustments', 'settlements', 'closing'] as const;

/** The statements of the last 12 months. A month opens its entries. */
export function Statements({ statements: [loaded, reload] }: { readonly statements: LoadedStatements }) {
  const [month, setMonth] = useState<string>();
  const opener = useRef<HTMLElement>(null);
  const close = () => {
    opener.current?.focus();
    setMonth(undefined);
  };
  const columns: Column<Line>[] = [
    {
      name: COMMON.month,
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
    },
    ...SUMS.map((name) => numberColumn(PORTAL[name], (line: Line) => formatMoney(line[name], line.currency))),
  ];
  return (
    <Card title={COMMON.statements} advice={PORTAL.statementsAdvice}>
      <WhenReady loaded={loaded} onRetry={reload} skeleton={<Skeleton lines={3} height={1.75} />}>
        {(statements) => {
          const lines = statements.flatMap((statement) =>
            linesOf(statement).map((line, index) => ({ ...line, isFirst: index === 0 })),
          );
          if (lines.length === 0) return <p class="empty">{PORTAL.noStatements}</p>;
          return (
            <>
              <Table
                name={COMMON.statements}
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
    </Card>
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
        <Button label={COMMON.close} kind="quiet" onClick={onClose} />
      </div>
      <Entries month={month} title={title} />
    </section>
  );
}

type Entry = Schemas['Entry'];

const COLUMNS: readonly Column<Entry>[] = [
  { name: COMMON.date, cell: ({ attributes: { created_at } }) => formatUtcDate(created_at) },
  { name: COMMON.kind, cell: ({ attributes: { kind } }) => PORTAL.kinds[kind] },
  {
    name: COMMON.note,
    cell: ({ attributes }) => <bdi>{noteOf(attributes) ?? attributes.reference ?? '–'}</bdi>,
  },
  numberColumn(COMMON.amount, ({ attributes: { amount, currency } }) =>
    amount === null ? '–' : formatMoney(amount, currency),
  ),
  numberColumn(PORTAL.commission, ({ attributes: { commission, currency } }) => formatMoney(commission, currency)),
];

function Entries({ month, title }: { readonly month: string; readonly title: string }) {
  const pages = usePages(
    async (cursor, signal) => {
      const { after, before } = boundsOfMonth(month);
      const query = { created_at_gt: after, created_at_lt: before, per_page: 25, cursor };
      const { body, next } = await api.send('get', '/v2/affiliate/ledger', { query, signal });
      return { rows: body.data, next };
    },
    [month],
  );
  return (
    <WhenReady loaded={pages.list} onRetry={pages.reload} skeleton={<Skeleton lines={4} height={1.75} />}>
      {({ rows, next }) =>
        rows.length === 0 && pages.page === 1 ? (
          <p class="empty">{PORTAL.noEntries}</p>
        ) : (
          <>
            <Table name={title} columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
            <Pager pages={pages} next={next} />
          </>
        )
      }
    </WhenReady>
  );
}

export type LoadedStatements = [loaded: Loaded<readonly Statement[]>, reload: () => void];

export function useStatements(): LoadedStatements {
  return useLoaded(async (signal) => {
    const now = Date.now();
    const query = { from: monthsBack(now, 11), to: monthsBack(now, 0) };
    const { data } = (await api.send('get', '/v2/affiliate/statements', { query, signal })).body;
    return Array.isArray(data) ? data : [data];
  }, []);
}

type Statement = Schemas['Statement'];
type Sums = Statement['attributes']['currencies'][number];

interface MoneyTotals {
  readonly currency: string;
  /** In this month, with adjustments. */
  readonly earned: number;
  readonly balance: number;
  readonly payable: number;
}

/** Sums up each currency that the statements name, by code. `statements` are newest first, beginning with this month. */
export function moneyTotals(statements: readonly Statement[]): MoneyTotals[] {
  const codes = statements.flatMap(({ attributes }) => attributes.currencies.map(({ currency }) => currency));
  const current = statements[0]?.attributes.currencies ?? [];
  return [...new Set(codes)].sort().map((currency) => {
    const sums: Sums | undefined = current.find((each) => each.currency === currency);
    // A month without entries in the currency has no sums if its opening and closing are 0.
    const { commissions = 0, adjustments = 0, closing = 0, payable = 0 } = sums ?? {};
    return { currency, earned: commissions + adjustments, balance: closing, payable };
  });
}
