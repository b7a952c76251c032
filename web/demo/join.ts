import { addStep, failure, suggestLink } from './activity.ts';
import { byId, fieldOf, openPortal, refreshFrames, report, showMessage, textOf } from './dom.ts';
import { once, state, update, whenever } from './state.ts';

const JOIN = 'POST /v2/advocates';

const form = byId('join', HTMLFormElement);
const message = byId('join-message', HTMLElement);

/** The last attempt to join. It is repeated with the same id, so that it creates one advocate only. */
let attempt = { form: '', id: '' };

/** Activates what an advocate can do in the shop: join and sign out. */
export function openJoining(): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void once(join);
  });
  byId('sign-out', HTMLButtonElement).addEventListener('click', async () => {
    const { problem } = await report('sign-out');
    if (problem === null) location.reload();
    else showMessage(message, problem, true);
  });
  whenever(() => {
    const { advocate, isBusy } = state;
    form.hidden = advocate.isOwn;
    byId('joined', HTMLElement).hidden = !advocate.isOwn;
    form.querySelector('button')?.setAttribute('aria-disabled', String(isBusy));
    byId('advocate-name', HTMLElement).textContent = advocate.firstName;
  });
}

async function join(): Promise<void> {
  const fields = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
  const key = JSON.stringify(fields);
  if (attempt.form !== key) attempt = { form: key, id: crypto.randomUUID() };
  const settle = addStep(`Joined as ${fields['first_name']}`, JOIN);
  showMessage(message, 'One moment …');
  const { status, problem, json } = await report('join', { ...fields, attempt: attempt.id });
  if (problem !== null) {
    const isInvalid = status === 400;
    showMessage(message, isInvalid ? 'This name or this email is not valid. Check both.' : problem, true);
    settle(failure(JOIN, status));
    return;
  }
  settle({ text: 'advocate', state: 'done', call: `${JOIN} → 201` });
  const text = (name: string) => textOf(fieldOf(json, name)) ?? '';
  const slug = text('slug');
  addStep('The shop opened your page', `POST /v2/advocates/${slug}/tokens → 201`, { text: 'token', state: 'done' });
  openPortal(slug, text('token'));
  update({ advocate: { slug, firstName: text('first_name'), lastName: text('last_name'), isOwn: true } });
  showMessage(message, '');
  form.reset();
  // The form that had the focus has disappeared.
  byId('joined', HTMLElement).focus();
  suggestLink(
    'This is your page. Now follow your link as a new visitor, and sign up. If you use your own email, the merchant sees a self-referral.',
  );
  refreshFrames();
}
