import { Dialog } from '../../kit/controls.tsx';
import { boundsOfMonth, formatKey } from '../../kit/format.ts';
import { readyOf } from '../../kit/status.tsx';
import { usePages } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/earnings.ts';
import * as REFERRALS from '../../words/portal/referrals.ts';
import { text } from '../columns.ts';
import { List } from '../list.tsx';
import { useCustomers } from './customers.tsx';
import { dateOf, ENTRY_COLUMNS } from './entry-columns.tsx';
import { type Entry, readEntries } from './ledger.ts';

interface MonthProps {
  readonly month: string;
  readonly onClose: () => void;
}

/** The entries of a month, each with its customer. */
export function MonthDialog({ month, onClose }: MonthProps) {
  const { after, before } = boundsOfMonth(month);
  const pages = usePages(
    (cursor, signal) => readEntries({ created_at_gt: after, created_at_lt: before, cursor }, signal),
    [],
  );
  const rows = readyOf(pages.list)?.value.rows ?? [];
  const customerOf = useCustomers(rows.flatMap(({ attributes }) => attributes.referral_id ?? []));
  const customer = ({ attributes: { kind, referral_id: id } }: Entry) =>
    id === null ? WORDS.kinds[kind] : customerOf(id);
  return (
    <Dialog title={WORDS.entriesOf(formatKey(month, 'long'))} onClose={onClose}>
      <List
        name={WORDS.entries}
        pages={pages}
        columns={[text(COMMON.date, dateOf, 'below'), text(REFERRALS.customer, customer, 'name'), ...ENTRY_COLUMNS]}
        empty={WORDS.noEntries}
      />
    </Dialog>
  );
}
