import { useState } from 'preact/hooks';
import { refresh } from '../../kit/load.ts';
import { newId } from '../../kit/new-id.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { useDashboard } from '../context.ts';
import { FormDialog, TextField } from '../form-dialog.tsx';

interface NewReferralProps {
  readonly onClose: () => void;
  readonly onAdded: (id: string) => void;
}

/** Adds a referral by hand. A retry after a lost response returns the same referral. */
export function NewReferral({ onClose, onAdded }: NewReferralProps) {
  const { api, filters } = useDashboard();
  const [idempotencyKey] = useState(newId);
  const [advocate, setAdvocate] = useState(filters['advocate'] ?? '');
  const [email, setEmail] = useState('');
  const [uid, setUid] = useState('');
  async function save(): Promise<void> {
    const [someEmail, someUid] = [email.trim(), uid.trim()];
    const customer = someEmail ? { email: someEmail, ...(someUid && { uid: someUid }) } : { uid: someUid };
    const body = { affiliate_slug: advocate.trim(), ...customer };
    const added = await api.send('post', '/v2/tracking/conversion', { body, idempotencyKey });
    refresh();
    onAdded(added.body.data.id);
  }
  return (
    <FormDialog title={REFERRALS.newReferral} onClose={onClose} onSave={save}>
      <TextField
        label={REFERRALS.advocate}
        hint={REFERRALS.advocateHint}
        isRequired
        value={advocate}
        onInput={setAdvocate}
      />
      <TextField label={REFERRALS.email} value={email} onInput={setEmail} />
      <TextField label={REFERRALS.yourId} hint={REFERRALS.emailOrId} value={uid} onInput={setUid} />
    </FormDialog>
  );
}
