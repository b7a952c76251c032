import { text } from '../../kit/columns.ts';
import { lastOfMonth } from '../../kit/days.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { formatKey } from '../../kit/format.ts';
import { List } from '../../kit/list.tsx';
import { usePages } from '../../kit/pages.ts';
import { boundsOf } from '../../kit/period.ts';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/earnings.ts';
import * as REFERRALS from '../../words/portal/referrals.ts';
import { useCustomers } from './customers.tsx';
import { dateOf, ENTRY_COLUMNS } from './entry-columns.tsx';
import { type Entry, readEntries } from './ledger.ts';

interface MonthProps {
  readonly month: string;
  readonly onClose: () => void;
}

/** The entries of a month, each with its customer. */
export function MonthDialog({ month, onClose }: MonthProps) {
  const from = `${month}-01`;
  const { after, before } = boundsOf({ range: 'custom', from, to: lastOfMonth(from) });
  const pages = usePages(
    (cursor, signal) => readEntries({ created_at_gt: after, created_at_lt: before, cursor }, signal),
    [],
  );
  const rows = pages.rows;
  const customerOf = useCustomers(rows.flatMap(({ attributes }) => attributes.referral_id ?? []));
  const customer = ({ attributes: { kind, referral_id: id } }: Entry) =>
    id === null ? COMMON.kinds[kind] : customerOf(id);
  return (
    <Dialog title={WORDS.entriesOf(formatKey(month, 'long'))} onClose={onClose}>
      <List
        lines={4}
        height={2.5}
        name={WORDS.entries}
        pages={pages}
        columns={[text(COMMON.date, dateOf, 'below'), text(REFERRALS.customer, customer, 'name'), ...ENTRY_COLUMNS]}
        empty={WORDS.noEntries}
      />
    </Dialog>
  );
}
