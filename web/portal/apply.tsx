import { useRef, useState } from 'preact/hooks';
import type { ResponseBody } from '../kit/api.ts';
import { ApiError } from '../kit/api-error.ts';
import { Button, LongField, SelectField, TextField } from '../kit/controls.tsx';
import { CheckField, faultOf, useWrite } from '../kit/forms.tsx';
import { ViewHeading } from '../kit/shell.tsx';
import type { SignInPage } from '../kit/sign-in.tsx';
import { Alert, Problem, readyOf, Skeleton, useLoaded, Waiting } from '../kit/status.tsx';
import { useStore } from '../kit/store.ts';
import { ACCOUNT } from '../words/account.ts';
import { APPLY } from '../words/apply.ts';
import { COMMON } from '../words/common.ts';
import { api } from './service.ts';

/** The form of a program. */
export type Form = ResponseBody<'/v2/apply/{pk}', 'get'>['data']['attributes'];

type Question = Form['application_fields'][number];

/** The longest answer that the API accepts. Most kinds have a lower limit, which it explains. */
const MAX_ANSWER = 2000;

const forms = new Map<string, Form>();

/** Reads the form of a program, once. */
async function readForm(pk: string, options: { readonly signal?: AbortSignal } = {}): Promise<Form> {
  const read = async () => (await api.send('get', '/v2/apply/{pk}', { params: { pk }, token: '', ...options })).body;
  const form = forms.get(pk) ?? (await read()).data.attributes;
  forms.set(pk, form);
  return form;
}

interface OfferProps {
  readonly page: SignInPage;
  readonly onApply: (form: Form) => void;
}

/** The way to the form. Nothing is shown for a program that takes no applications. */
export function Offer({ page, onApply }: OfferProps) {
  const pk = useStore(page.links.program);
  const [loaded] = useLoaded(async (signal) => (pk === undefined ? undefined : readForm(pk, { signal })), [pk]);
  const form = readyOf(loaded)?.value;
  return form ? (
    <div class="offer">
      <p class="soft">{APPLY.offer(form.program_name)}</p>
      <Button label={APPLY.title} onClick={() => onApply(form)} />
    </div>
  ) : null;
}

/** The form in a page of another site. */
export function FramedForm({ pk }: { readonly pk: string }) {
  const [loaded, reload] = useLoaded((signal) => readForm(pk, { signal }), [pk]);
  const form = readyOf(loaded)?.value;
  const error = loaded.kind === 'failed' ? loaded.error : undefined;
  const title = form ? APPLY.heading(form.program_name) : APPLY.title;
  return (
    <div class="page">
      <main class="card">
        <ViewHeading title={title} page={title} takesFocus={false} />
        {form && <ApplicationForm pk={pk} form={form} />}
        {!form && error?.code === 'applications_closed' && <p class="soft">{error.message}</p>}
        {!form && error && error.code !== 'applications_closed' && <Problem error={error} onRetry={reload} />}
        {!form && !error && <Skeleton lines={4} height={2.25} />}
      </main>
      <Waiting api={api} />
    </div>
  );
}

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
  const { error, isSending, run } = useWrite(async () => {
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
      forms.delete(pk);
      setForm(await readForm(pk));
      setAccepted(false);
      throw new ApiError(APPLY.changed, failure.status);
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
          {APPLY.sent(valueIn('email'))}
        </p>
        <Button label={APPLY.back} onClick={() => setSent(false)} />
      </div>
    );
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {form.apply_text !== null && <p class="lines">{form.apply_text}</p>}
      <TextField {...field('email', COMMON.email)} inputMode="email" autocomplete="email" maxLength={254} isRequired />
      <TextField
        {...field('first_name', APPLY.optional(ACCOUNT.firstName), ACCOUNT.firstName)}
        autocomplete="given-name"
      />
      <TextField
        {...field('last_name', APPLY.optional(ACCOUNT.lastName), ACCOUNT.lastName)}
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
          {APPLY.terms}
        </a>
      )}
      {termsVersion !== null && (
        <CheckField label={APPLY.accept} isRequired isChecked={isAccepted} onChange={setAccepted} />
      )}
      {error && !(error.code === 'invalid_field' && isShown(error)) && (
        <Alert title={COMMON.refusedChange} tone={error.isRefusal ? 'notice' : 'problem'}>
          <p>{error.message}</p>
        </Alert>
      )}
      <button type="submit" class="primary" aria-disabled={isSending}>
        {APPLY.send}
      </button>
    </form>
  );
}

interface QuestionFieldProps {
  readonly question: Question;
  /** Returns the attributes of a field, from its name in errors of the API, its label, and how its errors begin. */
  readonly field: (name: string, label: string, subject: string) => FieldAttributes;
}

interface FieldAttributes {
  readonly label: string;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onInput: (value: string) => void;
}

function QuestionField({ question, field }: QuestionFieldProps) {
  const { label, kind, required, options } = question;
  const { fault, ...own } = field(nameOf(question), required ? label : APPLY.optional(label), label);
  const text = { ...own, fault, maxLength: MAX_ANSWER, isRequired: required };
  if (kind === 'long') return <LongField {...text} />;
  if (kind !== 'choice') return <TextField {...text} {...(kind === 'url' && { inputMode: 'url' })} />;
  return (
    <SelectField {...own} isRequired={required} options={[['', APPLY.choose], ...options]} onChange={own.onInput} />
  );
}

/** Focuses an element when it appears: its button has disappeared. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();

/** The name of a question's field in errors of the API. */
const nameOf = ({ key }: Question) => `answers.${key}`;
