import { useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { formatDate } from '../../kit/format.ts';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import { Menu } from '../../kit/menu.tsx';
import { tell, tried } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { optional } from '../optional.ts';
import { nameOf } from '../person.tsx';
import { useDashboard } from '../router.ts';
import { isErased, openTheirPage, setActive } from './actions.ts';
import { AdvocateDialog } from './edit.tsx';
import { fourApi } from './four-api.ts';
import { type Groups, titleOf } from './groups.tsx';

interface HeadProps {
  readonly advocate: Schemas['Advocate'];
  readonly groups: Groups | undefined;
  /** False once it is known that nothing was earned. */
  readonly hasEarned: boolean;
  readonly onChanged: () => void;
}

/** Name, state, group and link, with what is done with them. */
export function Head({ advocate, groups, hasEarned, onChanged }: HeadProps) {
  const { can } = useDashboard();
  const [isEditing, setEditing] = useState(false);
  const { attributes } = advocate;
  const { slug, active, group, email, referral_link, payout_method, created_at } = attributes;
  const name = nameOf(attributes);
  const isGone = isErased(advocate);
  // A paused link invites nobody. Who has accepted terms, has a payout account or earned something, has been here.
  const mayInvite =
    active &&
    attributes.accepted_at === null &&
    attributes.payout_pending_until === null &&
    !payout_method &&
    !hasEarned;
  const [emails] = useLoaded(
    async (signal) =>
      mayInvite && (await optional(fourApi.send('get', '/v2/program/people', { signal }))) !== undefined,
    [mayInvite],
  );
  const invite = () =>
    tried(async () => {
      await fourApi.send('post', '/v2/advocates/{slug}/invite', { params: { slug }, isRepeatable: true });
      return ADVOCATES.invited(email ?? name);
    });
  const state = isGone ? COMMON.erased : active ? ADVOCATES.statuses.active : ADVOCATES.statuses.paused;
  return (
    <div class="one-head">
      <div>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        {email !== name && <p class="soft">{email}</p>}
        <p class="badges">
          <span class={`badge ${active ? 'good' : 'warn'}`}>{state}</span>
          {group !== null && <span class="badge">{titleOf(groups, group)}</span>}
          <span class="soft">
            {payout_method && `${ADVOCATES.methods[payout_method]} · `}
            {ADVOCATES.since(formatDate(created_at))}
          </span>
        </p>
      </div>
      {!isGone && (
        <>
          <p class="link-line">
            <bdi>{referral_link}</bdi>
            <CopyButton text={referral_link} label={COMMON.copyLink} class="primary" />
          </p>
          {can('advocates') && (
            <div class="buttons">
              <Button label={ADVOCATES.openPage} onClick={() => void openTheirPage(advocate)} />
              <Button label={ADVOCATES.edit} onClick={() => setEditing(true)} />
              {readyOf(emails)?.value && <Button label={ADVOCATES.invite} onClick={() => void invite()} />}
              <Menu
                label="⋯"
                name={ADVOCATES.actionsFor(name)}
                items={[
                  {
                    label: active ? ADVOCATES.pause : ADVOCATES.resume,
                    onSelect: () => void setActive([advocate], !active, onChanged),
                  },
                ]}
              />
            </div>
          )}
        </>
      )}
      {isEditing && (
        <AdvocateDialog
          advocate={advocate}
          onClose={() => setEditing(false)}
          onSaved={(saved) => {
            setEditing(false);
            tell(ADVOCATES.saved(nameOf(saved.attributes)));
            onChanged();
          }}
        />
      )}
    </div>
  );
}
