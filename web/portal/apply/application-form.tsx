import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields.tsx';
import { CheckField, faultOf, useWrite } from '../../kit/forms.tsx';
import { Alert } from '../../kit/messages.tsx';
import * as COMMON from '../../words/common.ts';
import * as ACCOUNT from '../../words/portal/account.ts';
import * as WORDS from '../../words/portal/apply.ts';
import { api } from '../service.ts';
import { type Form, nameOf, readForm } from './form.ts';
import { QuestionField } from './question-field.tsx';

interface ApplicationFormProps {
  readonly pk: string;
  readonly form: Form;
}

/** Where somebody applies. The answer is the same for every address. What the API refuses stands beside the field. */
export function ApplicationForm({ pk, form: opened }: ApplicationFormProps) {
  const [form, setForm] = useState(opened);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isAccepted, setAccepted] = useState(false);
  const [isSent, setSent] = useState(false);
  const trap = useRef<HTMLInputElement>(null);
  const questions = form.application_fields;
  const { terms_url: termsUrl, terms_version: termsVersion } = form;
  const valueIn = (name: string) => typed[name]?.trim() ?? '';
  /** True if a field of the form shows what the API refuses. A choice shows nothing. */
  const isShown = ({ message }: ApiError) =>
    ['email', 'first_name', 'last_name', ...questions.filter(({ kind }) => kind !== 'choice').map(nameOf)].some(
      (name) => message.startsWith(`${name} `),
    );
  const { error, isSending, submit } = useWrite(async () => {
    const body = {
      ...{ pk, email: valueIn('email'), first_name: valueIn('first_name'), last_name: valueIn('last_name') },
      answers: Object.fromEntries(questions.map((question) => [question.key, valueIn(nameOf(question))])),
      leave_empty: trap.current?.value ?? '',
      ...(termsVersion !== null && { terms_version: termsVersion }),
    };
    try {
      await api.send('post', '/v2/applications', { body, token: '' });
      setSent(true);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.code !== 'invalid_field' || isShown(failure)) throw failure;
      // The program has other questions or terms than when the page opened.
      setForm(await readForm(pk));
      setAccepted(false);
      throw new ApiError(WORDS.changed, failure.status);
    }
  });
  const field = (name: string, label: string, subject = label) => ({
    label,
    value: typed[name] ?? '',
    fault: faultOf(error, name, subject),
    onInput: (value: string) => setTyped((last) => ({ ...last, [name]: value })),
  });
  if (isSent) {
    return (
      <div class="form">
        <p class="sent" role="status" tabIndex={-1} ref={takeFocus}>
          {WORDS.sent(valueIn('email'))}
        </p>
        <Button label={WORDS.back} onClick={() => setSent(false)} />
      </div>
    );
  }
  return (
    <form class="form" onSubmit={submit}>
      {form.apply_text !== null && <p class="lines">{form.apply_text}</p>}
      <TextField {...field('email', COMMON.email)} inputMode="email" autocomplete="email" maxLength={254} isRequired />
      <TextField
        {...field('first_name', WORDS.optional(ACCOUNT.firstName), ACCOUNT.firstName)}
        autocomplete="given-name"
      />
      <TextField
        {...field('last_name', WORDS.optional(ACCOUNT.lastName), ACCOUNT.lastName)}
        autocomplete="family-name"
      />
      {questions.map((question) => (
        <QuestionField key={question.key} question={question} field={field} />
      ))}
      {/* Robots fill in every field of a form. People neither see nor reach this one. */}
      <div class="hidden" aria-hidden="true">
        <input ref={trap} type="text" name="leave_empty" tabIndex={-1} autocomplete="off" />
      </div>
      {termsUrl !== null && (
        <a href={termsUrl} target="_blank" rel="noopener noreferrer">
          {WORDS.terms}
        </a>
      )}
      {termsVersion !== null && (
        <CheckField label={WORDS.accept} isRequired isChecked={isAccepted} onChange={setAccepted} />
      )}
      {error && !(error.code === 'invalid_field' && isShown(error)) && (
        <Alert title={COMMON.refusedChange} tone={error.isRefusal ? 'notice' : 'problem'}>
          <p>{error.message}</p>
        </Alert>
      )}
      <button type="submit" class="primary" aria-disabled={isSending}>
        {WORDS.send}
      </button>
    </form>
  );
}

/** Focuses an element when it appears: its button has disappeared. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();
