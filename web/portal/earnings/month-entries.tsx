import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from '../../kit/controls.tsx';
import { boundsOfMonth, formatKey } from '../../kit/format.ts';
import { readyOf, Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { type Column, Pager, Table, usePages } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/earnings.ts';
import * as REFERRALS from '../../words/portal/referrals.ts';
import { api } from '../service.ts';
import { customersOf } from './customers.ts';
import { DATE, EARNED, type Entry, KIND, PAYMENT } from './entry-columns.tsx';

interface MonthProps {
  readonly month: string;
  readonly onClose: () => void;
}

/** The entries of a month, below the table: a dialog would be out of sight in a tall frame. */
export function MonthEntries({ month, onClose }: MonthProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="month" aria-labelledby={id}>
      <div class="card-head">
        <h3 id={id} ref={heading} tabIndex={-1}>
          {WORDS.entriesOf(formatKey(month, 'long'))}
        </h3>
        <Button label={COMMON.close} kind="quiet" onClick={onClose} />
      </div>
      <Entries month={month} />
    </section>
  );
}

function Entries({ month }: { readonly month: string }) {
  const pages = usePages(
    async (cursor, signal) => {
      const { after, before } = boundsOfMonth(month);
      const query = { created_at_gt: after, created_at_lt: before, per_page: 25, cursor };
      const { body, next } = await api.send('get', '/v2/affiliate/ledger', { query, signal });
      return { rows: body.data, next };
    },
    [month],
  );
  const ids = (readyOf(pages.list)?.value.rows ?? []).flatMap(({ attributes }) => attributes.referral_id ?? []);
  const [loaded] = useLoaded((signal) => customersOf(ids, signal), [ids], []);
  const customers = readyOf(loaded)?.value;
  const customer: Column<Entry> = {
    id: 'customer',
    name: REFERRALS.customer,
    cell: ({ attributes: { kind, referral_id: id } }) =>
      id === null ? WORDS.kinds[kind] : (customers?.get(id) ?? REFERRALS.noEmail),
    onPhone: 'name',
  };
  return (
    <WhenReady loaded={pages.list} skeleton={<Skeleton lines={4} height={2.5} />}>
      {({ rows, next }) => (
        <>
          <Table
            name={WORDS.entries}
            columns={[DATE, customer, KIND, PAYMENT, EARNED]}
            rows={rows}
            keyOf={({ id }) => id}
            empty={<p class="empty">{WORDS.noEntries}</p>}
          />
          <Pager pages={pages} next={next} />
        </>
      )}
    </WhenReady>
  );
}
