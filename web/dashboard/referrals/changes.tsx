import { useState } from 'preact/hooks';
import { Menu } from '../../kit/menu.tsx';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { ChangeState, Erase, Move } from './change-dialogs.tsx';
import type { ReferralDetails } from './columns.tsx';
import { RecordPayment } from './record-payment.tsx';

const DIALOGS = { state: ChangeState, move: Move, payment: RecordPayment, erase: Erase };
type Change = keyof typeof DIALOGS;

/** The changes of a referral. Each has a dialog that says whom it concerns, and what it does. */
export function ChangeMenu({ referral }: { readonly referral: ReferralDetails }) {
  const [open, setOpen] = useState<Change>();
  const { state, email, uid } = referral.attributes;
  const isClick = state === 'clicked';
  const isErased = !isClick && email === null && uid === null;
  const item = (change: Change, label: string) => ({
    label,
    onSelect: () => setOpen(change),
    isDanger: change === 'erase',
  });
  const Opened = open && DIALOGS[open];
  return (
    <>
      <Menu
        label={REFERRALS.change}
        items={[
          item('state', REFERRALS.changeState),
          ...(isClick ? [] : [item('move', REFERRALS.move), item('payment', REFERRALS.recordPayment)]),
          ...(isErased ? [] : [item('erase', COMMON.erase)]),
        ]}
      />
      {Opened && <Opened referral={referral} onClose={() => setOpen(undefined)} />}
    </>
  );
}
