import { useState } from 'preact/hooks';
import { applicantName } from '../../kit/answers.tsx';
import type { ResponseBody } from '../../kit/api.ts';
import { LongField, TextField } from '../../kit/controls.tsx';
import { CheckField } from '../../kit/forms.tsx';
import { COMMON } from '../../words/common.ts';
import { ADVOCATES } from '../../words/dashboard.ts';
import { APPLICATIONS } from '../../words/dashboard-applications.ts';
import { readRate } from '../advocates/dialog.tsx';
import { FormDialog } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';

export type Application = ResponseBody<'/v2/applications', 'get'>['data'][number];

interface DecisionProps {
  readonly application: Application;
  readonly onClose: () => void;
  /** Called after the decision, with a sentence about it. */
  readonly onDone: (application: Application, sentence: string) => void;
}

/** Approves an application. A repeated approval returns the same advocate, so a lost response does no harm. */
export function Approve({ application, onClose, onDone }: DecisionProps) {
  const { api } = useDashboard();
  const [slug, setSlug] = useState('');
  const [rate, setRate] = useState('');
  async function approve(): Promise<void> {
    const commission_percentage = readRate(rate);
    const body = {
      ...(slug.trim() && { slug: slug.trim() }),
      ...(commission_percentage !== null && { commission_percentage }),
    };
    const params = { application: application.id };
    const path = '/v2/applications/{application}/approve';
    const { data } = (await api.send('post', path, { params, body, isRepeatable: true })).body;
    onDone(application, APPLICATIONS.approved(data.attributes.slug));
  }
  return (
    <FormDialog title={APPLICATIONS.approveTitle} save={APPLICATIONS.approve} onClose={onClose} onSave={approve}>
      <Who {...application.attributes} />
      <p class="soft">{APPLICATIONS.approveAdvice}</p>
      <TextField label={ADVOCATES.slug} hint={ADVOCATES.slugHint} value={slug} onInput={setSlug} />
      <TextField
        label={ADVOCATES.commission}
        hint={ADVOCATES.commissionHint}
        inputMode="decimal"
        value={rate}
        onInput={setRate}
      />
    </FormDialog>
  );
}

const MAX_NOTE = 1000;

/** Declines an application. Repeated, it changes nothing. */
export function Decline({ application, onClose, onDone }: DecisionProps) {
  const { api } = useDashboard();
  const [note, setNote] = useState('');
  const [notify, setNotify] = useState(false);
  const [mayApplyAgain, setMayApplyAgain] = useState(false);
  async function decline(): Promise<void> {
    const body = { notify, may_apply_again: mayApplyAgain, ...(note.trim() && { note: note.trim() }) };
    const params = { application: application.id };
    await api.send('post', '/v2/applications/{application}/reject', { params, body, isRepeatable: true });
    onDone(application, APPLICATIONS.declined(application.attributes.email));
  }
  return (
    <FormDialog
      title={APPLICATIONS.declineTitle}
      save={APPLICATIONS.decline}
      isDanger
      onClose={onClose}
      onSave={decline}
    >
      <Who {...application.attributes} />
      <LongField label={COMMON.note} hint={APPLICATIONS.noteHint} maxLength={MAX_NOTE} value={note} onInput={setNote} />
      <CheckField label={APPLICATIONS.notify} isChecked={notify} onChange={setNotify} />
      <CheckField
        label={APPLICATIONS.mayApplyAgain}
        hint={APPLICATIONS.mayApplyAgainHint}
        isChecked={mayApplyAgain}
        onChange={setMayApplyAgain}
      />
    </FormDialog>
  );
}

function Who(attributes: Application['attributes']) {
  return (
    <p>
      <bdi>{applicantName(attributes)}</bdi> <bdi class="person-line">{attributes.email}</bdi>
    </p>
  );
}
