import { byId } from './dom.ts';

const submit = byId('submit', HTMLButtonElement);

let underWay = false;
let onTurn: () => void = () => undefined;

/** Sets what runs when a request begins and when it ends. */
export function watchRequests(listener: () => void): void {
  onTurn = listener;
}

/** True while the shop waits for a response to something that the visitor did. */
export function isUnderWay(): boolean {
  return underWay;
}

/** Runs `work` unless something is under way, however often a button is pressed. */
export async function once(work: () => Promise<void>): Promise<void> {
  if (underWay) return;
  const turn = (value: boolean) => {
    underWay = value;
    submit.setAttribute('aria-disabled', String(value));
    onTurn();
  };
  turn(true);
  try {
    await work();
  } finally {
    turn(false);
  }
}

/** Shows a message to the visitor and scrolls to it if necessary. */
export function say(place: HTMLElement, text: string): void {
  place.classList.remove('problem');
  place.textContent = text;
  if (text !== '') place.scrollIntoView({ block: 'nearest' });
}

/** Shows the visitor what went wrong. */
export function sayProblem(place: HTMLElement, text: string): void {
  say(place, text);
  place.classList.add('problem');
}
