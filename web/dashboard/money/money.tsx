import { useState } from 'preact/hooks';
import { STATEMENT_COLUMNS } from '../../../functions/ledger/rules/statement-file.ts';
import { Button, Card, SelectField } from '../../kit/controls.tsx';

import { CsvButton } from '../../kit/csv-button.tsx';
import { formatKey, formatMoney, monthsBack } from '../../kit/format.ts';
import { type StatementLine as Line, statementCells } from '../../kit/statement-file.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, numberColumn, Pager, Table, usePages } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { MONEY } from '../../words/dashboard.ts';
import { useActions } from '../form-dialog.tsx';
import { hrefOf, useDashboard } from '../router.ts';
import { Adjust, canBeSettled, keyOf, readStatements, Settle, SettlePage, SUMS } from './settle.tsx';

type Open =
  | { readonly kind: 'settle' | 'adjust'; readonly line: Line }
  | { readonly kind: 'page'; readonly lines: readonly Line[] };

/** The months of the combobox: this one and the 23 before. */
const MONTHS = 24;

export function Money() {
  const { api, can, filters, navigate, token } = useDashboard();
  const months = Array.from({ length: MONTHS }, (_, back) => monthsBack(Date.now(), back));
  const [newest = ''] = months;
  const month = months.find((each) => each === filters['month']) ?? newest;
  const [open, setOpen] = useState<Open>();
  const { finish, report } = useActions();
  const pages = usePages((cursor, signal) => readStatements(api, month, cursor, signal), [month]);
  // What was sent without a response may be recorded, so the amounts are read again however the dialog closes.
  const close = () => {
    setOpen(undefined);
    pages.reload();
  };
  const recorded = (sentence: string) => {
    close();
    finish(sentence);
  };
  const mayPay = can('payouts');
  const picker = (
    <SelectField
      label={COMMON.month}
      isInline
      value={month}
      options={months.map((each) => [each, formatKey(each, 'long')] as const)}
      onChange={(chosen) => navigate('money', { month: chosen })}
    />
  );
  return (
    <Card title={COMMON.statements} advice={MONEY.advice} beside={picker}>
      {token && !mayPay && <p class="soft">{MONEY.readOnly}</p>}
      <WhenReady loaded={pages.list} onRetry={pages.reload} skeleton={<Skeleton lines={6} height={2} />}>
        {({ rows, next }) => {
          const payable = rows.filter(canBeSettled);
          return (
            <>
              {rows.length > 0 ? (
                <Table
                  name={COMMON.statements}
                  columns={columnsOf(mayPay ? setOpen : undefined)}
                  rows={rows}
                  keyOf={keyOf}
                />
              ) : (
                <Empty isLast={pages.page === 1 && next === undefined} />
              )}
              <div class="list-foot">
                <Pager pages={pages} next={next} />
                {mayPay && payable.length > 0 && (
                  <Button label={MONEY.settlePage} onClick={() => setOpen({ kind: 'page', lines: payable })} />
                )}
                {(rows.length > 0 || next !== undefined) && (
                  <CsvButton
                    key={month}
                    file={`statements-${month}.csv`}
                    columns={STATEMENT_COLUMNS}
                    cells={statementCells}
                    read={(cursor, signal) => readStatements(api, month, cursor, signal)}
                    whenCut={MONEY.cut}
                  />
                )}
              </div>
            </>
          );
        }}
      </WhenReady>
      {report}
      {open?.kind === 'settle' && (
        <Settle
          line={open.line}
          onClose={close}
          onSettled={() => recorded(MONEY.settledOne(open.line.affiliate_slug))}
        />
      )}
      {open?.kind === 'adjust' && (
        <Adjust
          slug={open.line.affiliate_slug}
          currency={open.line.currency}
          onClose={close}
          onAdjusted={() => recorded(MONEY.adjusted(open.line.affiliate_slug))}
        />
      )}
      {open?.kind === 'page' && <SettlePage lines={open.lines} onClose={close} />}
    </Card>
  );
}

function columnsOf(onOpen: ((open: Open) => void) | undefined): Column<Line>[] {
  const columns: Column<Line>[] = [
    {
      name: COMMON.advocate,
      cell: ({ affiliate_slug }) => (
        <a href={hrefOf('referrals', { advocate: affiliate_slug })}>
          <bdi>{affiliate_slug}</bdi>
        </a>
      ),
    },
    ...SUMS.map((name) => numberColumn(MONEY[name], (line: Line) => formatMoney(line[name], line.currency))),
  ];
  if (!onOpen) return columns;
  const cell = (line: Line) => (
    <div class="buttons row">
      {canBeSettled(line) && <Button label={MONEY.settle} onClick={() => onOpen({ kind: 'settle', line })} />}
      <Button label={MONEY.adjust} kind="quiet" onClick={() => onOpen({ kind: 'adjust', line })} />
    </div>
  );
  return [...columns, { name: COMMON.actions, cell }];
}

function Empty({ isLast }: { readonly isLast: boolean }) {
  if (!isLast) return <p class="empty">{MONEY.emptyPage}</p>;
  return (
    <p class="empty">
      {MONEY.empty} {MONEY.emptyStripe} <a href={hrefOf('developers')}>{MONEY.emptyLink}</a> {MONEY.emptyServer}
    </p>
  );
}
