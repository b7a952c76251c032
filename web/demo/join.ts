import { advocate, fullName, showAdvocate } from './advocate.ts';
import { forgetToken } from './affiliate.ts';
import { byId, onSubmit, showMessage } from './dom.ts';
import { report } from './service.ts';
import { addStep, failure, suggestLink } from './steps.ts';

const JOIN = 'POST /v2/advocates';

const joinForm = byId('join', HTMLFormElement);
const joinMessage = byId('join-message', HTMLElement);
const renaming = byId('renaming', HTMLDetailsElement);
const renameForm = byId('rename', HTMLFormElement);
const ownMessage = byId('own-message', HTMLElement);

/** The last attempt to join. It is repeated with the same id, so that it creates one advocate only. */
let attempt = { form: '', id: '' };

/** Activates what an advocate can do: join, rename, sign out. `onChange` shows the advocate who is signed in then. */
export function openJoining(onChange: () => Promise<void>): void {
  onSubmit(joinForm, async (form) => {
    if (await join(form)) await enter(onChange);
  });
  onSubmit(renameForm, rename);
  // Before the form opens: `toggle` comes after it, and could replace what somebody has typed by then.
  renaming.querySelector('summary')?.addEventListener('click', () => {
    byId('new-first-name', HTMLInputElement).value = advocate.firstName;
    byId('new-last-name', HTMLInputElement).value = advocate.lastName;
  });
  byId('sign-out', HTMLButtonElement).addEventListener('click', () => void signOut(onChange));
}

/** Resolves to true if the visitor is an advocate now. */
async function join(form: Readonly<Record<string, string>>): Promise<boolean> {
  const key = JSON.stringify(form);
  if (attempt.form !== key) attempt = { form: key, id: crypto.randomUUID() };
  const settle = addStep(`Joined as ${form['first_name']}`, JOIN);
  showMessage(joinMessage, 'One moment …');
  const { status, problem } = await report('join', { ...form, attempt: attempt.id });
  if (problem !== null) {
    const isInvalid = status === 400;
    showMessage(joinMessage, isInvalid ? 'This name or this email is not valid. Check both.' : problem, true);
    settle(failure(JOIN, status));
    return false;
  }
  settle({ text: 'advocate', state: 'done', call: `${JOIN} → ${status}` });
  return true;
}

/** Shows the new advocate's dashboard, and moves there: the form that had the focus disappears. */
async function enter(onChange: () => Promise<void>): Promise<void> {
  forgetToken();
  await onChange();
  if (!advocate.isOwn) {
    showMessage(joinMessage, 'You are an advocate. Your dashboard appears as soon as the service responds.');
    return;
  }
  showMessage(joinMessage, '');
  joinForm.reset();
  addStep('The shop gave this page a token', `POST /v2/advocates/${advocate.slug}/tokens`, {
    text: 'for 15 minutes',
    state: 'done',
  });
  byId('as-advocate', HTMLInputElement).checked = true;
  byId('advocate-title', HTMLElement).focus();
  suggestLink(
    'This is your dashboard. Now follow your link as a new visitor, and sign up. If you use your own email, the merchant sees a self-referral.',
  );
}

async function rename(form: Record<string, string>): Promise<void> {
  const { slug } = advocate;
  const call = `PATCH /v2/advocates/${slug}`;
  const settle = addStep(`Changed the name to ${form['first_name']} ${form['last_name']}`.trim(), call);
  const { status, problem } = await report('rename', form);
  if (problem !== null) {
    showMessage(ownMessage, status === 400 ? 'This name is not valid.' : problem, true);
    settle(failure(call, status));
    return;
  }
  settle({ text: 'renamed', state: 'done', call: `${call} → ${status}` });
  // The advocate may have signed out since then.
  if (slug !== advocate.slug) return;
  showAdvocate({ ...advocate, firstName: form['first_name'] ?? '', lastName: form['last_name'] ?? '' });
  renaming.open = false;
  renaming.querySelector('summary')?.focus();
  showMessage(ownMessage, `Your name is now ${fullName()}.`);
}

async function signOut(onChange: () => Promise<void>): Promise<void> {
  const { problem } = await report('sign-out');
  if (problem !== null) {
    showMessage(ownMessage, problem, true);
    return;
  }
  showMessage(ownMessage, '');
  forgetToken();
  await onChange();
  byId('advocate-title', HTMLElement).focus();
}
