import { advocate } from './advocate.ts';
import { byId, showMessage } from './dom.ts';
import { report } from './service.ts';
import { addStep, failure, nextStep, suggest, suggestLink } from './steps.ts';
import { once, openSubscription } from './subscription.ts';
import { getVisitor } from './tracking.ts';

const CALL = 'POST /v2/tracking/conversion';
const OF_OTHER_ADVOCATE = 'Another advocate has a new customer. Now simulate the first payment.';

const form = byId('sign-up', HTMLFormElement);
const email = byId('email', HTMLInputElement);
const message = byId('sign-up-message', HTMLElement);

const NO_ATTEMPT = { email: '', gr_id: '', attempt: '' };
/** The last attempt without a confirmed result. It is repeated with the same idempotency key, so it counts once. */
let attempt = NO_ATTEMPT;

/** Activates the sign-up form. `onChange` is called after each response. */
export function openForm(onChange: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    getVisitor((visitor) => {
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
  const settle = addStep(`Signed up as ${customer.email}`, CALL);
  showMessage(message, 'One moment …');
  const { status, problem } = await report('sign-up', attempt);
  if (problem !== null) {
    email.focus();
    const taken =
      'This email already belongs to a customer, whose first advocate keeps the referral. Try another email.';
    showMessage(message, status === 409 ? taken : problem, true);
    suggest('The sign-up failed. Try again, with another email if this one is taken.');
    settle(failure(CALL, status));
    return;
  }
  showMessage(message, '');
  openSubscription(customer.email, textOf('plan'), 'converted', 'Welcome to Northwind!');
  if (status === 202) {
    suggest(
      'The shop could not report the sign-up. It signed the customer up regardless; a real shop would log the failure and report it again later.',
    );
    settle({ text: 'not reported' });
    return;
  }
  attempt = NO_ATTEMPT;
  if (status === 201) {
    settle({ text: 'converted', state: 'converted', call: `${CALL} → 201` });
    const isReferredHere = customer.gr_id.startsWith(`${advocate.slug}.`);
    suggest(isReferredHere ? nextStep('converted') : OF_OTHER_ADVOCATE);
  } else {
    const call = customer.gr_id === '' ? 'nothing to report' : `${CALL} → 400 invalid_affiliate_slug`;
    settle({ text: 'not referred', call });
    suggestLink('This customer has no referral, so nobody earns a commission.');
  }
}
