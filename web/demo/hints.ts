import { ADVOCATE } from './advocate.ts';
import { make } from './dom.ts';
import type { State } from './states.ts';

const { firstName } = ADVOCATE;

/** The next step for a referral in a state. */
export const NEXT: Readonly<Record<State, string>> = {
  clicked: `${firstName} sees the click. Now choose a plan and sign up.`,
  converted: `${firstName} has a new customer. Now simulate the first payment.`,
  paid: 'Now simulate the cancellation, or start over as a new visitor.',
  churned: 'That is the whole story. Simulate another payment, or start over as a new visitor.',
  rejected: 'The merchant rejected this referral. Start over as a new visitor.',
};

const EARNS_ALL_THE_SAME = `The cookie still knows who referred you: sign up, and ${firstName} earns the commission all the same.`;

export const NO_SCRIPT =
  'The tracking script did not load: your browser may block it. You can sign up, but nobody earns a commission. Allow /gr.js for this page and reload it to see the rest.';
export const CLICK_UNDER_WAY =
  'The tracking script has set its cookie and sent the click. Waiting for the response of the service …';
export const LOOKING_FOR_CLICK = `You followed ${firstName}’s link before. Loading her referrals to find you …`;
export const CLICK_FAILED = `The click did not reach the service, and the script sends it once more on the next page. ${EARNS_ALL_THE_SAME}`;
export const CLICK_IGNORED = `The service takes this browser for a bot and ignored the click. ${EARNS_ALL_THE_SAME}`;
export const CLICK_NOT_LISTED = `Your click is not in ${firstName}’s list. ${EARNS_ALL_THE_SAME}`;
export const PRIVATE =
  'Your browser asks sites not to track you (Global Privacy Control), and the script obeys. You can sign up without a referral.';
export const NOT_REFERRED = 'You came without an advocate’s link, so nobody earns a commission. ';
export const OTHER_ADVOCATE = `Another advocate referred you, so this panel does not show you. Sign up, or see the whole story: `;
export const UNKNOWN_LINK =
  'No advocate has this link, so nobody earns a commission. Sign up, or see the whole story: ';
export const NO_REFERRAL = 'This customer has no referral, so nobody earns a commission. ';
export const SIGN_UP_AGAIN = 'The sign-up failed. Try again, with another email if this one is taken.';
export const NOT_REPORTED =
  'The shop could not report the sign-up, and signed the customer up all the same. It would log this and report it again later.';

/** A link to the demo by which the advocate of the panel refers the visitor. */
export function linkToStory(): HTMLAnchorElement {
  const link = make('a', '', `Follow ${firstName}’s link`);
  link.href = ADVOCATE.link;
  return link;
}
