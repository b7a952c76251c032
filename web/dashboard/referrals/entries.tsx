import { useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { Button, SelectField, TextField } from '../../kit/controls.tsx';
import { formatMoney, formatNumber, formatUtcDate, noteOf } from '../../kit/format.ts';
import { refresh, Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, numberColumn, Pager, Table, usePages } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { Form } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import type { ReferralDetails } from './list.tsx';

type Entry = Schemas['Entry'];

const COLUMNS: readonly Column<Entry>[] = [
  { name: COMMON.date, cell: ({ attributes: { occurred_at } }) => formatUtcDate(occurred_at) },
  { name: COMMON.kind, cell: ({ attributes: { kind } }) => REFERRALS.kinds[kind] },
  {
    name: REFERRALS.paymentId,
    cell: ({ attributes }) => (
      <>
        <bdi>{attributes.payment_id}</bdi>
        {attributes.note !== null && (
          <p class="soft">
            <bdi>{noteOf(attributes)}</bdi>
          </p>
        )}
      </>
    ),
  },
  numberColumn(COMMON.amount, ({ attributes: { amount, currency } }) =>
    amount === null ? '–' : formatMoney(amount, currency),
  ),
  numberColumn(REFERRALS.commission, ({ attributes: { commission, currency } }) => formatMoney(commission, currency)),
];

interface EntriesProps {
  readonly referral: ReferralDetails;
  /** Opens the form for a payment; `undefined` if the token or the referral allows none. */
  readonly onPay: (() => void) | undefined;
}

/** The entries of the ledger for the referral. After a move, the earlier entries stay with the earlier advocate. */
export function Entries({ referral: { id, attributes }, onPay }: EntriesProps) {
  const earlier = attributes.history.flatMap((entry) => (entry.type === 'reassignment' ? [entry.from] : []));
  const others = new Set(earlier.filter((slug) => slug !== attributes.affiliate_slug));
  return (
    <section>
      <div class="card-head">
        <h3>{REFERRALS.entries}</h3>
        {onPay && <Button label={REFERRALS.recordPayment} onClick={onPay} />}
      </div>
      <EntryList id={id} slug={attributes.affiliate_slug} name={REFERRALS.entries} />
      {[...others].map((slug) => (
        <div key={slug}>
          <h4>
            <bdi>{REFERRALS.entriesOf(slug)}</bdi>
          </h4>
          <EntryList id={id} slug={slug} name={REFERRALS.entriesOf(slug)} />
        </div>
      ))}
    </section>
  );
}

/** The entries that one request looks at, and the most requests of a page: with its button, people read on. */
const PER_REQUEST = 50;
const MAX_REQUESTS = 20;

/** The list of the API filters pages of all entries of the advocate, so a page may need several of them. */
function EntryList({ id, slug, name }: { readonly id: string; readonly slug: string; readonly name: string }) {
  const { api, can } = useDashboard();
  const [looked, setLooked] = useState(0);
  const pages = usePages(
    async (cursor, signal) => {
      const rows: Entry[] = [];
      let next = cursor;
      for (let requests = 0; requests < MAX_REQUESTS && rows.length < PER_REQUEST; requests += 1) {
        setLooked(requests * PER_REQUEST);
        const query = { affiliate_slug: slug, referral_id_eq: id, per_page: PER_REQUEST, cursor: next };
        const reply = await api.send('get', '/v2/ledger', { query, signal });
        rows.push(...reply.body.data);
        next = reply.next;
        if (next === undefined) break;
      }
      return { rows, next };
    },
    [id, slug],
  );
  const { list, page } = pages;
  const isReading = list.kind === 'loading' || (list.kind === 'ready' && list.isReloading);
  return (
    <>
      <WhenReady loaded={list} onRetry={pages.reload} skeleton={<Skeleton lines={2} height={2} />}>
        {({ rows, next }) => {
          const payments = voidable(rows);
          return (
            <>
              <Table
                name={name}
                columns={COLUMNS}
                rows={rows}
                keyOf={(row) => row.id}
                empty={<p class="empty">{noneOf(page, next)}</p>}
              />
              <Pager pages={pages} next={next} />
              {can('payouts') && payments.length > 0 && <Void payments={payments} />}
            </>
          );
        }}
      </WhenReady>
      <p class="soft" role="status">
        {isReading && looked > 0 && REFERRALS.looking(formatNumber(looked))}
      </p>
    </>
  );
}

function noneOf(page: number, next: string | undefined): string {
  if (next !== undefined) return REFERRALS.noneOf(formatNumber(PER_REQUEST * MAX_REQUESTS));
  return page === 1 ? REFERRALS.noEntries : REFERRALS.noMore;
}

function voidable(rows: readonly Entry[]): string[] {
  const idsOf = (kind: Entry['attributes']['kind']) =>
    rows.flatMap(({ attributes }) =>
      attributes.kind === kind && attributes.payment_id ? [attributes.payment_id] : [],
    );
  const voided = new Set(idsOf('void'));
  return idsOf('payment').filter((id) => !voided.has(id));
}

function Void({ payments }: { readonly payments: readonly string[] }) {
  const { api } = useDashboard();
  const [chosen, setChosen] = useState<string>();
  const [note, setNote] = useState('');
  const payment = payments.find((id) => id === chosen) ?? payments[0] ?? '';
  async function send(): Promise<void> {
    await api.send('post', '/v2/payments/void', {
      body: { payment_id: payment, note: note.trim() },
      isRepeatable: true,
    });
    setNote('');
    refresh();
  }
  return (
    <div class="void">
      <h4>{REFERRALS.voidTitle}</h4>
      <Form onSave={send} save={REFERRALS.void} isDanger>
        {payments.length > 1 && (
          <SelectField label={REFERRALS.payment} value={payment} options={payments} onChange={setChosen} />
        )}
        <TextField label={COMMON.note} hint={REFERRALS.voidHint} isRequired value={note} onInput={setNote} />
      </Form>
    </div>
  );
}
