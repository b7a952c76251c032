import { make } from './dom.ts';
import type { State } from './states.ts';

/** What there is to do next with a referral in this state. */
export const NEXT: Readonly<Record<State, string>> = {
  clicked: 'Amara sees the click. Now choose a plan and sign up.',
  converted: 'The affiliate has earned a customer. Now play the first payment.',
  paid: 'Now play the cancellation, or start again as someone new.',
  churned: 'That is the whole story. Play another payment, or start again as someone new.',
  rejected: 'The merchant has rejected this referral. Start again as someone new.',
};

export const NO_SCRIPT =
  'The tracking script does not answer: your browser may block it. You can sign up all the same, but nobody earns a commission. Allow /gr.js for this page and reload it to see the rest.';
export const LOOKING_FOR_CLICK = 'An affiliate brought you. Looking for your click in her list …';
export const NO_CLICK =
  'The click was blocked, lost, or ignored as that of a bot. The cookie still knows who brought you: sign up, and the affiliate earns the customer all the same.';
export const PRIVATE =
  'Your browser asks not to be tracked (Global Privacy Control), and the script obeys. You can sign up all the same.';
export const NOBODY = 'You came without an affiliate’s link, so nobody earns a commission. ';
export const SOMEONE_ELSE =
  'Someone else’s link brought you, so you will not appear in this panel. Sign up all the same, or see the whole story: ';
export const NO_REFERRAL = 'A customer without a referral: no state to report, and nobody to pay. ';

/** The way to the demo's affiliate. */
export function linkTo(address: string): HTMLAnchorElement {
  const link = make('a', '', 'Come by Amara’s link');
  link.href = address;
  return link;
}
