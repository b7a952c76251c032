import { useState } from 'preact/hooks';
import { refresh } from '../../kit/load.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { useDashboard } from '../context.ts';
import { Form, TextField } from '../form-dialog.tsx';
import type { ReferralDetails } from './referral-details.ts';

/** Erases the person, after a word was typed. */
export function Erasure({ referral: { id } }: { readonly referral: ReferralDetails }) {
  const { api } = useDashboard();
  const [word, setWord] = useState('');
  async function erase(): Promise<void> {
    await api.send('post', '/v2/tracking/erase', { body: { id }, isRepeatable: true });
    refresh();
  }
  return (
    <section>
      <h3>{REFERRALS.eraseTitle}</h3>
      <Form onSave={erase} save={REFERRALS.erase} isDanger>
        <p class="soft">{REFERRALS.eraseAdvice}</p>
        <TextField label={REFERRALS.typeErase} value={word} onInput={setWord} isRequired pattern="\s*erase\s*" />
      </Form>
    </section>
  );
}
