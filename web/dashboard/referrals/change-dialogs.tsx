import { useId, useState } from 'preact/hooks';
import { TextField } from '../../kit/fields.tsx';
import { refresh } from '../../kit/loaded.ts';
import { tell } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { ChooseAdvocate } from '../choose-advocate.tsx';
import { Confirm, confirmErasure, FormDialog } from '../form-dialog.tsx';
import { api } from '../service.ts';
import { Customer, type ReferralDetails } from './columns.tsx';
import { STATES, type State } from './filters.tsx';

export interface ChangeProps {
  readonly referral: ReferralDetails;
  readonly onClose: () => void;
}

/** Whom a dialog concerns. */
export function Concerned({ attributes }: ReferralDetails) {
  return (
    <p class="customer">
      <Customer {...attributes} />
    </p>
  );
}

/** Sets the state. The API says why it refuses one. */
export function ChangeState({ referral, onClose }: ChangeProps) {
  const id = useId();
  const [chosen, setChosen] = useState<State>();
  const { state: now } = referral.attributes;
  async function save(): Promise<void> {
    if (!chosen) return;
    const body = { id: referral.id, state: chosen };
    await api.send('post', '/v2/tracking/state', { body, isRepeatable: true });
    finish(onClose, REFERRALS.stateChanged(COMMON.states[chosen]));
  }
  return (
    <FormDialog title={REFERRALS.changeState} onClose={onClose} onSave={save}>
      <Concerned {...referral} />
      <p class="soft">{REFERRALS.isNow(COMMON.states[now])}</p>
      <div role="radiogroup" aria-label={REFERRALS.newState} class="form">
        {STATES.filter((state) => state !== now).map((state) => (
          <div key={state}>
            <label class="check">
              <input
                type="radio"
                name={id}
                required
                aria-describedby={id + state}
                checked={chosen === state}
                onChange={() => setChosen(state)}
              />
              <span>{COMMON.states[state]}</span>
            </label>
            <span class="hint" id={id + state}>
              {REFERRALS.EFFECTS[state]}
            </span>
          </div>
        ))}
      </div>
    </FormDialog>
  );
}

/** Moves the referral to another advocate. */
export function Move({ referral, onClose }: ChangeProps) {
  const [slug, setSlug] = useState('');
  async function save(): Promise<void> {
    const body = { id: referral.id, affiliate_slug: slug.trim() };
    await api.send('post', '/v2/tracking/reassign', { body, isRepeatable: true });
    finish(onClose, REFERRALS.movedTo(body.affiliate_slug));
  }
  return (
    <FormDialog title={REFERRALS.move} onClose={onClose} onSave={save}>
      <Concerned {...referral} />
      <ChooseAdvocate label={REFERRALS.newAdvocate} isRequired value={slug} onChange={setSlug} />
      <p class="soft">
        <bdi>{REFERRALS.moveAdvice(referral.attributes.affiliate_slug)}</bdi>
      </p>
    </FormDialog>
  );
}

/** Erases the person, after a word was typed. */
export function Erase({ referral, onClose }: ChangeProps) {
  const [word, setWord] = useState('');
  async function erase(): Promise<void> {
    confirmErasure(word);
    await api.send('post', '/v2/tracking/erase', { body: { id: referral.id }, isRepeatable: true });
    finish(onClose, REFERRALS.erased);
  }
  return (
    <Confirm title={COMMON.erase} onClose={onClose} onConfirm={erase}>
      <Concerned {...referral} />
      <p class="soft">{REFERRALS.eraseAdvice}</p>
      <TextField label={COMMON.typeErase} value={word} onInput={setWord} isRequired />
    </Confirm>
  );
}

/** Closes a dialog that has done its work, shows the change everywhere, and says so. */
export function finish(onClose: () => void, sentence: string): void {
  onClose();
  refresh();
  tell(sentence);
}
