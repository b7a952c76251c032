import { useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { Button, TextField } from '../../kit/controls.tsx';
import { formatMoney, formatNumber, formatPercentage, formatUtcDate } from '../../kit/format.ts';
import { type Loaded, readyOf, Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { type Column, Pager, Table, usePages } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { Fields, FormDialog, useOnceWritten } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { Concerned, finish } from './change-dialogs.tsx';
import type { ReferralDetails } from './columns.tsx';

type Entry = Schemas['Entry'];

interface EntriesProps {
  readonly id: string;
  readonly loaded: Loaded<ReferralDetails>;
}

/** All entries of the ledger for the referral, also of earlier advocates, the newest first. */
export function Entries({ id, loaded }: EntriesProps) {
  const { api, can } = useDashboard();
  const [withdrawn, setWithdrawn] = useState<Entry>();
  const pages = usePages(
    async (cursor, signal) => {
      const query = { referral_id_eq: id, cursor };
      const { body, next } = await api.send('get', '/v2/ledger', { query, signal });
      return { rows: body.data, next };
    },
    [id],
  );
  const referral = readyOf(loaded)?.value;
  return (
    <section>
      <h3>{REFERRALS.entries}</h3>
      <WhenReady loaded={pages.list} skeleton={<Skeleton lines={2} height={3} />}>
        {({ rows, next }) => (
          <>
            <Table
              name={REFERRALS.entries}
              columns={[
                ...columnsOf(referral?.attributes.affiliate_slug),
                ...(can('payouts') && rows.some((row) => canBeWithdrawn(row, rows))
                  ? [actionOf(rows, setWithdrawn)]
                  : []),
              ]}
              rows={rows}
              keyOf={(row) => row.id}
              empty={<p class="empty">{REFERRALS.noEntries}</p>}
            />
            <Pager pages={pages} next={next} />
          </>
        )}
      </WhenReady>
      {withdrawn && referral && (
        <Withdraw entry={withdrawn} referral={referral} onClose={() => setWithdrawn(undefined)} />
      )}
    </section>
  );
}

const columnsOf = (present: string | undefined): readonly Column<Entry>[] => [
  {
    id: 'entry',
    name: REFERRALS.entry,
    onPhone: 'name',
    cell: ({ attributes }) => (
      <>
        {REFERRALS.KINDS[attributes.kind]}
        {reasonsOf(attributes, present).map((reason) => (
          <bdi key={reason} class="person-line">
            {reason}
          </bdi>
        ))}
      </>
    ),
  },
  {
    id: 'date',
    name: COMMON.date,
    onPhone: 'below',
    cell: ({ attributes: { occurred_at } }) => formatUtcDate(occurred_at),
  },
  {
    id: 'amount',
    name: COMMON.amount,
    isNumber: true,
    cell: ({ attributes: { amount, currency } }) => (amount === null ? '–' : formatMoney(amount, currency)),
  },
  {
    id: 'commission',
    name: REFERRALS.commission,
    isNumber: true,
    onPhone: 'key',
    cell: ({ attributes: { commission, currency } }) => formatMoney(commission, currency),
  },
];

/** What explains an entry: its ids, its advocate if it is not the present one, its rule or rate, and its note. */
function reasonsOf(entry: Entry['attributes'], present: string | undefined): string[] {
  const { kind, payment_id, refund_id, affiliate_slug, rule, paying_seen, commission_percentage: rate, note } = entry;
  const terms = [
    ...(rule === null ? [] : [REFERRALS.rule(rule)]),
    ...(paying_seen === null ? [] : [REFERRALS.payingSeen(formatNumber(paying_seen))]),
    ...(rule === null && rate !== null ? [formatPercentage(rate)] : []),
    ...(present === undefined || affiliate_slug === present ? [] : [REFERRALS.forAdvocate(affiliate_slug)]),
  ];
  return [
    refund_id ?? payment_id ?? '',
    terms.join(' · '),
    note === null ? '' : (kind === 'payment' && REFERRALS.NOTES[note]) || note,
  ].filter(Boolean);
}

/** True for a payment whose commission nobody has withdrawn, as far as the page of entries shows it. */
function canBeWithdrawn({ attributes }: Entry, rows: readonly Entry[]): boolean {
  const { kind, payment_id, commission } = attributes;
  if (kind !== 'payment' || payment_id === null || commission === 0) return false;
  return !rows.some((row) => row.attributes.kind === 'void' && row.attributes.payment_id === payment_id);
}

const actionOf = (rows: readonly Entry[], onWithdraw: (entry: Entry) => void): Column<Entry> => ({
  id: 'action',
  name: COMMON.actions,
  onPhone: 'below',
  cell: (row) =>
    canBeWithdrawn(row, rows) && (
      <Button label={REFERRALS.withdraw} kind="link danger" onClick={() => onWithdraw(row)} />
    ),
});

interface WithdrawProps {
  readonly entry: Entry;
  readonly referral: ReferralDetails;
  readonly onClose: () => void;
}

/** The most entries of a page: more than a payment has refunds. */
const MAX_ENTRIES = 50;

/** Takes back what is left of the commission of a payment. */
function Withdraw({ entry: { attributes }, referral, onClose }: WithdrawProps) {
  const { api } = useDashboard();
  const [note, setNote] = useState('');
  const { payment_id, affiliate_slug, commission, currency } = attributes;
  // Refunds may have taken back a part, also on pages of the list that are not shown.
  const [left] = useLoaded(
    async (signal) => {
      const query = { payment_id_eq: payment_id ?? '', per_page: MAX_ENTRIES };
      const { body } = await api.send('get', '/v2/ledger', { query, signal });
      return body.data.reduce((sum, entry) => sum + entry.attributes.commission, 0);
    },
    [payment_id],
  );
  const known = readyOf(left);
  const sums = [formatMoney(commission, currency), known ? formatMoney(known.value, currency) : COMMON.unknown];
  const withdrawal = useOnceWritten((body: { payment_id: string; note: string }) =>
    api.send('post', '/v2/payments/void', { body, isRepeatable: true }),
  );
  async function save(): Promise<void> {
    await withdrawal.write({ payment_id: payment_id ?? '', note: note.trim() });
    finish(onClose, REFERRALS.withdrawn);
  }
  return (
    <FormDialog title={REFERRALS.withdraw} save={REFERRALS.withdraw} isDanger onClose={onClose} onSave={save}>
      <Concerned {...referral} />
      <p>
        <bdi>{REFERRALS.withdrawAdvice(affiliate_slug, sums.join(': '))}</bdi>
      </p>
      <Fields isLocked={withdrawal.isUnanswered}>
        <TextField label={COMMON.note} hint={REFERRALS.withdrawHint} isRequired value={note} onInput={setNote} />
      </Fields>
      {withdrawal.isUnanswered && <p class="soft">{REFERRALS.unanswered}</p>}
    </FormDialog>
  );
}
