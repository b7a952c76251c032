import { advocate } from './advocate.ts';
import { byId, make, onSubmit, showMessage } from './dom.ts';
import { fieldOf, listOf, textOf } from './fields.ts';
import { commissionOf, timeOf } from './format.ts';
import { timelineOf } from './history.ts';
import { parseReferral } from './referral.ts';
import { type Reply, report, send } from './service.ts';
import { addStep, failure, suggest } from './steps.ts';

const LOOKUP = 'POST /v2/referrals/lookup';
const MOVE = 'POST /v2/tracking/reassign';

const lookupMessage = byId('lookup-message', HTMLElement);
const moveMessage = byId('move-message', HTMLElement);
const moveForm = byId('move', HTMLFormElement);
const choice = byId('new-advocate', HTMLSelectElement);

interface Choice {
  readonly slug: string;
  readonly name: string;
  readonly isActive: boolean;
}

/** The newest advocates of the program. */
let advocates: readonly Choice[] = [];
/** The email that the merchant looked up last; empty before that. */
let wanted = '';
/** The email of the customer whom the page shows. */
let customer = '';
/** The number of the last lookup: an earlier one whose response is late shows nothing. */
let latest = 0;

/** Activates the merchant's forms. `onChange` shows what has changed for the advocate. */
export function openMerchant(onChange: () => Promise<void>): void {
  onSubmit(byId('lookup', HTMLFormElement), ({ email = '' }) => lookUp(email));
  onSubmit(moveForm, async ({ affiliate_slug = '' }) => {
    await move(affiliate_slug);
    await onChange();
  });
}

/** Fills in the customer to look up. */
export function proposeCustomer(email: string): void {
  byId('lookup-email', HTMLInputElement).value = email;
}

/** Looks the customer up again without a step. If that fails, what is shown stays. */
export async function lookUpAgain(): Promise<void> {
  if (wanted !== '') await read(wanted);
}

async function lookUp(email: string): Promise<void> {
  const settle = addStep(`Looked up ${email}`, LOOKUP);
  wanted = email;
  showMessage(lookupMessage, 'One moment …');
  const { status, problem } = await read(email);
  if (problem === null) {
    showMessage(moveMessage, '');
    settle({ text: 'found', state: 'done', call: `${LOOKUP} → ${status}` });
    suggestJoining('Now move the referral to another advocate.');
    return;
  }
  const unknown = 'No advocate referred a customer with this email.';
  if (status === 404) byId('customer', HTMLElement).hidden = true;
  showMessage(lookupMessage, status === 404 ? unknown : problem, true);
  settle(status === 404 ? { text: 'not found', call: `${LOOKUP} → 404` } : failure(LOOKUP, status));
}

async function move(slug: string): Promise<void> {
  const name = nameOf(slug);
  const settle = addStep(`Moved ${customer} to ${name}`, MOVE);
  showMessage(moveMessage, 'One moment …');
  const { status, code, problem } = await report('reassign', { email: customer, affiliate_slug: slug });
  if (problem === null) {
    choice.value = '';
    showMessage(moveMessage, `${name} earns the commission now.`);
    suggestJoining('The referral has left one dashboard and is in the other.');
    settle({ text: 'moved', state: 'done', call: `${MOVE} → ${status}` });
    return;
  }
  const isInactive = code === 'invalid_affiliate_slug';
  showMessage(moveMessage, isInactive ? `${name} gets no new referrals. Choose another advocate.` : problem, true);
  settle(failure(MOVE, status));
}

async function read(email: string): Promise<Reply> {
  latest += 1;
  const own = latest;
  const [reply, list] = await Promise.all([report('lookup', { email }), send('/demo/advocates')]);
  if (own !== latest) return reply;
  if (list.problem === null) advocates = listOf(fieldOf(list.json, 'data')).map(parseChoice);
  if (reply.problem === null) {
    customer = email;
    showMessage(lookupMessage, '');
    show(fieldOf(reply.json, 'data'));
  }
  return reply;
}

function show(resource: unknown): void {
  const referral = parseReferral(resource);
  const attributes = fieldOf(resource, 'attributes');
  const slug = textOf(fieldOf(attributes, 'affiliate_slug')) ?? '';
  byId('customer-email', HTMLElement).textContent = referral.email;
  byId('customer-advocate', HTMLElement).textContent = nameOf(slug);
  byId('customer-commission', HTMLElement).textContent = commissionOf(referral);
  byId('flag', HTMLElement).hidden = !listOf(fieldOf(attributes, 'flags')).includes('self_referral');
  const entries = timelineOf(fieldOf(attributes, 'history'), nameOf).map(({ text, actor, setAt, state }) =>
    make('li', state ?? '', make('span', '', text, ' ', make('span', 'actor', actor)), ' ', timeOf(setAt)),
  );
  byId('history', HTMLOListElement).replaceChildren(...entries);
  const chosen = choice.value;
  const possible = advocates.filter((one) => one.isActive && one.slug !== slug);
  const others = possible.map((one) => new Option(one.name, one.slug));
  choice.replaceChildren(new Option('Choose an advocate', ''), ...others);
  choice.value = others.some(({ value }) => value === chosen) ? chosen : '';
  byId('customer', HTMLElement).hidden = false;
}

/** Suggests a step, and to become an advocate unless the visitor is one. */
function suggestJoining(text: string): void {
  if (advocate.isOwn) {
    suggest(text);
    return;
  }
  const link = make('a', '', 'Become an advocate');
  link.href = '#share';
  suggest(`${text} To have a dashboard of your own:`, link);
}

function nameOf(slug: string): string {
  return advocates.find((one) => one.slug === slug)?.name ?? slug;
}

function parseChoice(resource: unknown): Choice {
  const attribute = (name: string) => fieldOf(fieldOf(resource, 'attributes'), name);
  const text = (name: string) => textOf(attribute(name)) ?? '';
  const slug = text('slug');
  const name = `${text('first_name')} ${text('last_name')}`.trim() || slug;
  return { slug, name, isActive: attribute('active') === true };
}
