import { Card } from '../../kit/controls.tsx';
import { formatMoney, formatUtcDate } from '../../kit/format.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, Pager, Table, type usePages } from '../../kit/table.tsx';
import * as WORDS from '../../words/portal/earnings.ts';
import { api } from '../service.ts';
import type { Entry } from './entry-columns.tsx';

const ROWS = 10;
/** The most requests for a page of the table. */
const REQUESTS = 10;

const COLUMNS: readonly Column<Entry>[] = [
  {
    id: 'date',
    name: WORDS.date,
    cell: ({ attributes: { created_at } }) => formatUtcDate(created_at),
    onPhone: 'name',
  },
  {
    id: 'reference',
    name: WORDS.reference,
    cell: ({ attributes: { reference } }) => <bdi>{reference}</bdi>,
    onPhone: 'below',
  },
  {
    id: 'amount',
    name: WORDS.amount,
    // A payout takes from the balance.
    cell: ({ attributes: { commission, currency } }) => formatMoney(-commission, currency),
    isNumber: true,
    onPhone: 'key',
  },
];

/** A page of the API has the payouts among some entries, often none, so a page of the table needs several. */
export async function readPayouts(cursor: string | undefined, signal: AbortSignal) {
  const rows: Entry[] = [];
  let next = cursor;
  for (let count = 0; count < REQUESTS && rows.length < ROWS && (count === 0 || next !== undefined); count += 1) {
    const query = { kind_eq: 'settlement', per_page: 50, cursor: next } as const;
    const reply = await api.send('get', '/v2/affiliate/ledger', { query, signal });
    rows.push(...reply.body.data);
    next = reply.next;
  }
  return { rows, next };
}

interface PayoutsProps {
  readonly pages: ReturnType<typeof usePages<Entry>>;
}

export function Payouts({ pages }: PayoutsProps) {
  return (
    <Card title={WORDS.payouts}>
      <WhenReady loaded={pages.list} skeleton={<Skeleton lines={3} height={2.5} />}>
        {({ rows, next }) => (
          <>
            <Table
              name={WORDS.payouts}
              columns={COLUMNS}
              rows={rows}
              keyOf={({ id }) => id}
              empty={<p class="empty">{WORDS.noPayouts}</p>}
            />
            <Pager pages={pages} next={next} />
          </>
        )}
      </WhenReady>
    </Card>
  );
}
