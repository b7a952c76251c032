import type { Schemas } from '../../kit/api.ts';
import { formatDate, formatMoney } from '../../kit/format.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, Pager, Table, usePages } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { hrefOf, useDashboard } from '../router.ts';

/** What an advocate earned and was paid, newest first. */
export function Entries({ slug }: { readonly slug: string }) {
  const { api } = useDashboard();
  const pages = usePages(
    async (cursor, signal) => {
      const query = { affiliate_slug: slug, cursor };
      const { body, next } = await api.send('get', '/v2/ledger', { query, signal });
      return { rows: body.data, next };
    },
    [slug],
  );
  return (
    <WhenReady loaded={pages.list} skeleton={<Skeleton lines={5} height={3} />}>
      {({ rows, next }) => (
        <>
          <Table
            name={ADVOCATES.entries}
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            empty={<p class="empty">{ADVOCATES.noEntries}</p>}
          />
          <Pager pages={pages} next={next} />
        </>
      )}
    </WhenReady>
  );
}

const COLUMNS: readonly Column<Schemas['Entry']>[] = [
  {
    ...{ id: 'kind', name: ADVOCATES.what, onPhone: 'name' },
    cell: ({ attributes: { kind, referral_id } }) =>
      referral_id === null ? (
        REFERRALS.KINDS[kind]
      ) : (
        <a href={hrefOf('referrals', referral_id)}>{REFERRALS.KINDS[kind]}</a>
      ),
  },
  {
    ...{ id: 'date', name: COMMON.date, onPhone: 'below' },
    cell: ({ attributes: { occurred_at } }) => formatDate(occurred_at),
  },
  {
    ...{ id: 'note', name: COMMON.note, onPhone: 'below' },
    cell: ({ attributes: { kind, note, reference } }) => (
      <bdi>
        {[kind === 'payment' && note !== null ? (REFERRALS.NOTES[note] ?? note) : note, reference]
          .filter(Boolean)
          .join(' · ')}
      </bdi>
    ),
  },
  {
    ...{ id: 'amount', name: COMMON.amount, isNumber: true },
    cell: ({ attributes: { amount, currency } }) => (amount === null ? '–' : formatMoney(amount, currency)),
  },
  {
    ...{ id: 'commission', name: REFERRALS.commission, isNumber: true, onPhone: 'key' },
    cell: ({ attributes: { commission, currency } }) => formatMoney(commission, currency),
  },
];
