import { useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { LongField, TextField } from '../../kit/fields.tsx';
import { tell } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as START from '../../words/dashboard/start.ts';
import type { Advocate } from '../developers/reference.ts';
import { CopyField, Form, isUnanswered } from '../form-dialog.tsx';
import { optional } from '../optional.ts';
import { nameOf } from '../person.tsx';
import { type Program, useDashboard } from '../router.ts';
import { api } from '../service.ts';

interface InviteStepProps {
  readonly program: Program;
  readonly advocate: Advocate | undefined;
  readonly hasEmails: boolean;
  readonly onDone: () => void;
}

type Created = Schemas['Advocate'] | Advocate;

/** The first advocate, invited by an email or by a text to copy. */
export function InviteStep({ program, advocate, hasEmails, onDone }: InviteStepProps) {
  const { can } = useDashboard();
  const [email, setEmail] = useState('');
  const [first_name, setFirstName] = useState('');
  /** The advocate of an attempt that could not finish, or whose response was lost. */
  const [begun, setBegun] = useState<Created | 'unknown'>();
  const [text, setText] = useState('');
  const { name, mode } = program.attributes;
  // Programs in test mode send no emails to advocates.
  const sendsEmail = hasEmails && mode !== 'test';

  async function create(): Promise<Created> {
    if (typeof begun === 'object' && begun.attributes.email === email.trim()) return begun;
    const body = { email: email.trim(), ...(first_name.trim() && { first_name: first_name.trim() }) };
    if (begun === 'unknown') {
      const query = { email_eq: body.email, per_page: 1 };
      const [found] = (await api.send('get', '/v2/advocates', { query })).body.data;
      if (found) return found;
    }
    try {
      return (await api.send('post', '/v2/advocates', { body })).body.data;
    } catch (error) {
      setBegun(isUnanswered(error) ? 'unknown' : undefined);
      throw error;
    }
  }
  async function save(): Promise<void> {
    const created = await create();
    setBegun(created);
    const { slug, referral_link } = created.attributes;
    const request = { params: { slug }, isRepeatable: true };
    const sent = sendsEmail && (await optional(api.send('post', '/v2/advocates/{slug}/invite', request)));
    if (sent) tell(START.invited(email.trim()));
    else {
      setText(START.invitationText(first_name.trim(), name, referral_link));
      tell(START.added(email.trim()));
    }
    setBegun(undefined);
    setEmail('');
    setFirstName('');
    onDone();
  }
  return (
    <>
      {advocate && (
        <div class="form">
          <p>
            <bdi>{START.advocateIs(nameOf(advocate.attributes))}</bdi>
          </p>
          <CopyField label={START.link} value={advocate.attributes.referral_link} />
        </div>
      )}
      {text && (
        <div class="form">
          <LongField label={START.invitation} value={text} onInput={setText} />
          <CopyButton text={text} label={COMMON.copy} />
        </div>
      )}
      {can('advocates') ? (
        <Form onSave={save} save={sendsEmail ? START.sendInvitation : START.addAdvocate}>
          <div class="step-fields">
            <TextField label={COMMON.email} inputMode="email" isRequired value={email} onInput={setEmail} />
            <TextField label={START.firstName} value={first_name} onInput={setFirstName} />
          </div>
        </Form>
      ) : (
        <p class="soft">{START.notAllowed('advocates')}</p>
      )}
    </>
  );
}
