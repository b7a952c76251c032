import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../../kit/controls.tsx';
import { refresh } from '../../kit/load.ts';
import { Problem } from '../../kit/status.tsx';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { useDashboard } from '../context.ts';
import { useWrite } from '../form-dialog.tsx';
import type { ReferralDetails } from './columns.tsx';
import { STATES, type State } from './filters.ts';

interface ReferralProps {
  readonly referral: ReferralDetails;
}

/** Sets the state, and moves the referral to another advocate. The API says why it refuses a change. */
export function Changes({ referral }: ReferralProps) {
  return (
    <section>
      <h3>{REFERRALS.changes}</h3>
      <div class="change-forms">
        <SetState referral={referral} />
        <Move referral={referral} />
      </div>
    </section>
  );
}

function SetState({ referral: { id, attributes } }: ReferralProps) {
  const { api } = useDashboard();
  const others = STATES.filter((state) => state !== attributes.state);
  const [chosen, setChosen] = useState<State>();
  const state = others.find((other) => other === chosen) ?? others[0];
  async function save(): Promise<void> {
    if (!state) return;
    await api.send('post', '/v2/tracking/state', { body: { id, state }, isRepeatable: true });
    refresh();
  }
  return (
    <RowForm name={REFERRALS.setState} onSave={save}>
      {state && <SelectField label={REFERRALS.newState} value={state} options={others} onChange={setChosen} />}
    </RowForm>
  );
}

function Move({ referral: { id } }: ReferralProps) {
  const { api } = useDashboard();
  const [slug, setSlug] = useState('');
  async function save(): Promise<void> {
    const body = { id, affiliate_slug: slug.trim() };
    await api.send('post', '/v2/tracking/reassign', { body, isRepeatable: true });
    setSlug('');
    refresh();
  }
  return (
    <RowForm name={REFERRALS.move} onSave={save}>
      <TextField label={REFERRALS.newAdvocate} isRequired value={slug} onInput={setSlug} />
    </RowForm>
  );
}

interface RowFormProps {
  /** The name of the button. */
  readonly name: string;
  readonly onSave: () => Promise<void>;
  readonly children: ComponentChildren;
}

/** A field with its button beside it. */
function RowForm({ name, onSave, children }: RowFormProps) {
  const { error, run, isSending } = useWrite(onSave);
  return (
    <form
      class="row-form"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {children}
      <button type="submit" aria-disabled={isSending}>
        {name}
      </button>
      {error && <Problem error={error} />}
    </form>
  );
}
