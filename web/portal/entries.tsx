import type { Schemas } from '../kit/api-types.ts';
import { formatUtcDate } from '../kit/format.ts';
import { useLoaded } from '../kit/load.ts';
import { formatMoney } from '../kit/money.ts';
import { noteOf } from '../kit/note.ts';
import { boundsOfMonth } from '../kit/ranges.ts';
import { Skeleton, WhenReady } from '../kit/status.tsx';
import { type Column, Pager, Table, useCursors } from '../kit/table.tsx';
import { PORTAL } from '../words/portal.ts';
import { api } from './service.ts';

type Entry = Schemas['Entry'];

const COLUMNS: readonly Column<Entry>[] = [
  { name: PORTAL.date, cell: ({ attributes: { created_at } }) => formatUtcDate(created_at) },
  { name: PORTAL.kind, cell: ({ attributes: { kind } }) => PORTAL.kinds[kind] },
  {
    name: PORTAL.note,
    cell: ({ attributes }) => <bdi>{noteOf(attributes) ?? attributes.reference ?? '–'}</bdi>,
  },
  {
    name: PORTAL.amount,
    cell: ({ attributes: { amount, currency } }) => (amount === null ? '–' : formatMoney(amount, currency)),
    isNumber: true,
  },
  {
    name: PORTAL.commission,
    cell: ({ attributes: { commission, currency } }) => formatMoney(commission, currency),
    isNumber: true,
  },
];

/** The entries of a month, newest first. */
export function Entries({ month, title }: { readonly month: string; readonly title: string }) {
  const cursors = useCursors([month]);
  const [list, reload] = useLoaded(
    async (signal) => {
      const { after, before } = boundsOfMonth(month);
      const query = {
        created_at_gt: after,
        created_at_lt: before,
        per_page: 25,
        ...(cursors.cursor !== undefined && { cursor: cursors.cursor }),
      };
      const { body, next } = await api.send('get', '/v2/affiliate/ledger', { query, signal });
      return { rows: body.data, next };
    },
    [month, cursors.cursor],
    [month],
  );
  return (
    <WhenReady loaded={list} onRetry={reload} skeleton={<Skeleton lines={4} height={1.75} />}>
      {({ rows, next }) =>
        rows.length === 0 && cursors.page === 1 ? (
          <p class="empty">{PORTAL.noEntries}</p>
        ) : (
          <>
            <Table name={title} columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
            <Pager cursors={cursors} next={next} isReading={list.kind === 'ready' && list.isReloading} />
          </>
        )
      }
    </WhenReady>
  );
}
