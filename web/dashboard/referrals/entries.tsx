import { useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { Button } from '../../kit/button.tsx';
import { type Column, number, text } from '../../kit/columns.ts';
import { amountOf, commissionOf, noteOf } from '../../kit/entries.ts';
import { TextField } from '../../kit/fields.tsx';
import { formatMoney, formatNumber, formatPercentage, formatUtcDate } from '../../kit/format.ts';
import { List } from '../../kit/list.tsx';
import { type Loaded, readyOf, useLoaded } from '../../kit/loaded.ts';
import { pageOf, usePages } from '../../kit/pages.ts';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { Confirm, Fields, useOnceWritten } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { api } from '../service.ts';
import { Concerned, finish } from './change-dialogs.tsx';
import type { ReferralDetails } from './columns.tsx';

type Entry = Schemas['Entry'];

interface EntriesProps {
  readonly id: string;
  readonly loaded: Loaded<ReferralDetails>;
}

/** All entries of the ledger for the referral, also of earlier advocates, the newest first. */
export function Entries({ id, loaded }: EntriesProps) {
  const { can } = useDashboard();
  const [withdrawn, setWithdrawn] = useState<Entry>();
  const pages = usePages(
    (cursor, signal) => pageOf(api.send('get', '/v2/ledger', { query: { referral_id_eq: id, cursor }, signal })),
    [id],
  );
  const { rows } = pages;
  const referral = readyOf(loaded)?.value;
  return (
    <section>
      <h3>{REFERRALS.entries}</h3>
      <List
        name={REFERRALS.entries}
        pages={pages}
        lines={2}
        columns={[
          ...columnsOf(referral?.attributes.affiliate_slug),
          ...(can('payouts') && rows.some((row) => canBeWithdrawn(row, rows)) ? [actionOf(rows, setWithdrawn)] : []),
        ]}
        empty={REFERRALS.noEntries}
      />
      {withdrawn && referral && (
        <Withdraw entry={withdrawn} referral={referral} onClose={() => setWithdrawn(undefined)} />
      )}
    </section>
  );
}

const columnsOf = (present: string | undefined): readonly Column<Entry>[] => [
  text(
    REFERRALS.entry,
    (entry) => (
      <>
        {COMMON.kinds[entry.attributes.kind]}
        {reasonsOf(entry, present).map((reason) => (
          <bdi key={reason} class="person-line">
            {reason}
          </bdi>
        ))}
      </>
    ),
    'name',
  ),
  text(COMMON.date, ({ attributes: { occurred_at } }) => formatUtcDate(occurred_at), 'below'),
  number(COMMON.amount, amountOf),
  number(REFERRALS.commission, commissionOf, 'key'),
];

/** What explains an entry: its ids, its advocate if it is not the present one, its rule or rate, and its note. */
function reasonsOf(entry: Entry, present: string | undefined): string[] {
  const { payment_id, refund_id, affiliate_slug, rule, paying_seen, commission_percentage: rate } = entry.attributes;
  const terms = [
    ...(rule === null ? [] : [REFERRALS.rule(rule)]),
    ...(paying_seen === null ? [] : [REFERRALS.payingSeen(formatNumber(paying_seen))]),
    ...(rule === null && rate !== null ? [formatPercentage(rate)] : []),
    ...(present === undefined || affiliate_slug === present ? [] : [REFERRALS.forAdvocate(affiliate_slug)]),
  ];
  return [refund_id ?? payment_id ?? '', terms.join(' · '), noteOf(entry) ?? ''].filter(Boolean);
}

/** True for a payment whose commission nobody has withdrawn, as far as the page of entries shows it. */
function canBeWithdrawn({ attributes }: Entry, rows: readonly Entry[]): boolean {
  const { kind, payment_id, commission } = attributes;
  if (kind !== 'payment' || payment_id === null || commission === 0) return false;
  return !rows.some((row) => row.attributes.kind === 'void' && row.attributes.payment_id === payment_id);
}

const actionOf = (rows: readonly Entry[], onWithdraw: (entry: Entry) => void): Column<Entry> =>
  text(
    COMMON.actions,
    (row) =>
      canBeWithdrawn(row, rows) && (
        <Button label={REFERRALS.withdraw} kind="link danger" onClick={() => onWithdraw(row)} />
      ),
    'below',
  );

interface WithdrawProps {
  readonly entry: Entry;
  readonly referral: ReferralDetails;
  readonly onClose: () => void;
}

/** The most entries of a page: more than a payment has refunds. */
const MAX_ENTRIES = 50;

/** Takes back what is left of the commission of a payment. */
function Withdraw({ entry: { attributes }, referral, onClose }: WithdrawProps) {
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
    <Confirm title={REFERRALS.withdraw} onClose={onClose} onConfirm={save}>
      <Concerned {...referral} />
      <p>
        <bdi>{REFERRALS.withdrawAdvice(affiliate_slug, sums.join(': '))}</bdi>
      </p>
      <Fields isLocked={withdrawal.isUnanswered}>
        <TextField label={COMMON.note} hint={REFERRALS.withdrawHint} isRequired value={note} onInput={setNote} />
      </Fields>
      {withdrawal.isUnanswered && <p class="soft">{REFERRALS.unanswered}</p>}
    </Confirm>
  );
}
