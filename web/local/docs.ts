/** Adds a form and samples to each operation that is opened, and keeps the menu in step with the address. */
import {
  type ApiDocument,
  type ApiRequest,
  exampleOf,
  examplesIn,
  LANGUAGES,
  type Language,
  samplesOf,
} from '../kit/samples.ts';

const find = <Found extends Element>(selector: string, within: ParentNode = document): Found => {
  const element = within.querySelector<Found>(selector);
  if (!element) throw new Error(`The page has no ${selector}.`);
  return element;
};
const programToken = find<HTMLInputElement>('#program-token');
const affiliateToken = find<HTMLInputElement>('#affiliate-token');
const menu = find<HTMLDetailsElement>('#menu');
const isDemo = programToken.defaultValue !== '';
const wide = matchMedia('(min-width: 60rem)');

/** The language of all samples, and the functions that write them. */
let language: Language = LANGUAGES[0];
const samples = new Set<() => void>();
const writeSamples = () => samples.forEach((write) => void write());

const api: Promise<ApiDocument> = fetch('/openapi.json').then((response) => response.json());
for (const operation of document.querySelectorAll<HTMLDetailsElement>('.operation')) {
  const place = operation.querySelector<HTMLElement>('.request');
  operation.addEventListener('toggle', () => {
    if (operation.open && place?.childElementCount === 0)
      void api.then((description) => addRequest(place, description));
  });
}
for (const token of [programToken, affiliateToken]) token.addEventListener('input', writeSamples);
wide.addEventListener('change', followScreen);
window.addEventListener('hashchange', followHash);
followScreen();
followHash();

function addRequest(place: HTMLElement, description: ApiDocument): void {
  const { path = '', method = '' } = place.dataset;
  const request = (tokens: Record<string, string>) =>
    exampleOf(description, path, method, { baseUrl: location.origin, tokens, example: example.value });
  const current = () =>
    request({ programToken: programToken.value, affiliateToken: affiliateToken.value, stripeSignature: '' });
  const isStripe = path.includes('/stripe/{');
  // Nobody but the demo can sign an event of Stripe here.
  if (isStripe && !isDemo) return;
  place.append(find<HTMLTemplateElement>('#request').content.cloneNode(true));
  const form = find<HTMLFormElement>('form', place);
  const example = find<HTMLSelectElement>('select', form);
  const url = find<HTMLInputElement>('input', form);
  const body = find<HTMLTextAreaElement>('textarea', form);
  const result = find<HTMLElement>('.result', place);
  // The keyboard can scroll them.
  for (const code of place.querySelectorAll('pre')) code.tabIndex = 0;

  const examples = Object.entries(examplesIn(description, path, method));
  example.append(...examples.map(([name, { summary = name }]) => new Option(summary, name)));
  example.parentElement?.toggleAttribute('hidden', examples.length < 2);
  body.parentElement?.toggleAttribute('hidden', examples.length === 0);
  const fill = () => {
    const chosen = current();
    url.value = chosen?.url.slice(location.origin.length) ?? '';
    body.value = chosen?.body === undefined ? '' : JSON.stringify(chosen.body, null, 2);
  };
  example.addEventListener('change', () => {
    fill();
    writeSamples();
  });
  fill();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    result.hidden = false;
    result.textContent = 'Sending …';
    const text = body.value;
    result.textContent = await send({ ...current(), url: url.value, method, text, isStripe }).catch(String);
  });
  const section = find<HTMLElement>('.samples', place);
  if (isStripe) section.remove();
  else addSamples(section, request);
}

type Tokens = Parameters<typeof exampleOf>[3]['tokens'];

function addSamples(section: HTMLElement, request: (tokens: Tokens) => ApiRequest | undefined): void {
  const copy = find<HTMLButtonElement>('button', section);
  const code = find<HTMLElement>('pre', section);
  const status = find<HTMLElement>('[role=status]', section);
  const buttons = LANGUAGES.map((name) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = name;
    button.addEventListener('click', () => {
      language = name;
      writeSamples();
    });
    return button;
  });
  find('fieldset', section).append(...buttons);
  const write = () => {
    const sample = request({
      programToken: programToken.value || '<program token>',
      affiliateToken: affiliateToken.value || '<affiliate token>',
    });
    code.textContent = sample ? samplesOf(sample)[language] : '';
    status.textContent = '';
    copy.ariaLabel = `Copy the sample in ${language}`;
    for (const button of buttons) button.ariaPressed = String(button.textContent === language);
  };
  samples.add(write);
  write();
  copy.addEventListener('click', async () => {
    status.textContent = await navigator.clipboard.writeText(code.textContent).then(
      () => 'Copied',
      () => 'Select the code and copy it',
    );
  });
}

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
  readonly isStripe: boolean;
}

async function send({ url, method, headers, text, isStripe }: Sent): Promise<string> {
  const signature = isStripe ? { 'stripe-signature': await signatureOf(text) } : {};
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: method.toUpperCase(),
    headers: { ...headers, ...signature },
    body: text === '' ? null : text,
  });
  const received = await response.text();
  const head = [`${response.status}, after ${Math.round(performance.now() - startedAt)} ms`];
  for (const [name, value] of response.headers) head.push(`${name}: ${value}`);
  return [...head, '', indented(received)].join('\n');
}

/** The demo's account at Stripe signs an event. */
async function signatureOf(event: string): Promise<string> {
  const response = await fetch('/demo/signature', { method: 'POST', body: event });
  const { signature, error }: { readonly signature?: string; readonly error?: string } = await response.json();
  if (signature === undefined) throw new Error(error);
  return signature;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function followScreen(): void {
  menu.open = wide.matches;
}

/** Opens the operation in the address, and marks it in the menu. */
function followHash(): void {
  for (const link of menu.querySelectorAll('a')) {
    link.ariaCurrent = link.hash !== '' && link.hash === location.hash ? 'true' : null;
  }
  const operation = document.getElementById(location.hash.slice(1));
  if (!(operation instanceof HTMLDetailsElement)) return;
  followScreen();
  operation.open = true;
  operation.scrollIntoView();
  operation.querySelector('summary')?.focus({ preventScroll: true });
}
