import { useId } from 'preact/hooks';
import { Dialog } from '../../kit/controls.tsx';
import { formatDateAndTime } from '../../kit/format.ts';
import { readyOf, Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { Explanation } from '../explanation.tsx';
import { useDashboard } from '../router.ts';
import type { ReferralDetails } from './columns.tsx';
import { Details } from './details.tsx';
import { Entries } from './entries.tsx';

type HistoryEntry = ReferralDetails['attributes']['history'][number];

/** One referral beside the list. Its parts are read at the same time. */
export function Drawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { api } = useDashboard();
  const why = useId();
  const [loaded] = useLoaded(
    async (signal) =>
      (await api.send('post', '/v2/referrals/lookup', { body: { id }, signal, isRepeatable: true })).body.data,
    [id],
  );
  return (
    <Dialog title={REFERRALS.referral} onClose={onClose} shape="drawer">
      <div class="drawer-content">
        <WhenReady loaded={loaded} skeleton={<Skeleton lines={6} height={2.5} />}>
          {(referral) => <Details referral={referral} />}
        </WhenReady>
        <section aria-labelledby={why}>
          <h3 id={why}>{REFERRALS.why}</h3>
          <Explanation about={{ id }} />
          <Lost referral={readyOf(loaded)?.value} />
        </section>
        <Entries id={id} loaded={loaded} />
        <WhenReady loaded={loaded} skeleton={<Skeleton lines={3} height={2} />}>
          {(referral) => <History referral={referral} />}
        </WhenReady>
      </div>
    </Dialog>
  );
}

/** Says whom another link or code of the customer would have credited. */
function Lost({ referral }: { readonly referral: ReferralDetails | undefined }) {
  const slugs = referral?.attributes.history.flatMap((entry) => (entry.type === 'state' && entry.lost) || []) ?? [];
  return slugs.map((slug) => (
    <p key={slug} class="soft">
      <bdi>{REFERRALS.lost(slug)}</bdi>
    </p>
  ));
}

/** What happened to the referral, the latest first. */
function History({ referral }: { readonly referral: ReferralDetails }) {
  const rows = referral.attributes.history.map((entry, index) => ({ entry, index })).toReversed();
  return (
    <section>
      <h3>{REFERRALS.history}</h3>
      <Table name={REFERRALS.history} columns={COLUMNS} rows={rows} keyOf={({ index }) => String(index)} />
    </section>
  );
}

const COLUMNS: readonly Column<{ readonly entry: HistoryEntry; readonly index: number }>[] = [
  { id: 'what', name: REFERRALS.what, onPhone: 'name', cell: ({ entry }) => <bdi>{describe(entry)}</bdi> },
  { id: 'by', name: REFERRALS.by, onPhone: 'below', cell: ({ entry }) => REFERRALS.ACTORS[entry.by] ?? entry.by },
  { id: 'date', name: COMMON.date, onPhone: 'below', cell: ({ entry }) => formatDateAndTime(entry.set_at) },
];

function describe(entry: HistoryEntry): string {
  switch (entry.type) {
    case 'state':
      return REFERRALS.STATES[entry.state];
    case 'reassignment':
      return REFERRALS.moved(entry.from, entry.to);
    case 'erasure':
      return REFERRALS.wasErased;
  }
}
