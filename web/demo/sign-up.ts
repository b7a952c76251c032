import { byId } from './dom.ts';
import { linkToDemo, NEXT, NO_REFERRAL, NOT_REPORTED, SIGN_UP_AGAIN } from './hints.ts';
import { once, say, sayProblem } from './requests.ts';
import { problemOf, report } from './service.ts';
import { beginStep, suggest } from './steps.ts';
import { openSubscription } from './subscription.ts';
import { askVisitor } from './visitor.ts';

const CALL = 'POST /v2/tracking/conversion';
const TAKEN = 'This email already belongs to a customer, whose first advocate keeps the referral. Try another email.';

const form = byId('sign-up', HTMLFormElement);
const email = byId('email', HTMLInputElement);
const message = byId('sign-up-message', HTMLElement);

const NO_ATTEMPT = { email: '', gr_id: '', attempt: '' };
/** The attempt that may have failed. Its repetition is sent with the same key and so cannot count twice. */
let attempt = NO_ATTEMPT;

/** Makes the form work. `onChange` is called after each response. */
export function openForm(onChange: () => void): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    askVisitor((visitor) => {
      byId('gr-id', HTMLInputElement).value = visitor ? visitor.grId : '';
    });
    void once(signUp).then(onChange);
  });
}

async function signUp(): Promise<void> {
  const fields = new FormData(form);
  const textOf = (name: string) => String(fields.get(name) ?? '').trim();
  const customer = { email: textOf('email'), gr_id: textOf('gr_id') };
  if (customer.email !== attempt.email || customer.gr_id !== attempt.gr_id) {
    attempt = { ...customer, attempt: crypto.randomUUID() };
  }
  const settle = beginStep(`Signed up as ${customer.email}`, CALL);
  say(message, 'One moment …');
  try {
    const { state, isReported } = await report('sign-up', attempt);
    if (isReported) attempt = NO_ATTEMPT;
    openSubscription(customer.email, textOf('plan'));
    say(message, 'Welcome to Northwind! Your subscription is below.');
    form.reset();
    if (state) {
      settle({ text: state, state, call: `${CALL} → 201` });
      suggest(NEXT[state]);
    } else if (!isReported) {
      settle({ text: 'not reported', state, call: CALL });
      suggest(NOT_REPORTED);
    } else {
      const call = customer.gr_id === '' ? 'nothing to report' : `${CALL} → 400 invalid_affiliate_slug`;
      settle({ text: 'not referred', state, call });
      suggest(NO_REFERRAL, linkToDemo());
    }
  } catch (error) {
    const { status, message: sentence } = problemOf(error);
    email.focus();
    sayProblem(message, status === 409 ? TAKEN : sentence);
    suggest(SIGN_UP_AGAIN);
    settle({
      text: status > 0 ? 'refused' : 'no response',
      state: null,
      call: status > 0 ? `${CALL} → ${status}` : CALL,
    });
  }
}
