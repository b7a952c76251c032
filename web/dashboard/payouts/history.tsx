import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { type Column, number, text } from '../../kit/columns.ts';
import { formatDate, formatMoney, formatNumber } from '../../kit/format.ts';
import { type Loaded, readyOf, useLoaded } from '../../kit/loaded.ts';
import { Menu } from '../../kit/menu.tsx';
import { Table } from '../../kit/table.tsx';
import { tried } from '../../kit/toast.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { api } from '../service.ts';
import { formatsOf, useDownloads } from './files.tsx';
import type { Run } from './run.ts';

/** A run, as far as the pages show it that were read. */
interface RunRow extends Run {
  readonly settlements: number;
  readonly amount: number;
  readonly last_at: number;
  /** True if the next page may have more of it. */
  readonly isCut: boolean;
}

interface Runs {
  readonly loaded: Loaded<{ readonly rows: readonly RunRow[]; readonly hasMore: boolean }>;
  /** The names that are taken, among the runs that were read. */
  readonly names: readonly string[];
  readonly showMore: () => void;
}

const keyOf = ({ run, currency }: Run) => `${run}:${currency}`;

/** Reads the runs, the newest first. A run that goes on over the end of a page is added up. */
export function useRuns(): Runs {
  const [count, setCount] = useState(1);
  const [loaded] = useLoaded(
    async (signal) => {
      const rows = new Map<string, RunRow>();
      let cursor: string | undefined;
      let last = '';
      for (let page = 0; page < count && (page === 0 || cursor !== undefined); page += 1) {
        const { body, next } = await api.send('get', '/v2/payout-runs', { query: { cursor }, signal });
        for (const { attributes } of body.data) {
          last = keyOf(attributes);
          const before = rows.get(last);
          rows.set(last, {
            ...attributes,
            settlements: attributes.settlements + (before?.settlements ?? 0),
            amount: attributes.amount + (before?.amount ?? 0),
            last_at: Math.max(attributes.last_at, before?.last_at ?? 0),
            isCut: false,
          });
        }
        cursor = next;
      }
      const hasMore = cursor !== undefined;
      const row = rows.get(last);
      if (row) rows.set(last, { ...row, isCut: hasMore });
      return { rows: [...rows.values()], hasMore };
    },
    [count],
    [],
  );
  const names = readyOf(loaded)?.value.rows.map(({ run }) => run) ?? [];
  return { loaded, names, showMore: () => setCount(count + 1) };
}

interface HistoryProps {
  readonly runs: Runs;
  readonly mayPay: boolean;
}

/** The runs with their files. */
export function History({ runs: { loaded, showMore }, mayPay }: HistoryProps) {
  const downloads = useDownloads((download) => void tried(download));
  const files: Column<RunRow> = text(
    PAYOUTS.files,
    (row) => (
      <Menu
        label={PAYOUTS.files}
        name={PAYOUTS.filesOf(row.run)}
        kind="link"
        items={formatsOf(row.currency).map((format) => ({
          label: PAYOUTS.DOWNLOADS[format],
          onSelect: () => downloads.start(row, format),
        }))}
      />
    ),
    'below',
  );
  return (
    <Card title={PAYOUTS.history}>
      <WhenReady loaded={loaded} skeleton={<Skeleton lines={3} height={2.5} />}>
        {({ rows, hasMore }) => (
          <>
            <Table
              name={PAYOUTS.history}
              columns={mayPay ? [...COLUMNS, files] : COLUMNS}
              rows={rows}
              keyOf={keyOf}
              empty={PAYOUTS.noRuns}
            />
            {hasMore && <Button label={PAYOUTS.showMore} onClick={showMore} />}
          </>
        )}
      </WhenReady>
      {downloads.dialog}
    </Card>
  );
}

const orMore = (text: string, { isCut }: RunRow) => (isCut ? PAYOUTS.atLeast(text) : text);

const COLUMNS: readonly Column<RunRow>[] = [
  text(PAYOUTS.run, ({ run }) => <bdi>{run}</bdi>, 'name'),
  text(COMMON.date, ({ last_at }) => formatDate(last_at), 'below'),
  number(PAYOUTS.advocates, (row) => orMore(formatNumber(row.settlements), row)),
  number(COMMON.amount, (row) => orMore(formatMoney(row.amount, row.currency), row), 'key'),
];
