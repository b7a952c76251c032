import { useState } from 'preact/hooks';
import { Dialog } from '../../kit/dialog.tsx';
import { refresh, useLoaded } from '../../kit/load.ts';
import { Offline, Skeleton, WhenReady } from '../../kit/status.tsx';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { useDashboard } from '../context.ts';
import { Details } from './details.tsx';
import { Entries } from './entries.tsx';
import { Erasure } from './erasure.tsx';
import { History } from './history.tsx';
import { RecordPayment } from './record-payment.tsx';
import type { ReferralDetails } from './referral-details.ts';
import { Changes } from './state-and-move.tsx';

interface DrawerProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Everything about a referral, and what the merchant can do about it. */
export function Drawer({ id, onClose }: DrawerProps) {
  const { api } = useDashboard();
  const [loaded, reload] = useLoaded(
    async (signal) => {
      const body = { id };
      return (await api.send('post', '/v2/referrals/lookup', { body, signal, isRepeatable: true })).body.data;
    },
    [id],
  );
  return (
    <Dialog title={REFERRALS.referral} onClose={onClose} shape="drawer">
      {/* Nobody can use the retry of the page below an open dialog. */}
      {loaded.kind === 'failed' && <Offline api={api} />}
      <WhenReady loaded={loaded} onRetry={reload} skeleton={<Skeleton lines={9} height={2.5} />}>
        {(referral) => <Content referral={referral} />}
      </WhenReady>
    </Dialog>
  );
}

function Content({ referral }: { readonly referral: ReferralDetails }) {
  const { can } = useDashboard();
  const [isPaying, setPaying] = useState(false);
  const { state, email, uid } = referral.attributes;
  const canTrack = can('track');
  const isErased = state !== 'clicked' && email === null && uid === null;
  return (
    <div class="drawer-content">
      <Details referral={referral} />
      {canTrack ? <Changes referral={referral} /> : <p class="soft">{REFERRALS.notAllowed('track')}</p>}
      <Entries referral={referral} onPay={canTrack && state !== 'clicked' ? () => setPaying(true) : undefined} />
      <History referral={referral} />
      {canTrack && !isErased && <Erasure referral={referral} />}
      {isPaying && (
        <RecordPayment
          id={referral.id}
          onClose={() => setPaying(false)}
          onRecorded={() => {
            setPaying(false);
            refresh();
          }}
        />
      )}
    </div>
  );
}
