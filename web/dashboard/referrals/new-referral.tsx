import { useState } from 'preact/hooks';
import { TextField } from '../../kit/fields.tsx';
import { refresh } from '../../kit/loaded.ts';
import { randomId } from '../../kit/random-id.ts';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { ChooseAdvocate } from '../choose-advocate.tsx';
import { FormDialog } from '../form-dialog.tsx';
import { api } from '../service.ts';

interface NewReferralProps {
  readonly onClose: () => void;
  readonly onAdded: (id: string) => void;
}

/** Adds a referral by hand. A retry after a lost response returns the same referral. */
export function NewReferral({ onClose, onAdded }: NewReferralProps) {
  const [idempotencyKey] = useState(randomId);
  const [advocate, setAdvocate] = useState('');
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
      <ChooseAdvocate isRequired value={advocate} onChange={setAdvocate} />
      <TextField label={COMMON.email} value={email} onInput={setEmail} />
      <TextField label={COMMON.yourId} hint={REFERRALS.emailOrId} value={uid} onInput={setUid} />
    </FormDialog>
  );
}
