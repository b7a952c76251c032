import { number, text } from '../../kit/columns.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { formatMoney, formatNumber, formatUtcDate } from '../../kit/format.ts';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import { Table } from '../../kit/table.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/earnings.ts';
import * as HOME from '../../words/portal/home.ts';
import * as REFERRALS from '../../words/portal/referrals.ts';
import { useCustomers } from './customers.tsx';
import { type Entry, type Part, readParts } from './ledger.ts';

/** A payout, or the next one. */
export interface OpenPayout {
  /** `undefined` for the next payout. */
  readonly entry?: Entry;
  readonly amount: number;
  readonly currency: string;
}

interface PayoutDialogProps {
  readonly payout: OpenPayout;
  readonly holdDays: number;
  readonly onClose: () => void;
}

/** Which customers earned a payout? */
export function PayoutDialog({ payout: { entry, amount, currency }, holdDays, onClose }: PayoutDialogProps) {
  const [loaded] = useLoaded((signal) => readParts(entry, currency, holdDays, signal), []);
  const ids = (readyOf(loaded)?.value ?? []).flatMap(({ id }) => id ?? []);
  const customerOf = useCustomers(ids);
  const columns = [
    text<Part>(REFERRALS.customer, ({ id }) => (id === null ? COMMON.kinds.adjustment : customerOf(id)), 'name'),
    number<Part>(REFERRALS.payments, ({ payments }) => formatNumber(payments)),
    number<Part>(WORDS.earned, ({ earned }) => formatMoney(earned, currency), 'key'),
  ];
  const title = entry ? WORDS.payoutOf(formatUtcDate(entry.attributes.created_at)) : HOME.nextPayout;
  return (
    <Dialog title={title} onClose={onClose}>
      <WhenReady loaded={loaded} skeleton={<Skeleton lines={4} height={2.5} />}>
        {(parts) => {
          const rest = parts.reduce((left, { earned }) => left - earned, amount);
          return (
            <>
              <Table
                name={WORDS.customers}
                columns={columns}
                rows={parts}
                keyOf={({ id }) => id ?? ''}
                empty={WORDS.noEntries}
              />
              {rest !== 0 && <p class="soft">{WORDS.carriedOver(formatMoney(rest, currency))}</p>}
            </>
          );
        }}
      </WhenReady>
    </Dialog>
  );
}
