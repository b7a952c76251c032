import { useState } from 'preact/hooks';
import { refresh } from '../../kit/load.ts';
import { Problem } from '../../kit/status.tsx';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { useDashboard } from '../context.ts';
import { useWrite } from '../form-dialog.tsx';
import { STATES, type State } from './filters.ts';
import type { ReferralDetails } from './referral-details.ts';

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
  const { error, run, isSending } = useWrite(async () => {
    if (!state) return;
    await api.send('post', '/v2/tracking/state', { body: { id, state }, isRepeatable: true });
    refresh();
  });
  return (
    <form
      class="row-form"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <label class="field">
        <span>{REFERRALS.newState}</span>
        <select
          value={state}
          onChange={({ currentTarget: { value } }) => setChosen(others.find((other) => other === value))}
        >
          {others.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" aria-disabled={isSending}>
        {REFERRALS.setState}
      </button>
      {error && <Problem error={error} />}
    </form>
  );
}

function Move({ referral: { id } }: ReferralProps) {
  const { api } = useDashboard();
  const [slug, setSlug] = useState('');
  const { error, run, isSending } = useWrite(async () => {
    const body = { id, affiliate_slug: slug.trim() };
    await api.send('post', '/v2/tracking/reassign', { body, isRepeatable: true });
    setSlug('');
    refresh();
  });
  return (
    <form
      class="row-form"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <label class="field">
        <span>{REFERRALS.newAdvocate}</span>
        <input
          type="text"
          autocomplete="off"
          required
          value={slug}
          onInput={({ currentTarget }) => setSlug(currentTarget.value)}
        />
      </label>
      <button type="submit" aria-disabled={isSending}>
        {REFERRALS.move}
      </button>
      {error && <Problem error={error} />}
    </form>
  );
}
