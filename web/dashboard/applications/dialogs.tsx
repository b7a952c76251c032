import { useState } from 'preact/hooks';
import type { ResponseBody } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { applicantName } from '../../kit/applicant.ts';
import { LongField, TextField } from '../../kit/fields.tsx';
import { CheckField } from '../../kit/forms.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import * as APPLICATIONS from '../../words/dashboard/applications.ts';
import { ChooseGroup } from '../advocates/groups.tsx';
import { Confirm, FormDialog } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { api } from '../service.ts';

export type Application = ResponseBody<'/v2/applications', 'get'>['data'][number];

interface DecisionProps {
  readonly application: Application;
  readonly onClose: () => void;
  /** Called after the decision, with a sentence about it. */
  readonly onDone: (application: Application, sentence: string) => void;
}

/** Somebody else may have decided otherwise. */
function inWords(error: unknown): never {
  const isOvertaken = error instanceof ApiError && error.code === 'application_decided';
  throw isOvertaken ? new ApiError(APPLICATIONS.overtaken, error.status) : error;
}

/** Approves an application. A repeated approval returns the same advocate, so a lost response does no harm. */
export function Approve({ application, onClose, onDone }: DecisionProps) {
  const { can } = useDashboard();
  const [slug, setSlug] = useState('');
  const [group, setGroup] = useState('');
  async function approve(): Promise<void> {
    const body = { ...(slug.trim() && { slug: slug.trim() }), ...(group && { group }) };
    const params = { application: application.id };
    const request = { params, body, isRepeatable: true };
    await api.send('post', '/v2/applications/{application}/approve', request).catch(inWords);
    onDone(application, APPLICATIONS.approved(whoIs(application)));
  }
  return (
    <FormDialog title={APPLICATIONS.approve} save={APPLICATIONS.approve} onClose={onClose} onSave={approve}>
      <Who {...application.attributes} />
      <p>
        <bdi>{APPLICATIONS.approves(whoIs(application))}</bdi>
      </p>
      {can('admin') && <ChooseGroup value={group} onChange={setGroup} />}
      <TextField label={ADVOCATES.linkName} hint={ADVOCATES.linkNameHint} value={slug} onInput={setSlug} />
    </FormDialog>
  );
}

const MAX_NOTE = 1000;

/** Declines an application. Repeated, it changes nothing. */
export function Decline({ application, onClose, onDone }: DecisionProps) {
  const [note, setNote] = useState('');
  const [notify, setNotify] = useState(false);
  const [mayApplyAgain, setMayApplyAgain] = useState(false);
  async function decline(): Promise<void> {
    const body = { notify, may_apply_again: mayApplyAgain, ...(note.trim() && { note: note.trim() }) };
    const params = { application: application.id };
    const request = { params, body, isRepeatable: true };
    await api.send('post', '/v2/applications/{application}/reject', request).catch(inWords);
    onDone(application, APPLICATIONS.declined(whoIs(application)));
  }
  return (
    <Confirm title={APPLICATIONS.decline} onClose={onClose} onConfirm={decline}>
      <Who {...application.attributes} />
      <LongField label={COMMON.note} hint={APPLICATIONS.noteHint} maxLength={MAX_NOTE} value={note} onInput={setNote} />
      <CheckField label={APPLICATIONS.notify} isChecked={notify} onChange={setNotify} />
      <CheckField label={APPLICATIONS.mayApplyAgain} isChecked={mayApplyAgain} onChange={setMayApplyAgain} />
      <p role="status">
        <bdi>{APPLICATIONS.declines(whoIs(application), notify, note.trim() !== '')}</bdi>
      </p>
    </Confirm>
  );
}

const whoIs = ({ attributes }: Application): string => applicantName(attributes) || attributes.email;

function Who(attributes: Application['attributes']) {
  return (
    <p>
      <bdi>{applicantName(attributes)}</bdi> <bdi class="person-line">{attributes.email}</bdi>
    </p>
  );
}
